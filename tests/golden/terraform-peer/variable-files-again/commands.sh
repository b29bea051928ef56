terraform plan
terraform plan -var-file y.tfvars
terraform plan -var-file nope.tfvars
TF_VAR_a=env terraform plan
TF_VAR_c='["e"]' terraform plan -var a=1
terraform plan -var 'c=["q", 1]' -var b=x
terraform plan -var c=x
terraform plan -var a
terraform plan -var =x
terraform plan -var 'a = 5'
terraform plan -var nope=1
echo 'a = upper("x")' > terraform.tfvars; terraform plan
echo 'a = var.b' > terraform.tfvars; terraform plan
echo 'a = ' > terraform.tfvars; terraform plan
echo 'a "x" {}' > terraform.tfvars; terraform plan
echo '{"a": "json", "b": "5", "c": [1]}' > terraform.tfvars.json; rm terraform.tfvars x.auto.tfvars; terraform plan
echo '{"a": ' > terraform.tfvars.json; terraform plan
echo '[]' > terraform.tfvars.json; terraform plan
rm terraform.tfvars.json; terraform plan -input=false
terraform plan < /dev/null
echo foo | terraform plan
