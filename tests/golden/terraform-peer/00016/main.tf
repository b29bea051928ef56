variable "v0" {
  type    = string
  default = "v1"
}

variable "v1" {
  type    = string
  default = "v1"
}

locals {
  l0 = format("%s-%d", "x", 22)
  l1 = { first = "line one\nline two\n", second = ["quo\"te", 1.50] }
}

resource "terraform_data" "app" {
  count = 3
  input = count.index
  lifecycle {
    ignore_changes = [input]
  }
}

output "o0" {
  value = var.v1
  sensitive = true
}

output "o1" {
  value = local.l1
}

output "o2" {
  value = terraform_data.app[*].id
}

