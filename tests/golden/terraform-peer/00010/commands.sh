terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = any
  default = { k = [1, "2"] }
}

locals {
  l0 = "line one\nline two\n"
  l1 = toset(["q", "r", "0"])
}

resource "terraform_data" "app" {
  input = local.l1
  triggers_replace = 1.50
}

resource "terraform_data" "db" {
  input = try(var.v0, [merge({ x = null }, { y = "quo\"te" }), terraform_data.app.output])
}

output "o0" {
  value = terraform_data.app.input
}

output "o1" {
  value = terraform_data.app.output
}

output "o2" {
  value = "new 7"
}

END
terraform plan
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform state list
terraform plan -destroy
