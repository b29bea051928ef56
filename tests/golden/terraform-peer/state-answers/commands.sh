terraform apply -auto-approve
terraform state show -json terraform_data.a
terraform state show -json terraform_data.zz
terraform state pull | terraform state push -
echo '{' | terraform state push -
cat /dev/null | terraform state push -
echo yes | terraform state replace-provider terraform.io/builtin/terraform hashicorp/x
terraform state replace-provider hashicorp/x terraform.io/builtin/terraform < /dev/null
echo no | terraform state replace-provider hashicorp/x terraform.io/builtin/terraform
terraform state replace-provider -auto-approve hashicorp/x terraform.io/builtin/terraform
echo 'terraform_data.a.output' | terraform console
sed -i 's/= 1/= 2/' main.tf; echo 'terraform_data.a.output' | terraform console -plan
echo 'terraform_data.a.input' | terraform console -plan
echo 'terraform_data.a.input' | terraform console
