terraform init > /dev/null
terraform plan
terraform apply -auto-approve
terraform show
cat > main.tf <<'END'
resource "terraform_data" "app" {
}

END
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output -json
terraform destroy -auto-approve
