cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
resource "terraform_data" "n" {
  count = 2
  input = count.index
}
resource "terraform_data" "m" {
  for_each = toset(["x", "y"])
  input    = each.key
}
END
terraform init > /dev/null
terraform apply -auto-approve > /dev/null
terraform state list terraform_data.zz
terraform state list a
terraform state list 'terraform_data.n[0]'
terraform state list 'terraform_data.n[9]'
terraform state list module.x
terraform state list 'terraform_data.m["x'
terraform state list '1'
terraform state list terraform_data.a terraform_data.n
terraform state list -id=nope
terraform state show terraform_data.zz
terraform state show terraform_data.n
terraform state show a
terraform state show module.x
terraform state show 'terraform_data.m["x"]' > /dev/null
terraform state mv terraform_data.a terraform_data.n
terraform state mv terraform_data.a other.b
terraform state mv terraform_data.zz terraform_data.b
terraform state mv terraform_data.a a
terraform state mv a b
terraform state mv terraform_data.a module.x
terraform state mv module.x terraform_data.a
terraform state mv terraform_data.n terraform_data.m
terraform state mv 'terraform_data.n[0]' terraform_data.b
terraform state mv terraform_data.n 'terraform_data.q[0]'
terraform state mv -dry-run terraform_data.a terraform_data.b
terraform state mv terraform_data.a 'terraform_data.c["k"]'
terraform state mv terraform_data.a
terraform state rm
terraform state rm terraform_data.zz
terraform state rm a
terraform state rm -dry-run terraform_data.m
terraform state rm -dry-run terraform_data.zz
terraform state rm 'terraform_data.m["x"]' terraform_data.b
terraform state rm data.a.b
terraform state push nofile
terraform state push main.tf
terraform state push
terraform state pull > s.json
terraform state push s.json
sed 's/"serial": [0-9]*/"serial": 1/' s.json > old.json
terraform state push old.json
sed 's/"lineage": "[^"]*"/"lineage": "other"/' s.json > other.json
terraform state push other.json
terraform state replace-provider a
terraform state replace-provider a b
terraform state replace-provider -auto-approve hashicorp/null hashicorp/x
terraform state replace-provider -auto-approve 'a/b/c/d/e' x
terraform taint terraform_data.zz
terraform taint 'terraform_data.n'
terraform taint data.a.b
terraform taint -allow-missing terraform_data.zz
terraform untaint 'terraform_data.n[1]'
terraform untaint terraform_data.zz
terraform untaint -allow-missing terraform_data.zz
terraform taint 'terraform_data.n[1]'
terraform untaint 'terraform_data.n[1]'
terraform taint module.a
terraform taint a.b.c
terraform import terraform_data.a x
terraform import terraform_data.q x
terraform import data.a.b x
terraform import module.a x
terraform import a.b.c x
terraform import 'a[' x
terraform import terraform_data.a
terraform plan -target=terraform_data.zz
terraform apply -target=terraform_data.zz -auto-approve
terraform destroy -target=terraform_data.zz -auto-approve
terraform apply -replace=terraform_data.zz -auto-approve
terraform plan -replace=terraform_data.n
terraform plan -replace='terraform_data.n[7]'
