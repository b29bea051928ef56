variable "v0" {
  type    = list(string)
  default = ["x", "y"]
}

locals {
  l0 = concat([true], [true])
}

resource "terraform_data" "app" {
  for_each = { "a" = 0, "two words" = 1 }
  input = each.value
  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "db" {
  input = { first = "beta", second = null }
  triggers_replace = true
}

