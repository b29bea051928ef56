terraform plan
terraform apply -auto-approve
terraform plan -var n=2
terraform apply -auto-approve -var n=2
terraform plan -var n=3
terraform apply -auto-approve -var n=3
terraform apply -auto-approve -var n=4
terraform plan -var n=5
terraform plan -var n=0
terraform apply -auto-approve -var n=0
terraform destroy -auto-approve -var n=9
terraform plan -destroy
