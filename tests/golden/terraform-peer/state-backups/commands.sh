terraform apply -auto-approve
terraform apply -auto-approve -state other.tfstate
ls
terraform state list -state other.tfstate
terraform plan -state other.tfstate
terraform apply -auto-approve -state-out out.tfstate -replace terraform_data.a
ls
terraform apply -auto-approve -backup=- -replace terraform_data.a
ls
terraform show -json | head -c 300
terraform state rm terraform_data.a
ls | sed 's/[0-9]\{10\}/N/'
terraform apply -auto-approve
echo '{' > terraform.tfstate; terraform plan
echo '' > terraform.tfstate; terraform plan
echo '{"version": 5}' > terraform.tfstate; terraform plan
echo '{"version": 3}' > terraform.tfstate; terraform plan
echo '{"version": 4, "terraform_version": "2.0.0", "serial": 1, "lineage": "x", "outputs": {}, "resources": []}' > terraform.tfstate; terraform plan
