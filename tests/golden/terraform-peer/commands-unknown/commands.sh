terraform nope
terraform plna
terraform state
terraform state lst
terraform workspace
terraform workspace lst
terraform providers nope
terraform -help nope
terraform plan nope -help | head -3
terraform state -help | head -3
terraform state list -help | head -3
terraform --help | head -3
terraform -h | head -3
terraform -foo | head -3
terraform -version -json
terraform version -foo
terraform help | head -4
terraform help plan | head -4
terraform fmt -foo
terraform fmt nofile
terraform show -foo
terraform show nofile
terraform output -foo
terraform output x
terraform output x y
terraform output -raw
terraform output -raw -json x
terraform validate -foo
terraform validate x y
terraform console -foo
terraform graph -foo
terraform get -foo
terraform init -foo
terraform init x
terraform import
terraform import a
terraform import a.b c
terraform taint
terraform taint a
terraform untaint a
terraform force-unlock
terraform force-unlock x
terraform modules -json
terraform metadata
terraform metadata nope
terraform -chdir
terraform -chdir= plan
terraform -chdir=nodir plan
terraform plan -chdir=x
