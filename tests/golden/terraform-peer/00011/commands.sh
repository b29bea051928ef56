terraform init > /dev/null
terraform validate
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
locals {
  l0 = "ga mma"
  l1 = null
}

resource "terraform_data" "app" {
  for_each = toset(["a", "b", "two words", "x-1"])
  triggers_replace = merge({ x = true }, { y = null })
}

resource "terraform_data" "db_new" {
  for_each = { "b" = 0, "red" = 1, "two words" = 2, "x-1" = 3 }
  input = concat([true], ["beta"])
  triggers_replace = "${upper("d")}"
}

resource "terraform_data" "cache" {
  input = 1.50
  lifecycle {
    create_before_destroy = true
  }
}

module "net" {
  source = "./net"
  for_each = toset(["m", "n"])
  size   = 2
}

moved {
  from = terraform_data.db
  to   = terraform_data.db_new
}
END
terraform plan
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform graph
terraform destroy -auto-approve
