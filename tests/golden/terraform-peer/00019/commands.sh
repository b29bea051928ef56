terraform init > /dev/null
terraform validate
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "app" {
  input = 96
}

module "net" {
  source = "./net"
  for_each = toset(["m", "n"])
  size   = 1
}

output "o0" {
  value = terraform_data.app.id
}

output "o1" {
  value = { for k, m in module.net : k => m.ids }
}

END
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform graph
terraform apply -auto-approve -json
terraform destroy -auto-approve
