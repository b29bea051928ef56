terraform validate
terraform plan
sed -i '/"d" { for/d; /"a" { value/d; /"c" { value/d; /"f" { value/d' main.tf
terraform plan
terraform apply -auto-approve
terraform output
terraform output b
terraform output -json
terraform output -raw b
terraform show
terraform state show terraform_data.b
sed -i 's/s3cret/other/' main.tf; terraform plan
terraform apply -auto-approve
echo 'var.p' | terraform console
echo '[var.p, 1]' | terraform console
echo 'upper(var.p)' | terraform console
echo 'nonsensitive(var.p)' | terraform console
echo 'var.o' | terraform console
echo '{ for k, v in var.o : k => v }' | terraform console
