cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
END
terraform init > /dev/null
terraform apply -auto-approve > /dev/null
cp terraform.tfstate good
sed -i 's/"schema_version": 0/"schema_version": 1/' terraform.tfstate
terraform plan
terraform state list
terraform state show terraform_data.a
terraform show
terraform show -json
terraform apply -auto-approve
terraform destroy -auto-approve
terraform refresh
terraform output
terraform state rm terraform_data.a
terraform state mv terraform_data.a terraform_data.b
terraform taint terraform_data.a
terraform state pull
sed 's/"schema_version": 0/"schema_version": -1/' good > terraform.tfstate
terraform plan
sed 's/"version": 4/"version": 5/' good > terraform.tfstate
terraform plan
terraform state list
terraform show
terraform state pull
sed 's/"version": 4/"version": 3/' good > terraform.tfstate
terraform plan
sed 's/"version": 4/"version": 0/' good > terraform.tfstate
terraform plan
sed 's/"version": 4/"version": -4/' good > terraform.tfstate
terraform plan
sed 's/"version": 4/"version": "4"/' good > terraform.tfstate
terraform plan
terraform plan
sed 's/"version": 4/"version": 99999999999999999999/' good > terraform.tfstate
terraform plan
sed 's/"terraform_version": "1.16.4[^"]*"/"terraform_version": "1.17.0"/' good > terraform.tfstate
terraform plan
terraform state list
terraform show
terraform output
terraform state pull
terraform apply -auto-approve
sed 's/"terraform_version": "1.16.4[^"]*"/"terraform_version": "2.0.0"/' good > terraform.tfstate
terraform plan
terraform workspace list
sed 's/"terraform_version": "1.16.4[^"]*"/"terraform_version": "1.16.9"/' good > terraform.tfstate
terraform plan
sed 's/"terraform_version": "1.16.4[^"]*"/"terraform_version": "0.11.0"/' good > terraform.tfstate
terraform plan
sed 's/"terraform_version": "1.16.4[^"]*"/"terraform_version": "abc"/' good > terraform.tfstate
terraform plan
terraform state list
sed 's/"terraform_version": "1.16.4[^"]*"/"terraform_version": ""/' good > terraform.tfstate
terraform plan
sed 's/"terraform_version": "1.16.4[^"]*"/"terraform_version": 5/' good > terraform.tfstate
terraform plan
sed 's/"serial": 1/"serial": -1/' good > terraform.tfstate
terraform plan
sed 's/"serial": 1/"serial": 1.5/' good > terraform.tfstate
terraform plan
sed 's/"mode": "managed"/"mode": "foo"/' good > terraform.tfstate
terraform plan
sed 's/"type": "terraform_data"/"type": "terraform_foo"/' good > terraform.tfstate
terraform plan
terraform state show terraform_foo.a
terraform show
terraform show -json
sed 's/"index_key"/"q"/; s/"schema_version": 0/"index_key": true,\n"schema_version": 0/' good > terraform.tfstate
terraform plan
sed 's/"schema_version": 0/"index_key": 0,\n"schema_version": 0/' good > terraform.tfstate
terraform plan
sed 's/"schema_version": 0/"index_key": "k",\n"schema_version": 0/' good > terraform.tfstate
terraform plan
sed 's/"schema_version": 0/"status": "tainted",\n"schema_version": 0/' good > terraform.tfstate
terraform plan
sed 's/"schema_version": 0/"status": "foo",\n"schema_version": 0/' good > terraform.tfstate
terraform plan
sed 's/"triggers_replace": null/"triggers_replace": null,\n"q": 1/' good > terraform.tfstate
terraform plan
sed 's/"input": {/"inputt": {/' good > terraform.tfstate
terraform plan
