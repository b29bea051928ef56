terraform validate foo
terraform validate -json foo
terraform validate . 
terraform validate foo bar
terraform validate -foo
terraform version foo
terraform providers foo
terraform providers lock x
terraform providers lock x y
terraform providers lock -foo
terraform providers lock -platform=x
terraform providers mirror
terraform providers mirror x y
terraform providers schema
terraform output a b
terraform show a b
terraform get a b
terraform init a b
terraform plan foo
terraform apply foo bar
terraform refresh foo
terraform fmt foo bar
terraform workspace list foo
terraform workspace show foo
terraform workspace new
terraform workspace new a b c
terraform workspace select
terraform workspace select a b
terraform workspace delete
terraform workspace delete a b
terraform workspace foo
terraform state list foo
terraform state mv a
terraform state rm
terraform state show
terraform state show a b
terraform state pull x
terraform state push
terraform state push a b
terraform state foo
terraform state replace-provider a
terraform taint
terraform taint a b
terraform untaint
terraform import a
terraform import a b c
terraform force-unlock
terraform force-unlock a b
terraform console foo
terraform metadata functions
terraform test foo
terraform modules foo
terraform modules
terraform modules -json
terraform logout
terraform query
terraform rpcapi
