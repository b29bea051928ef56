terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = map(number)
  default = { one = 1, two = 2 }
}

variable "v1" {
  type    = object({ name = string, port = optional(number, 80) })
  default = { name = "n" }
}

resource "terraform_data" "app_new" {
  input = <<-EOT
    some text
      more
  EOT

}

output "o0" {
  value = var.v1
}

output "o1" {
  value = var.v0
}

moved {
  from = terraform_data.app
  to   = terraform_data.app_new
}
END
terraform plan
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform state list
terraform destroy -auto-approve
