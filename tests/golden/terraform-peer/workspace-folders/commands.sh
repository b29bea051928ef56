echo 'output "o" { value = 1 }' > main.tf
TF_WORKSPACE=a1 terraform output
TF_WORKSPACE=a2 terraform state list
TF_WORKSPACE=a3 terraform plan
TF_WORKSPACE=a4 terraform show
TF_WORKSPACE=a5 terraform init
TF_WORKSPACE=a6 terraform validate
TF_WORKSPACE=a7 terraform state pull
echo 1 | TF_WORKSPACE=a8 terraform console
TF_WORKSPACE=a9 terraform graph
TF_WORKSPACE=b1 terraform providers
TF_WORKSPACE=b2 terraform workspace list
TF_WORKSPACE=b3 terraform workspace show
TF_WORKSPACE=b4 terraform taint a.b
TF_WORKSPACE=b5 terraform state show a.b
TF_WORKSPACE=b6 terraform get
TF_WORKSPACE=b7 terraform fmt
TF_WORKSPACE=b8 terraform state rm a.b
TF_WORKSPACE=b9 terraform state mv a.b a.c
TF_WORKSPACE=c1 terraform apply -auto-approve
TF_WORKSPACE=c2 terraform refresh
TF_WORKSPACE=c3 terraform import a.b c
TF_WORKSPACE=c5 terraform workspace delete q
TF_WORKSPACE=c6 terraform force-unlock q
TF_WORKSPACE=c7 terraform modules
TF_WORKSPACE=c8 terraform plan -lock=false
ls terraform.tfstate.d
TF_WORKSPACE=c9 terraform workspace list
terraform workspace select a4
