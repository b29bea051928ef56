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
  input = count.index
  lifecycle {
    ignore_changes = [input]
  }
}

output "o0" {
  value = terraform_data.app[*].id
}

