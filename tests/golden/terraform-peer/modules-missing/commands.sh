terraform apply -auto-approve
echo 'module "m" { source = "./m" }' > n.tf
terraform state list
terraform state show terraform_data.a
terraform state pull | grep -c serial
terraform state mv terraform_data.a terraform_data.b
terraform state rm terraform_data.zz
terraform state push terraform.tfstate
terraform state replace-provider a b
terraform taint terraform_data.a
terraform untaint terraform_data.a
terraform show
terraform output
terraform console < /dev/null
terraform graph
terraform providers
terraform modules
terraform import terraform_data.a x
terraform workspace list
terraform workspace new q
terraform force-unlock x
terraform refresh
terraform validate
terraform get
terraform providers lock
terraform test
