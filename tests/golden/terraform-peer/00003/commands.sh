terraform init > /dev/null
terraform validate
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "app_new" {
  count = 1
  input = "n-${count.index}"
}

resource "terraform_data" "db" {
  input = <<-EOT
    some text
      more
  EOT

  lifecycle {
    ignore_changes = [input]
  }
}

resource "terraform_data" "cache" {
  input = <<-EOT
    some text
      more
  EOT

  depends_on = [terraform_data.db]
}

resource "terraform_data" "queue" {
  input = "quo\"te"
  triggers_replace = "t47"
  lifecycle {
    create_before_destroy = true
  }
}

check "health" {
  assert {
    condition     = length(jsonencode(terraform_data.db.input)) > 6
    error_message = "Too short."
  }
}

moved {
  from = terraform_data.app
  to   = terraform_data.app_new
}
END
terraform plan
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform graph
terraform destroy -auto-approve
