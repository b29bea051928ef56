terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = object({ name = string, port = optional(number, 80) })
  default = { name = "n" }
}

variable "v1" {
  type    = set(string)
  default = ["s", "t"]
}

resource "terraform_data" "app" {
  for_each = { "a" = 0, "red" = 1, "two words" = 2, "x-1" = 3 }
  input = var.v0
  triggers_replace = [0, "ü"]
}

output "o0" {
  value = { for k, v in terraform_data.app : k => v.output }
  sensitive = true
}

output "o1" {
  value = var.v0
}

output "o2" {
  value = var.v1
  sensitive = true
}

END
terraform plan -target=terraform_data.app
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output
terraform destroy -auto-approve
