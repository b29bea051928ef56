terraform plan -var n=abc -var 'm={a="x"}'
terraform plan -var n=abc -var 'm={'
terraform plan -var n=abc -var 'm=foo'
terraform apply -auto-approve -var n=abc -var 'm=[]'
terraform refresh -var n=abc -var 'm=[]'
terraform plan -refresh-only -var n=abc -var 'm=[]'
echo 'var.n' | terraform console -var n=abc -var 'm=[]'
terraform import -var n=abc terraform_data.a b
TF_VAR_n=x terraform plan -var 'm={}'
echo 'n = "x"' > terraform.tfvars; terraform plan -var 'm={}'
terraform plan
terraform plan -input=false
