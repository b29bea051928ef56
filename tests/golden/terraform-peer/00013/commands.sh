terraform init > /dev/null
terraform plan
terraform apply -auto-approve
terraform show
cat > main.tf <<'END'
variable "v0" {
  type    = object({ name = string, port = optional(number, 80) })
  default = { name = "n" }
}

locals {
  l0 = "line one\nline two\n"
  l1 = { first = { for k in ["k1", "k2"] : k => "line one\nline two\n" }, second = "beta" }
}

resource "terraform_data" "app" {
  for_each = { "a" = 0 }
  input = true
  triggers_replace = toset(["q", "r", "0"])
}

resource "terraform_data" "db" {
  input = 1.50
  triggers_replace = 1.50
}

resource "terraform_data" "cache" {
}

resource "terraform_data" "queue" {
  input = terraform_data.db.output
}

END
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform graph
terraform destroy -auto-approve
