cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
output "x" {
  value = 1
}
END
terraform init > /dev/null
printf '{"version": 4,' > terraform.tfstate
terraform plan -lock=false
terraform apply -auto-approve -lock=false
terraform destroy -auto-approve
terraform apply -auto-approve
terraform refresh -lock=false
terraform output -json
terraform output x
terraform show -json
terraform show terraform.tfstate
terraform state show terraform_data.a
terraform state mv terraform_data.a terraform_data.b
terraform state rm terraform_data.a
terraform state pull
terraform state push terraform.tfstate
terraform state replace-provider -auto-approve a b
terraform taint terraform_data.a
terraform untaint terraform_data.a
terraform import terraform_data.a x
echo 1 | terraform console
terraform graph
terraform providers
terraform force-unlock -force x
terraform workspace list
terraform workspace new w
terraform workspace select default
terraform workspace delete w
terraform workspace new -state=terraform.tfstate v
terraform plan -json
terraform validate
terraform state list -state=nofile
terraform state show -state=nofile terraform_data.a
terraform show -json
