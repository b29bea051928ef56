terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = bool
  default = true
}

locals {
  l0 = jsonencode(true)
}

resource "terraform_data" "app" {
  input = true ? "line one\nline two\n" : "line one\nline two\n"
  triggers_replace = "t96"
}

output "o0" {
  value = terraform_data.app.output
}

output "o1" {
  value = "new 8"
}

END
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output -json
terraform taint terraform_data.app
terraform plan
terraform destroy -auto-approve
