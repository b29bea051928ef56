terraform validate
terraform plan
terraform apply -auto-approve
terraform plan
