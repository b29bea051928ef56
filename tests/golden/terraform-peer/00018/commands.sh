terraform init > /dev/null
terraform plan
terraform apply -auto-approve
terraform show
cat terraform.tfstate
cat > main.tf <<'END'
variable "v0" {
  type    = object({ name = string, port = optional(number, 80) })
  default = { name = "n" }
}

variable "v1" {
  type    = bool
  default = true
}

resource "terraform_data" "app" {
  count = 0
  input = true
  triggers_replace = try("line one\nline two\n", null)
}

output "o0" {
  value = var.v0
}

END
terraform plan
terraform plan -target=terraform_data.app
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output -json
terraform destroy -auto-approve
