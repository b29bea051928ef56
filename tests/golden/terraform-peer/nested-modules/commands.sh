cat > main.tf <<'END'
variable "names" {
  type    = set(string)
  default = ["a", "b"]
}
variable "n" {
  default = 2
}
variable "secret" {
  default   = "s3"
  sensitive = true
}
module "m" {
  source   = "./m"
  for_each = var.names
  name     = each.key
  secret   = var.secret
  n        = var.n
}
resource "terraform_data" "c" {
  count = var.n
  input = { i = count.index, s = var.secret }
}
output "ids" {
  value = { for k, m in module.m : k => m.names }
}
output "secret" {
  value     = module.m["a"].secret
  sensitive = true
}
output "first" {
  value = one([for d in terraform_data.c : d.id if d.input.i == 0])
  sensitive = true
}
check "n" {
  assert {
    condition     = var.n < 3
    error_message = "n is ${var.n}"
  }
}
END
mkdir -p m/inner
cat > m/main.tf <<'END'
variable "name" {}
variable "secret" {}
variable "n" {}
resource "terraform_data" "x" {
  count            = var.n
  input            = "${var.name}-${count.index}"
  triggers_replace = [var.secret]
}
module "inner" {
  source = "./inner"
  ids    = terraform_data.x[*].id
}
output "names" {
  value = module.inner.count
}
output "secret" {
  value = "x${var.secret}"
}
END
cat > m/inner/main.tf <<'END'
variable "ids" {
  type = list(string)
}
resource "terraform_data" "y" {
  input = var.ids
}
output "count" {
  value = length(var.ids)
}
END
terraform init
terraform validate
terraform plan
terraform apply -auto-approve
terraform state list
terraform state list module.m
terraform state list 'module.m["a"]'
terraform state list module.m.terraform_data.x
terraform state show 'module.m["a"].terraform_data.x[0]'
terraform state show 'module.m["a"].module.inner.terraform_data.y'
terraform state show 'module.m["a"].terraform_data.x'
terraform show
terraform output
terraform output -json
terraform output secret
terraform output -raw secret
terraform output -raw ids
terraform output -json ids
terraform output nono
terraform plan -var n=3
terraform apply -auto-approve -var n=3
terraform plan -var n=1
terraform apply -auto-approve -var n=1
terraform plan -var 'names=["a"]' -var n=1
terraform apply -auto-approve -var 'names=["b","c"]' -var n=1
terraform plan -replace='module.m["b"].terraform_data.x[0]' -var n=1 -var 'names=["b","c"]'
terraform plan -target='module.m["c"].module.inner' -var n=2 -var 'names=["b","c"]'
terraform plan -target=module.m.terraform_data.x -var n=2 -var 'names=["b","c"]'
terraform state mv 'module.m["b"]' 'module.m["z"]'
terraform state mv 'terraform_data.c[0]' 'terraform_data.d'
terraform state mv terraform_data.c terraform_data.e
terraform state mv 'module.m["q"]' 'module.m["w"]'
terraform state mv module.m module.k
terraform state list
terraform plan -var n=1 -var 'names=["b","c"]'
terraform state rm 'module.k["z"]'
terraform state rm 'module.k["c"].terraform_data.x' terraform_data.d
terraform state list
terraform destroy -auto-approve -var n=1
