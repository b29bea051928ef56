terraform init > /dev/null
terraform plan
terraform apply -auto-approve
terraform show
cat > main.tf <<'END'
locals {
  l0 = toset(["q", "r", "0"])
  l1 = true
}

resource "terraform_data" "app_new" {
  input = [for i in range(3) : i * 2]
}

resource "terraform_data" "db" {
  input = 86
}

resource "terraform_data" "cache" {
  input = "quo\"te"
  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "queue" {
  input = concat([{ name = try(27, "ü"), id = concat([true], [73]), "with space" = 1 }], [terraform_data.db.id])
}

module "net" {
  source = "./net"
  for_each = toset(["m", "n"])
  size   = 1
}

moved {
  from = terraform_data.app
  to   = terraform_data.app_new
}
END
terraform plan -target=terraform_data.app_new
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform state list
terraform destroy -auto-approve
