cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
resource "terraform_data" "b" {
  input = 2
}
resource "terraform_data" "c" {
  input = terraform_data.a.output
}
output "a" {
  value = terraform_data.a.output
}
output "b" {
  value = terraform_data.b.output
}
output "c" {
  value = terraform_data.c.output
}
output "k" {
  value = "const"
}
END
terraform init > /dev/null
terraform apply -auto-approve > /dev/null
terraform plan -destroy -target=terraform_data.a
terraform plan -destroy -target=terraform_data.b
terraform plan -destroy -target=terraform_data.c
terraform plan -destroy -target=terraform_data.c -target=terraform_data.b
terraform plan -target=terraform_data.a
terraform plan -target=terraform_data.c -replace=terraform_data.a
terraform plan -replace=terraform_data.b
terraform plan -replace=terraform_data.a -target=terraform_data.b
terraform plan -refresh-only -target=terraform_data.b
terraform apply -auto-approve -destroy -target=terraform_data.b
terraform plan
terraform plan -target=terraform_data.b
terraform apply -auto-approve -target=terraform_data.b
terraform destroy -auto-approve -target=terraform_data.a
terraform output
terraform destroy -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
output "a" {
  value = terraform_data.a.output
}
output "b" {
  value = file("nono")
}
output "k" {
  value = "const"
}
END
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
resource "terraform_data" "b" {
  input = file(terraform_data.a.id)
}
resource "terraform_data" "d" {
  input = file("nono${terraform_data.a.input}")
}
output "a" {
  value = terraform_data.a.output
}
output "k" {
  value = "const"
}
output "d" {
  value = terraform_data.d.id
}
output "e" {
  value = file("nono")
}
END
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
removed {
  from = terraform_data.a
  lifecycle {
    destroy = false
  }
}
END
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
END
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
removed {
  from = terraform_data.a
  lifecycle {
    destroy = false
  }
}
END
terraform plan
terraform validate
cat > main.tf <<'END'
removed {
  from = terraform_data.a
  lifecycle {
    destroy = false
  }
}
removed {
  from = terraform_data.a
}
moved {
  from = terraform_data.a
  to = terraform_data.b
}
END
terraform plan
terraform validate
rm -rf ./* .terraform
cat > main.tf <<'END'
variable "names" {
  type    = set(string)
  default = ["a", "b"]
}
variable "n" {
  default = 1
}
module "m" {
  source   = "./m"
  for_each = var.names
  n        = var.n
}
output "ids" {
  value = { for k, m in module.m : k => m.names }
}
END
mkdir -p m/inner
cat > m/main.tf <<'END'
variable "n" {}
resource "terraform_data" "x" {
  count            = var.n
}
module "inner" {
  source = "./inner"
  ids    = terraform_data.x[*].id
}
output "names" {
  value = module.inner.count
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
terraform init > /dev/null
terraform apply -auto-approve > /dev/null
terraform plan -target='module.m["c"].module.inner' -var n=2 -var 'names=["b","c"]'
terraform plan -target=module.m.terraform_data.x -var n=2 -var 'names=["b","c"]'
terraform plan -target=module.m -var n=2 -var 'names=["b","c"]'
terraform plan -target='module.m["b"].terraform_data.x[0]' -var n=2
terraform plan -target='module.m["b"].terraform_data.x[1]' -var n=2
terraform plan -target='module.m["b"].terraform_data.x' -var n=2
terraform plan -destroy -target='module.m["b"].terraform_data.x'
terraform plan -destroy -target='module.m["b"]'
terraform plan -destroy -target=module.m.module.inner
