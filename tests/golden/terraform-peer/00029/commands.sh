terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = bool
  default = true
}

locals {
  l0 = var.v0
  l1 = { for k in ["k1", "k2"] : k => [for i in range(0) : i * 2] }
}

resource "terraform_data" "app_new" {
  input = { first = 13, second = { for k in ["k1", "k2"] : k => merge({ x = "quo\"te" }, { y = "ü" }) } }
  triggers_replace = ["line one\nline two\n", "line one\nline two\n"]
  lifecycle {
    create_before_destroy = true
    ignore_changes = [input]
  }
}

resource "terraform_data" "db" {
  count = 3
  input = count.index
}

resource "terraform_data" "late" {
  count = 2
  input = count.index
}

END
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output -json
terraform plan -destroy
