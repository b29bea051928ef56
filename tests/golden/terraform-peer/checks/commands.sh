terraform init > /dev/null
cat > main.tf <<'END'
check "c" {
  assert {
    condition = 1 == 1
    error_message = "No."
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
check "c" {
  assert {
    condition = false
    error_message = "No."
  }
}
END
terraform validate
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
check "c" {
}
END
terraform validate
cat > main.tf <<'END'
check {
  assert {
    condition = false
    error_message = "No."
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
check "c" {
  assert {
    condition = terraform_data.a.output == 1
    error_message = "No."
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
check "c" {
  assert {
    condition = local.x
    error_message = "No."
  }
  assert {
    condition = 5
    error_message = 7
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
check "c" {
  nope = 1
  assert {
    condition = var.x
    error_message = "No."
    x = 1
  }
}
variable "x" {
  default = true
}
END
terraform validate
