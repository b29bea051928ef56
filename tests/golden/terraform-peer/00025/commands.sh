terraform init > /dev/null
terraform validate
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = number
  default = 3
}

variable "v1" {
  type    = any
  default = { k = [1, "2"] }
}

locals {
  l0 = "changed 0"
}

resource "terraform_data" "app" {
  input = true
}

resource "terraform_data" "db" {
}

resource "terraform_data" "cache" {
  input = terraform_data.app.input
  triggers_replace = "alpha"
}

output "o0" {
  value = var.v0
  sensitive = true
}

output "o1" {
  value = var.v0
}

output "o2" {
  value = terraform_data.cache.output
}

END
terraform plan
terraform plan -replace=terraform_data.app
terraform plan -refresh-only
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output
terraform plan -destroy
