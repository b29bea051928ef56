terraform init > /dev/null
cat > main.tf <<'END'
resource "terraform_data" "a" {
  depends_on = ["terraform_data.b"]
}
resource "terraform_data" "b" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  depends_on = terraform_data.b
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  depends_on = [terraform_data.b, terraform_data.zz]
}
resource "terraform_data" "b" {
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  depends_on = [terraform_data.b.id]
}
resource "terraform_data" "b" {
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  depends_on = ["${terraform_data.b}", 5, [], var.x, local.y]
}
resource "terraform_data" "b" {
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
  lifecycle {
    ignore_changes = ["input"]
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
  lifecycle {
    ignore_changes = [nope, input.x, 5]
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
  lifecycle {
    ignore_changes = "all"
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
  lifecycle {
    ignore_changes = ["*"]
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  lifecycle {
    create_before_destroy = "x"
    prevent_destroy = 1
    nope = 1
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  lifecycle {
    prevent_destroy = var.x
  }
}
variable "x" {
  default = true
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  lifecycle {
  }
  lifecycle {
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  lifecycle {
    replace_triggered_by = [terraform_data.b, terraform_data.zz.id, var.x, "terraform_data.b"]
  }
}
resource "terraform_data" "b" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition = self.id == 1
      error_message = "x"
    }
    postcondition {
      condition = terraform_data.a.id != ""
      error_message = "x"
    }
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
output "a" {
  value = terraform_data.x
}
output "b" {
  value = var.x
}
output "c" {
  value = local.x
}
output "d" {
  value = module.x
}
output "e" {
  value = data.a.b
}
output "f" {
  value = each.key
}
output "g" {
  value = count.index
}
output "h" {
  value = self.x
}
output "i" {
  value = path.x
}
output "j" {
  value = terraform.x
}
output "k" {
  value = foo
}
output "l" {
  value = foo.bar
}
output "m" {
  value = nope()
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
output "a" {
  value = terraform_data.a.nope
}
output "b" {
  value = terraform_data.a[0]
}
output "c" {
  value = terraform_data.a.input.x
}
output "d" {
  value = terraform_data.a["x"].id
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = 2
}
resource "terraform_data" "b" {
  for_each = toset(["x"])
}
output "a" {
  value = terraform_data.a.id
}
output "b" {
  value = terraform_data.b.id
}
output "c" {
  value = terraform_data.a[5].id
}
output "d" {
  value = terraform_data.b["q"].id
}
output "e" {
  value = terraform_data.b[0].id
}
output "f" {
  value = terraform_data.a["x"].id
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
locals {
  a = local.b
  b = local.a
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
locals {
  a = local.a
}
resource "terraform_data" "a" {
  input = terraform_data.b.id
}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = terraform_data.a.id
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
output "a" {
  value = local.x
}
locals {
  x = terraform_data.a.id
}
resource "terraform_data" "a" {
  input = local.x
}
END
terraform validate
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "a" {
  depends_on = [terraform_data.b]
}
resource "terraform_data" "b" {
  depends_on = [terraform_data.c]
}
resource "terraform_data" "c" {
  input = terraform_data.a.id
}
resource "terraform_data" "d" {
  input = terraform_data.a.id
}
END
terraform validate
terraform plan
terraform graph
