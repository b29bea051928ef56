terraform init > /dev/null
cat > main.tf <<'END'
output "a" {
  value = nope1
}
output "a" {
  value = 1
}
resource "terraform_data" "x" {
  nope = var.zz
  lifecycle {
    y = 1
  }
}
variable "v" {
  type = strin
}
locals {
  z = local.q
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
output "a" {
  value = var.q
}
output "b" {
  value = upper(
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
output "a" {
  value = 
}
resource "x" {
}
locals
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "x" {
  input = upper([])
}
resource "terraform_data" "y" {
  input = terraform_data.x.nope
}
output "o" {
  value = 1 + "a"
}
locals {
  x = tonumber("x")
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "a" {
}
variable "b" {
  type = number
}
variable "c" {
  default = 1
}
END
terraform plan -input=false
terraform plan -input=false -var b=x
terraform plan -var a=1 -var b=x -var d=3
cat > main.tf <<'END'
resource "terraform_data" "x" {
  input = "${1 +}"
  triggers_replace = "a
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "x" {
  input = <<EOT
  abc
}
END
terraform validate
cat > main.tf <<'END'
a = 1
b {
}
"x" {
}
END
terraform validate
cat > main.tf <<'END'
locals {
  a = "x" "y"
  b = [1 2]
  c = {a = 1 b = 2}
}
END
terraform validate
cat > main.tf <<'END'
locals {
  a = b.
  c = d[
}
END
terraform validate
cat > main.tf <<'END'
locals { a = 1, b = 2 }
locals { c = 1
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "x" { input = 1 }
resource terraform_data y { input = 2 }
END
terraform validate
terraform plan
cat > main.tf <<'END'
/* open
END
terraform validate
cat > main.tf <<'END'
locals {
  a = 1 # x
  b = 2 // y
  /* z */ c = 3
}
END
terraform validate
cat > main.tf <<'END'
locals {
  a = 'x'
}
END
terraform validate
cat > main.tf <<'END'
locals {
  a = `x`
  b = 1;
  c = 1 & 2
}
END
terraform validate
cat > main.tf <<'END'
locals {
  a = "\q"
  b = "\u12"
  c = "$${x}"
  d = "%%{x}"
}
END
terraform validate
