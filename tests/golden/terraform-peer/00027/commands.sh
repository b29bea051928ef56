terraform init > /dev/null
terraform plan
terraform apply -auto-approve
terraform show
cat > main.tf <<'END'
locals {
  l0 = toset(["q", "r", "0"])
  l1 = merge({ x = local.l0 }, { y = <<-EOT
    some text
      more
  EOT
 })
}

resource "terraform_data" "app" {
  count = 3
  input = try(<<-EOT
    some text
      more
  EOT
, <<-EOT
    some text
      more
  EOT
)
  lifecycle {
    ignore_changes = [input]
  }
}

output "o0" {
  value = terraform_data.app[*].id
}

END
terraform plan
terraform plan -refresh-only
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform graph
terraform plan -destroy
