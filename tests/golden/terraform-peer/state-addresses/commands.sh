terraform apply -auto-approve
terraform state mv nope also_nope
terraform state mv 'a.b[' 'c.d['
terraform state mv terraform_data.a 'c.d['
terraform state mv 'c.d[' terraform_data.a
terraform state mv a b
terraform state mv terraform_data.a terraform_data.b
terraform state mv terraform_data.a 'terraform_data.b[0]'
terraform state mv terraform_data.a 'terraform_data.b[7]'
terraform state mv terraform_data.zz 'terraform_data.b[0]'
terraform state mv terraform_data.zz module.x
terraform state mv terraform_data.b module.x
terraform state mv module.x terraform_data.b
terraform state mv terraform_data.b other.b
terraform state mv terraform_data.b data.terraform_data.b
terraform state mv 'terraform_data.b[7]' terraform_data.b
terraform state mv -dry-run terraform_data.b terraform_data.bb
terraform state mv terraform_data.e terraform_data.a
terraform state mv 'terraform_data.e["x"]' 'terraform_data.e["z"]'
terraform state mv 'terraform_data.e["q"]' 'terraform_data.e["z"]'
terraform state list 'x["'
terraform state list 'x['
terraform state list 'x[1'
terraform state list 'terraform_data.m["x'
terraform state list 'terraform_data'
terraform state list 'terraform_data.b[0]' nope.x
terraform state list module.q
terraform state list -id=foo
terraform state list 1a
terraform state list ''
terraform state show terraform_data.b
terraform state show 'terraform_data.b['
terraform state show nope
terraform state rm nope
terraform state rm terraform_data.nope
terraform state rm 'terraform_data.b[7]'
terraform state rm -dry-run terraform_data.b
terraform state rm terraform_data.b terraform_data.nope
terraform state rm 'terraform_data.b["'
