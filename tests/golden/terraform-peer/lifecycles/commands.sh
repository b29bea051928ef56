terraform apply -auto-approve
terraform plan -var v=2
sed -i '/prevent_destroy/d' main.tf; terraform plan -var v=2
terraform apply -auto-approve -var v=2
sed -i 's/\[input\]/all/' main.tf; terraform plan
terraform destroy -auto-approve
