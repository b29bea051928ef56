terraform apply -auto-approve
terraform output
terraform output -json
terraform output o
terraform plan
terraform apply -refresh-only -auto-approve
terraform output
terraform plan -refresh-only -out x.plan
terraform apply x.plan
terraform output
grep -A3 '"o"' terraform.tfstate
terraform refresh
terraform destroy -auto-approve
terraform plan -refresh-only -out=y.plan
terraform apply y.plan
terraform output
