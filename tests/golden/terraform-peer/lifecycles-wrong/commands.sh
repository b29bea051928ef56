terraform validate
terraform plan
