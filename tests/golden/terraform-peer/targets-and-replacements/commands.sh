terraform plan -target terraform_data.b
terraform plan -target terraform_data.nope
terraform plan -target terraform_data.c[1]
terraform plan -target 'terraform_data.c["x"]'
terraform plan -target foo
terraform plan -target module.nope
terraform plan -target 'terraform_data.c['
terraform plan -target ''
terraform plan -target data.terraform_data.x
terraform plan -target var.x
terraform apply -auto-approve -target terraform_data.a
terraform apply -auto-approve
terraform destroy -auto-approve -target terraform_data.a
terraform apply -auto-approve
terraform plan -destroy -target terraform_data.c[0]
terraform apply -auto-approve -replace terraform_data.a
terraform plan -replace terraform_data.c
terraform plan -replace terraform_data.c[0] -replace terraform_data.c[1]
terraform plan -replace terraform_data.nope
terraform plan -replace module.x
terraform plan -replace data.terraform_data.x
terraform plan -replace 'terraform_data.c[9]'
terraform plan -replace foo
terraform plan -replace terraform_data.a -destroy
terraform plan -replace terraform_data.a -refresh-only
terraform plan -target terraform_data.a -refresh-only
terraform plan -refresh=false
terraform plan -refresh-only -refresh=false
terraform plan -destroy -refresh-only
terraform refresh
terraform refresh -target terraform_data.a
