cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
resource "terraform_data" "b" {
  input = "x"
}
output "o" {
  value = terraform_data.a.id
}
END
terraform init > /dev/null
terraform apply -auto-approve > /dev/null
cat >> main.tf <<'END'
removed {
  from = terraform_data.a
}
END
terraform plan
terraform validate
terraform plan -destroy
terraform apply -auto-approve
terraform destroy -auto-approve
terraform plan -refresh-only
terraform refresh
echo 1 | terraform console
cat >> main.tf <<'END'
removed {
  from = terraform_data.zz
}
removed {
  from = terraform_data.b
}
resource "terraform_data" "c" {
  input = file("nono")
}
END
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "b" {
  input = "x"
}
removed {
  from = terraform_data.a
}
removed {
  from = terraform_data.a
  lifecycle {
    destroy = false
  }
}
END
terraform plan
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "b" {
  input = "x"
}
removed {
  from = terraform_data.a
  lifecycle {
    destroy = false
  }
}
moved {
  from = terraform_data.a
  to = terraform_data.b2
}
END
terraform plan
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "b" {
  input = "x"
}
removed {
  from = terraform_data.a[0]
}
END
terraform plan
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "b" {
  input = "x"
}
removed {
  from = terraform_data.a
  lifecycle {
    destroy = false
  }
}
END
terraform plan
terraform plan -destroy
terraform plan -target=terraform_data.b
terraform plan -target=terraform_data.a
terraform apply -auto-approve
terraform state list
terraform plan
terraform plan -destroy
cat > main.tf <<'END'
removed {
  from = terraform_data.b
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when = destroy
    command = "echo bye ${self.input}"
  }
}
END
terraform plan
terraform apply -auto-approve
terraform apply -auto-approve
