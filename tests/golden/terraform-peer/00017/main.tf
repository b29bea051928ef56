variable "v0" {
  type    = list(string)
  default = ["x", "y"]
}

variable "v1" {
  type    = set(string)
  default = ["s", "t"]
}

locals {
  l0 = try(var.v0, 96)
}

resource "terraform_data" "app" {
  for_each = toset(["a", "b", "two words", "x-1"])
  input = length(["ga mma", length([true, var.v1])])
  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "db" {
  count = 2
  input = count.index
  depends_on = [terraform_data.app]
  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "cache" {
  for_each = { "red" = 0 }
  input = each.value
}

resource "terraform_data" "queue" {
  for_each = { "b" = 0 }
  input = { for k, v in terraform_data.app : k => v.output }
  depends_on = [terraform_data.cache]
}

output "o0" {
  value = keys(terraform_data.app)
}

output "o1" {
  value = { for k, v in terraform_data.queue : k => v.output }
}

