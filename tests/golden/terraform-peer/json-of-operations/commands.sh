terraform plan -out x.plan
terraform show x.plan
terraform apply -json x.plan
terraform apply -json -auto-approve
terraform destroy -json -auto-approve
terraform validate -json
terraform output -json
terraform plan -json -detailed-exitcode
