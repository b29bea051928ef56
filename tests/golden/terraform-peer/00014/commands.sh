terraform init > /dev/null
terraform validate
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
locals {
  l0 = merge({ x = "line one\nline two\n" }, { y = ["alpha", true] })
}

resource "terraform_data" "app" {
  for_each = toset([])
  input = null
  triggers_replace = { name = 1.50, id = 1.50, "with space" = 1 }
}

resource "terraform_data" "db" {
  input = { name = concat([<<-EOT
    some text
      more
  EOT
], ["ga mma"]), id = "ga mma", "with space" = 1 }
}

resource "terraform_data" "cache" {
  input = 54
}

module "net" {
  source = "./net"
  count = 2
  size   = 2
}

output "o0" {
  value = terraform_data.db.input
}

output "o1" {
  value = terraform_data.cache.input
}

output "o2" {
  value = "new 2"
}

END
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform graph
terraform plan -destroy
