terraform apply -auto-approve
terraform plan
echo local.t == "" | terraform console
