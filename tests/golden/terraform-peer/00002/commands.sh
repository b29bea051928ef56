terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = string
  default = "v1"
}

locals {
  l0 = null
}

resource "terraform_data" "app" {
  for_each = { "a" = 0, "two words" = 1, "x-1" = 2 }
  input = each.value
  triggers_replace = { for k in ["k1", "k2"] : k => "quo\"te" }
}

resource "terraform_data" "db" {
  input = try({ for k in ["k1", "k2"] : k => length([93, "line one\nline two\n"]) }, true)
}

output "o0" {
  value = terraform_data.db.output
}

output "o1" {
  value = "new 1"
}

END
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform state list
terraform destroy -auto-approve
