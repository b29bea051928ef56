terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = string
  default = "v1"
}

variable "v1" {
  type    = string
  default = "v1"
}

locals {
  l0 = format("%s-%d", "x", 22)
  l1 = "changed 7"
}

resource "terraform_data" "app" {
  count = 3
  input = count.index
  lifecycle {
    ignore_changes = [input]
  }
}

output "o0" {
  value = var.v1
  sensitive = true
}

output "o1" {
  value = local.l1
}

output "o2" {
  value = "new 5"
}

END
terraform plan
terraform plan -target=terraform_data.app
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output
terraform plan -destroy
