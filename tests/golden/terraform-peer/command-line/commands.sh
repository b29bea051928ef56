echo 'variable "a" { default = "x" }' > main.tf
echo 'output "o" { value = var.a }' > o.tf
terraform -foo plan
terraform -foo
terraform -foo -help
terraform -help -foo plan
terraform -no-color plan
terraform plan -version
terraform plan -v
terraform plan -v -json
terraform -v plan -json
terraform -v foo
terraform -foo -v
terraform foo -v
terraform foo -help
terraform -help foo
terraform -help state list
terraform -help state
terraform state -help
terraform state foo
terraform state foo -help
terraform state -help foo
terraform state -foo
terraform state -foo list
terraform state list -foo
terraform "state list"
terraform ""
terraform "" plan
terraform plan --
terraform -- plan
terraform plan -- -help
terraform plan -- -v
terraform -chdir=. -chdir=m plan
terraform -chdir
terraform -chdir=
terraform -chdir . plan
terraform -help -chdir=. plan
terraform -chdir=. -help plan
terraform -chdir=nono version
terraform -chdir=main.tf version
terraform plan -chdir=.
terraform workspace
terraform workspace foo
terraform workspace show -foo
terraform workspace show x
terraform version -foo
terraform version x
terraform version -json=false
terraform version -json x
terraform providers
terraform providers foo
terraform providers schema
terraform metadata
terraform metadata functions
terraform metadata functions x
terraform env
terraform env list
terraform internal-plugin
terraform plan -no-color=false
terraform plan -no-color=maybe
terraform plan -no-color x
terraform plan x -no-color
TF_CLI_ARGS='-var a=)' terraform plan -no-color
TF_CLI_ARGS='-var a=(' terraform plan -no-color
TF_CLI_ARGS='-var a=$(ls)' terraform plan -no-color
TF_CLI_ARGS='-var "a=(b)"' terraform plan -no-color
TF_CLI_ARGS='-var a=b\tc' terraform plan -no-color
TF_CLI_ARGS='-var a=b\nc' terraform plan -no-color
TF_CLI_ARGS='-var a=\' terraform plan -no-color
TF_CLI_ARGS='-var a=1>f' terraform plan -no-color
TF_CLI_ARGS='-var 1>f' terraform plan -no-color
TF_CLI_ARGS='-var "a="' terraform plan -no-color
TF_CLI_ARGS='-var ""' terraform plan -no-color
TF_CLI_ARGS="-var 'a=\\q'" terraform plan -no-color
TF_CLI_ARGS='-var a="b"c"d e"' terraform plan -no-color
TF_CLI_ARGS='"' terraform version
TF_CLI_ARGS='"' terraform
TF_CLI_ARGS='"' terraform foo
TF_CLI_ARGS='-foo' terraform
TF_CLI_ARGS='-foo' terraform -help
TF_CLI_ARGS='x' terraform -help plan
TF_CLI_ARGS='x' terraform state foo
rm -rf ./* .terraform
terraform env
terraform env list
terraform env new a
terraform env select default
terraform env delete a
terraform env -help
terraform env list -help
terraform env show
terraform env new
terraform workspace show -foo
terraform providers schema
terraform providers schema -foo
terraform providers schema x
terraform metadata functions
terraform metadata functions -foo
