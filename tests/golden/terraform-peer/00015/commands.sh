terraform init > /dev/null
terraform validate
terraform plan
terraform apply -auto-approve
cat terraform.tfstate
cat > main.tf <<'END'
variable "v0" {
  type    = map(number)
  default = { one = 1, two = 2 }
}

locals {
  l0 = length([[for i in range(0) : i * 2], length([57, "ü"])])
  l1 = true
}

resource "terraform_data" "app" {
  input = merge({ x = <<-EOT
    some text
      more
  EOT
 }, { y = local.l1 })
  lifecycle {
    create_before_destroy = true
    ignore_changes = [input]
  }
}

resource "terraform_data" "late" {
  input = { for k in ["k1", "k2"] : k => { name = "ü", id = 79, "with space" = 1 } }
  depends_on = [terraform_data.app]
  lifecycle {
    replace_triggered_by = [terraform_data.app]
  }
}

module "net" {
  source = "./net"
  size   = 1
}

output "o0" {
  value = var.v0
  sensitive = true
}

output "o1" {
  value = terraform_data.app.id
  sensitive = true
}

output "o2" {
  value = terraform_data.app.input
}

END
terraform plan
terraform plan -target=terraform_data.app
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform graph
terraform destroy -auto-approve
