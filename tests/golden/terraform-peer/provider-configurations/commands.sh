cat > main.tf <<'END'
resource "terraform_data" "a" {
  provider = terraform.foo
}
END
terraform init
terraform validate
terraform plan
cat > main.tf <<'END'
provider "terraform" {
  alias = "foo"
}
resource "terraform_data" "a" {
  provider = terraform.foo
}
END
terraform init
terraform validate
terraform plan
terraform apply -auto-approve
terraform state show terraform_data.a
cat > main.tf <<'END'
END
terraform plan
terraform destroy -auto-approve
terraform validate
cat > main.tf <<'END'
provider "terraform" {
  foo = 1
}
resource "terraform_data" "a" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./m"
}
END
mkdir m
cat > m/main.tf <<'END'
terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
      configuration_aliases = [terraform.x]
    }
  }
}
resource "terraform_data" "a" {
  provider = terraform.x
}
END
terraform init
terraform validate
terraform init
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./m"
  providers = {
    terraform.x = terraform.nono
  }
}
END
terraform init
terraform validate
terraform init
terraform validate
