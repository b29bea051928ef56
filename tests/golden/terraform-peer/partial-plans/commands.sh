terraform plan -var v=abc
terraform apply -auto-approve -var v=abc
terraform plan -var n=abc -var v=1
terraform plan -var v=2
terraform apply -auto-approve -var v=2
terraform plan -var v=abc
terraform plan -var v=abc -out x.plan
terraform apply x.plan
