terraform apply -auto-approve
sed -i 's/"input": null/"nope": 1/' terraform.tfstate
terraform show
terraform show -json
terraform state show terraform_data.a
terraform state list
terraform plan
terraform state pull > x.json
terraform output
