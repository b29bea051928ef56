terraform init > /dev/null
cat > main.tf <<'END'
variable "s" {
  default = "x"
  sensitive = true
}
resource "terraform_data" "a" {
  input = var.s
}
output "o" {
  value = terraform_data.a.output
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "s" {
  default = "x"
  sensitive = true
}
resource "terraform_data" "a" {
  input = { k = var.s, l = 1 }
  triggers_replace = [var.s]
}
output "o" {
  value = nonsensitive(var.s)
}
output "p" {
  value = nonsensitive(1)
}
END
terraform validate
terraform plan
terraform apply -auto-approve
terraform output
terraform show
terraform state show terraform_data.a
cat > main.tf <<'END'
variable "s" {
  default = ["a", "b"]
  sensitive = true
}
resource "terraform_data" "a" {
  count = length(var.s)
}
resource "terraform_data" "b" {
  for_each = toset(var.s)
}
output "o" {
  value = [for x in var.s : x]
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "s" {
  default = { a = 1 }
  sensitive = true
}
resource "terraform_data" "b" {
  for_each = var.s
  input = each.value
}
resource "terraform_data" "c" {
  input = var.s.b
}
locals {
  q = var.s == {} ? 1 : 2
}
output "q" {
  value = local.q
}
END
terraform validate
terraform plan
