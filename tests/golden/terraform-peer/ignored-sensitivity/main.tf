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
  l1 = 1.50
}

resource "terraform_data" "app" {
  input = var.v0
  lifecycle {
    ignore_changes = [input]
  }
}

