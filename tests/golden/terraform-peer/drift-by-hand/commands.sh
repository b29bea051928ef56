terraform apply -auto-approve
sed -i 's/"value": "x"/"value": "hand"/' terraform.tfstate
terraform plan
terraform apply -auto-approve
terraform plan -refresh-only
