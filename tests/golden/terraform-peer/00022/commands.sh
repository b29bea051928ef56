terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat terraform.tfstate
cat > main.tf <<'END'
variable "v0" {
  type    = list(string)
  default = ["x", "y"]
}

locals {
  l0 = concat([true], [true])
}

resource "terraform_data" "app" {
  for_each = { "a" = 0, "two words" = 1, "x-1" = 2 }
  input = each.value
  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "db" {
  input = { first = "beta", second = null }
  triggers_replace = true
}

END
terraform plan
terraform plan -refresh-only
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output -json
terraform plan -destroy
