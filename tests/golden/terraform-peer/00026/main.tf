variable "v0" {
  type    = any
  default = { k = [1, "2"] }
}

resource "terraform_data" "app" {
  count = 0
  input = count.index
}

resource "terraform_data" "db" {
  count = 2
  input = [for i in range(0) : i * 2]
  depends_on = [terraform_data.app]
}

resource "terraform_data" "cache" {
  for_each = { "a" = 0, "red" = 1, "x-1" = 2 }
  input = { key = each.key, value = each.value }
  triggers_replace = length([1.50, 1.50])
  lifecycle {
    create_before_destroy = true
  }
}

output "o0" {
  value = { for k, v in terraform_data.cache : k => v.output }
  sensitive = true
}

