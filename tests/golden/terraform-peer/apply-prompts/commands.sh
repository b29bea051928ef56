terraform init > /dev/null
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
output "o" {
  value = terraform_data.a.output
}
END
terraform apply -auto-approve
terraform apply -refresh-only
terraform apply -refresh-only -auto-approve
terraform plan -refresh-only
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 2
}
output "o" {
  value = terraform_data.a.output
}
output "p" {
  value = 5
}
END
terraform plan -refresh-only
terraform plan -refresh-only -detailed-exitcode
terraform apply -refresh-only
terraform apply -refresh-only -auto-approve
terraform plan
terraform apply
echo yes | terraform apply
echo no | terraform apply
terraform apply -input=false
terraform destroy
echo yes | terraform destroy
terraform plan -out=x.plan > /dev/null
terraform apply x.plan
terraform apply x.plan
terraform apply -destroy -auto-approve
terraform show x.plan
terraform apply -var a=1 x.plan
terraform plan -refresh-only -out=y.plan
terraform apply y.plan
