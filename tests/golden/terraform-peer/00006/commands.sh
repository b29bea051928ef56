terraform init > /dev/null
terraform validate
terraform plan
terraform apply -auto-approve
cat terraform.tfstate
cat > main.tf <<'END'
locals {
  l0 = [for i in range(2) : i * 2]
}

resource "terraform_data" "app" {
  input = local.l0
  triggers_replace = [for i in range(1) : i * 2]
}

module "net" {
  source = "./net"
  size   = 2
}

output "o0" {
  value = terraform_data.app.input
}

output "o1" {
  value = module.net.ids
}

output "o2" {
  value = "new 1"
}

END
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform state list
terraform plan -destroy
