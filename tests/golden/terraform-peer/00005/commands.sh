terraform init > /dev/null
terraform plan
terraform apply -auto-approve
terraform show
cat > main.tf <<'END'
variable "v0" {
  type    = string
  default = "v1"
}

locals {
  l0 = jsonencode(var.v0)
}

resource "terraform_data" "app" {
  input = merge({ x = toset(["q", "r", "0"]) }, { y = "alpha" })
  lifecycle {
    create_before_destroy = true
    ignore_changes = [input]
  }
}

resource "terraform_data" "db" {
  for_each = toset(["b", "two words", "x-1"])
  input = "ga mma"
}

resource "terraform_data" "cache" {
  input = [for i in range(3) : i * 2]
}

resource "terraform_data" "queue" {
  input = var.v0
  triggers_replace = [1.50, "ü"]
  lifecycle {
    prevent_destroy = true
  }
}

output "o0" {
  value = terraform_data.app.id
  sensitive = true
}

END
terraform plan
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform graph
terraform apply -auto-approve -json
terraform destroy -auto-approve
