terraform apply -auto-approve
sed -i 's/"a"/"b"/' main.tf; printf 'moved {\n  from = terraform_data.a\n  to = terraform_data.b\n}\n' > mv.tf
terraform plan -refresh-only
terraform plan -refresh-only -json
terraform plan
sed -i 's/= 1 }$/= 2 }/' main.tf; terraform plan -refresh-only
terraform apply -refresh-only -auto-approve
terraform plan -refresh-only
terraform state list
