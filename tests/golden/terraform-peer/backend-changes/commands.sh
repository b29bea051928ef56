cat > main.tf <<'END'
terraform {
  backend "local" {
  }
}
resource "terraform_data" "a" {
}
END
terraform init
terraform apply -auto-approve
cat > main.tf <<'END'
terraform {
  backend "local" {
    path = "other.tfstate"
  }
}
END
terraform plan
terraform init
cat > main.tf <<'END'
resource "terraform_data" "a" {
}
END
terraform plan
terraform init
