terraform init
terraform validate
terraform apply -auto-approve
terraform plan
terraform apply -auto-approve
terraform plan -out x.plan
terraform apply x.plan
terraform destroy -auto-approve
