terraform workspace list
terraform workspace new dev
terraform workspace new dev
terraform workspace list
terraform apply -auto-approve
terraform workspace select default
terraform workspace select nope
terraform workspace select -or-create qa
terraform workspace show
terraform workspace delete qa
terraform workspace select default
terraform workspace delete dev
terraform workspace delete -force dev
terraform workspace delete default
terraform workspace delete nope
terraform workspace new 'a b'
terraform workspace new ''
terraform workspace new default
TF_WORKSPACE=foo terraform workspace show
TF_WORKSPACE=foo terraform plan
TF_WORKSPACE=foo terraform workspace select default
terraform workspace list
ls terraform.tfstate.d
