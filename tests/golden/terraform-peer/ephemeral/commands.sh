cat > main.tf <<'END'
variable "e" {
  type      = string
  default   = "x"
  ephemeral = true
}
resource "terraform_data" "a" {
  input = var.e
}
END
terraform init > /dev/null
terraform validate
terraform plan
cat > main.tf <<'END'
variable "e" {
  type      = string
  default   = "x"
  ephemeral = true
}
output "o" {
  value = var.e
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "e" {
  type      = string
  default   = "x"
  ephemeral = true
}
output "o" {
  value     = var.e
  ephemeral = true
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
ephemeral "terraform_data" "x" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
ephemeral "random_password" "x" {
  length = 3
}
END
terraform validate
cat > main.tf <<'END'
variable "e" {
  default   = "x"
  ephemeral = true
}
locals {
  l = var.e
}
resource "terraform_data" "a" {
  count = var.e == "x" ? 1 : 0
}
resource "terraform_data" "b" {
  triggers_replace = local.l
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "e" {
  default   = "x"
  ephemeral = true
}
module "m" {
  source = "./m"
  v      = var.e
}
END
mkdir m
cat > m/main.tf <<'END'
variable "v" {
}
output "w" {
  value = var.v
}
END
terraform init > /dev/null
terraform validate
terraform plan
