cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
END
terraform init > /dev/null
terraform plan -lock-timeout=abc
terraform plan -lock-timeout=5
terraform plan -lock-timeout=-3s > /dev/null
terraform plan -parallelism=x
terraform plan -parallelism=0
terraform plan -parallelism=-1
terraform plan -parallelism=99999999999999999999
terraform apply -parallelism=
terraform plan -foo
terraform plan -input=maybe
terraform plan -target
terraform plan -target=
terraform plan -target=a
terraform plan -target=a.b.c
terraform plan -target='a.b["x"'
terraform plan -target='a.b[x]'
terraform plan -target=data.a
terraform plan -target=module
terraform plan -target=module.
terraform plan -target='module.a["k"].b'
terraform plan -target=1.b
terraform plan -target=terraform_data.a.
terraform plan -target=var.x
terraform plan -target=local.x
terraform plan -target=output.x
terraform plan -target=each.key
terraform plan -target=terraform_data.zz
terraform plan -target='terraform_data.a[0]'
terraform plan -target='terraform_data.*'
terraform plan -target='terraform_data.a[*]'
terraform plan -target='terraform_data.a b'
terraform plan -replace=terraform_data.zz
terraform plan -replace=module.x
terraform plan -replace=data.x.y
terraform plan -replace=a
terraform plan -replace=a.b.c
terraform plan -replace='terraform_data.a["k"]'
terraform plan -replace=terraform_data.a -destroy
terraform plan -replace=terraform_data.a -refresh-only
terraform plan -refresh=false -refresh-only
terraform plan -destroy -refresh-only
terraform plan -out=
terraform plan -out=no/such/x
terraform plan a b
terraform apply a b
terraform apply nofile
terraform apply main.tf
terraform destroy nofile
terraform plan -json -foo
terraform plan -state=nofile > /dev/null
terraform plan -var
terraform plan -var=a
terraform plan -var=a=1
terraform plan -var='a =1'
terraform plan -var-file=none
terraform plan -var-file=
