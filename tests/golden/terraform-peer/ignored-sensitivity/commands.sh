terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = bool
  default = true
  sensitive = true
}

variable "v1" {
  type    = any
  default = { k = [1, "2"] }
}

locals {
  l0 = { for k in ["k1", "k2"] : k => <<-EOT
    some text
      more
  EOT
 }
  l1 = "changed 2"
}

resource "terraform_data" "app" {
  input = try({ for k in ["k1", "k2"] : k => length([null, "line one\nline two\n"]) }, length([true ? 48 : 48, true]))
  lifecycle {
    ignore_changes = [input]
  }
}

END
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output -json
terraform destroy -auto-approve
