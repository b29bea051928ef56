cat > main.tf <<'END'
variable "a" { default = "x" }
resource "terraform_data" "a" {
  input = var.a
}
output "o" { value = terraform_data.a.output }
END
TF_CLI_ARGS=-no-color terraform init
TF_CLI_ARGS="-no-color" terraform plan
TF_CLI_ARGS_plan="-no-color" terraform plan
TF_CLI_ARGS_plan="-var a=q" terraform plan -no-color
TF_CLI_ARGS_plan="-var 'a=q r'" terraform plan -no-color
TF_CLI_ARGS_plan="-var=\"a=q r\"" terraform plan -no-color
TF_CLI_ARGS_plan="-var 'a=q" terraform plan -no-color
TF_CLI_ARGS_plan="" terraform plan -no-color
TF_CLI_ARGS_plan="   " terraform plan -no-color
TF_CLI_ARGS_plan="-foo" terraform plan -no-color
TF_CLI_ARGS="plan" terraform
TF_CLI_ARGS="-foo" terraform plan -no-color
TF_CLI_ARGS="-var a=1" TF_CLI_ARGS_plan="-var a=2" terraform plan -no-color
TF_CLI_ARGS="-var a=1" TF_CLI_ARGS_plan="-var a=2" terraform plan -no-color -var a=3
TF_CLI_ARGS_apply=-auto-approve terraform apply -no-color
TF_CLI_ARGS_state_list=-id=x terraform state list
TF_CLI_ARGS_state="list" terraform state
TF_CLI_ARGS_state="-id=zz" terraform state list
TF_CLI_ARGS=-help terraform plan
TF_CLI_ARGS=-version terraform plan
TF_CLI_ARGS=-json terraform output
TF_CLI_ARGS_output="-raw o" terraform output
TF_CLI_ARGS_output="-raw" terraform output o
TF_CLI_ARGS=-json terraform version
TF_CLI_ARGS_version=-json terraform version
TF_CLI_ARGS_version=-json terraform -version
TF_CLI_ARGS=-json terraform -version
TF_CLI_ARGS="-chdir=x" terraform plan
TF_CLI_ARGS_plan="x" terraform plan -no-color
TF_CLI_ARGS='-var a=$HOME' terraform plan -no-color
TF_CLI_ARGS='-var "a=\"b"' terraform plan -no-color
TF_CLI_ARGS='-var a=`ls`' terraform plan -no-color
TF_CLI_ARGS='-var a=b | c' terraform plan -no-color
TF_CLI_ARGS='-var a=b;c' terraform plan -no-color
TF_CLI_ARGS='-var a=b\ c' terraform plan -no-color
TF_CLI_ARGS='-var a=b > f' terraform plan -no-color
TF_CLI_ARGS_plan='-no-color # x' terraform plan
TF_CLI_ARGS="-no-color" terraform foo
TF_CLI_ARGS="-no-color" terraform workspace list
TF_CLI_ARGS_workspace_list="-json" terraform workspace list
TF_CLI_ARGS_workspace="-json" terraform workspace list
TF_CLI_ARGS_fmt="-check" terraform fmt
TF_CLI_ARGS_force_unlock="-force" terraform force-unlock x
TF_CLI_ARGS_force-unlock="-force" terraform force-unlock x
env 'TF_CLI_ARGS_force-unlock=-force' terraform force-unlock x
rm -rf ./* .terraform
cat > main.tf <<'END'
variable "a" {}
resource "terraform_data" "a" {
  input = var.a
}
output "o" { value = terraform_data.a.output }
END
terraform init -no-color > /dev/null
TF_INPUT=0 terraform plan -no-color
TF_INPUT=false terraform plan -no-color
TF_INPUT=1 terraform plan -no-color
TF_INPUT=maybe terraform plan -no-color
TF_INPUT=0 terraform apply -no-color -var a=1
TF_INPUT=0 terraform plan -no-color -input=true
TF_IN_AUTOMATION=1 terraform init -no-color
TF_IN_AUTOMATION=1 terraform plan -no-color -var a=1
TF_IN_AUTOMATION=1 terraform plan -no-color -var a=1 -out=p
TF_IN_AUTOMATION= terraform plan -no-color -var a=1
TF_IN_AUTOMATION=1 terraform apply -no-color -var a=1
TF_IN_AUTOMATION=1 terraform workspace new w
terraform workspace select default
TF_IN_AUTOMATION=1 terraform workspace select w
TF_IN_AUTOMATION=1 terraform workspace delete w
terraform workspace select default
TF_IN_AUTOMATION=1 terraform destroy -no-color -var a=1
rm -rf .terraform
TF_DATA_DIR=dd terraform init -no-color
ls -a
TF_DATA_DIR=dd terraform workspace new w
cat dd/environment
ls -a dd
ls -a
TF_DATA_DIR=dd terraform workspace show
terraform workspace show
TF_WORKSPACE=w terraform workspace show
TF_WORKSPACE=q terraform workspace show
TF_WORKSPACE=q terraform plan -no-color -var a=1
TF_WORKSPACE=q terraform apply -no-color -var a=1 -auto-approve
TF_WORKSPACE=q terraform workspace list
TF_WORKSPACE=q terraform state list
TF_WORKSPACE=nono terraform state list
TF_WORKSPACE=nono terraform output -no-color
TF_WORKSPACE=nono terraform init -no-color
TF_WORKSPACE=nono terraform workspace list
ls terraform.tfstate.d
TF_VAR_a=5 terraform plan -no-color
TF_VAR_a= terraform plan -no-color
TF_VAR_b=5 TF_VAR_a=1 terraform plan -no-color
TF_LOG=off terraform plan -no-color -var a=1
TF_LOG= terraform plan -no-color -var a=1
TF_CLI_CONFIG_FILE=nono terraform plan -no-color -var a=1
TF_PLUGIN_CACHE_DIR=nono terraform plan -no-color -var a=1
TF_STATE_PERSIST_INTERVAL=1 terraform plan -no-color -var a=1
TF_IGNORE=trace terraform plan -no-color -var a=1
TF_TEST_X=trace terraform plan -no-color -var a=1
NO_COLOR=1 terraform plan -var a=1
NO_COLOR= terraform plan -var a=1
rm -rf ./* .terraform
cat > main.tf <<'END'
variable "a" { default = 1 }
module "m" { source = "./m" }
END
mkdir m
echo 'output "x" { value = 1 }' > m/m.tf
TF_DATA_DIR=dd terraform init -no-color
ls -a
find dd
TF_DATA_DIR=dd terraform workspace new w
cat dd/environment
ls -a
TF_DATA_DIR=dd terraform workspace show
terraform workspace show
terraform plan -no-color
TF_DATA_DIR=dd terraform plan -no-color
TF_DATA_DIR=dd/ terraform plan -no-color
TF_DATA_DIR=nono terraform plan -no-color
TF_DATA_DIR=nono terraform get -no-color
TF_DATA_DIR= terraform workspace show
TF_DATA_DIR=dd terraform modules
TF_DATA_DIR=dd terraform providers
echo 'terraform { backend "local" { path = "x.tfstate" } }' > b.tf
TF_DATA_DIR=dd terraform init -no-color
find dd
cat dd/terraform.tfstate
TF_DATA_DIR=dd terraform apply -no-color -auto-approve
terraform apply -no-color -auto-approve
