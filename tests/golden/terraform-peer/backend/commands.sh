cat > main.tf <<'END'
terraform {
  backend "nope2" {
    bucket = "x"
  }
}
END
terraform plan
terraform validate
terraform state list
terraform output
terraform show
terraform workspace list
terraform init
cat > main.tf <<'END'
terraform {
  backend "local" {
    path = "x.tfstate"
  }
}
resource "terraform_data" "a" {
}
END
terraform plan
terraform apply -auto-approve
terraform state list
terraform show
terraform output
terraform workspace list
terraform workspace new x
terraform console < /dev/null
terraform taint terraform_data.a
terraform graph
terraform providers
terraform validate
terraform init
terraform plan
cat > main.tf <<'END'
terraform {
  backend "nope" {
  }
}
END
terraform plan
terraform init
