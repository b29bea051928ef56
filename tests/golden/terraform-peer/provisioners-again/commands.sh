terraform apply -auto-approve
terraform apply -auto-approve -replace terraform_data.a
sed -i 's/\$FOO/; exit 3/' main.tf; terraform apply -auto-approve -replace terraform_data.a
terraform plan
terraform state list
sed -i 's/; exit 3/; exit 4/; s/environment/on_failure = continue\n    environment/' main.tf; terraform apply -auto-approve
terraform destroy -auto-approve
