cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
END
terraform init > /dev/null
printf '' > terraform.tfstate
terraform output
terraform show
terraform refresh
terraform taint terraform_data.a
terraform state pull
terraform state show terraform_data.a
terraform state mv terraform_data.a terraform_data.b
printf '\n' > terraform.tfstate
terraform plan
printf 'tfstate\x00\x01' > terraform.tfstate
terraform plan
rm terraform.tfstate
terraform refresh
terraform show
terraform output
terraform output -json
terraform output -raw x
terraform output x
terraform apply -refresh-only -auto-approve
terraform apply -auto-approve > /dev/null
terraform apply -refresh-only -auto-approve
terraform apply -refresh-only
terraform plan -refresh-only
terraform refresh
cat > main.tf <<'END'
output "x" {
  value = 2
}
END
terraform plan -refresh-only
terraform refresh
terraform output x
terraform output y
terraform output -json x
terraform apply -refresh-only -auto-approve
