terraform validate
sed -i '/"o"/d; /"p"/d; /"terraform_data" "a"/,/^}/d' main.tf
terraform validate
terraform plan
terraform apply -auto-approve
terraform apply -auto-approve -replace terraform_data.b -var e=zz
