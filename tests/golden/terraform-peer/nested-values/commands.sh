terraform plan
terraform apply -auto-approve
terraform plan -var n=2
terraform apply -auto-approve -var n=2
terraform output
terraform output -json o
terraform show
terraform state show terraform_data.a
terraform show -json > /dev/null
terraform plan -var n=3 -json
terraform destroy -auto-approve
