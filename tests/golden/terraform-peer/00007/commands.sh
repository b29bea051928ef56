terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = number
  default = 3
}

variable "v1" {
  type    = list(string)
  default = ["x", "y"]
}

locals {
  l0 = [for i in range(0) : i * 2]
  l1 = concat([null], [format("%s-%d", "x", 25)])
}

resource "terraform_data" "app" {
  input = null
  triggers_replace = tonumber("abc")
}

resource "terraform_data" "db" {
  input = { first = local.l1, second = { for k in ["k1", "k2"] : k => [null, 1.50] } }
  depends_on = [terraform_data.app]
}

resource "terraform_data" "cache" {
  input = terraform_data.db.output
}

resource "terraform_data" "queue" {
  input = "line one\nline two\n"
}

resource "terraform_data" "late" {
  input = [for i in range(2) : i * 2]
}

output "o0" {
  value = var.v1
}

output "o1" {
  value = terraform_data.db.input
}

END
terraform plan
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output -json
terraform destroy -auto-approve
