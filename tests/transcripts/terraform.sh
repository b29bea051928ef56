# Terraform with the resource type it brings along: plan, apply, change, replace, destroy.
# cluster: kind
cat > main.tf <<'END'
variable "greeting" {
  default = "hello"
}
variable "rev" {
  default = "a"
}
locals {
  names = ["ada", "grace"]
}
resource "terraform_data" "one" {
  input            = var.greeting
  triggers_replace = var.rev
}
resource "terraform_data" "many" {
  for_each = toset(local.names)
  input    = "${each.key} says ${terraform_data.one.output}"
}
output "all" {
  value = { for name, one in terraform_data.many : name => one.output }
}
END
terraform init -no-color | tail -3
terraform validate -no-color
terraform plan -no-color
terraform apply -no-color -auto-approve
terraform plan -no-color -detailed-exitcode; echo $?
terraform apply -no-color -auto-approve -var greeting=bye
terraform plan -no-color -var greeting=bye -var rev=b
terraform state list
terraform output -json all
sed -i 's/var.greeting/var.greting/' main.tf
terraform validate -no-color; echo $?
sed -i 's/var.greting/var.greeting/; s/"ada", //' main.tf
terraform plan -no-color -var greeting=bye
echo no | terraform destroy -no-color; echo $?
terraform destroy -no-color -auto-approve
terraform show
