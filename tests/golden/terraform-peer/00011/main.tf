locals {
  l0 = "ga mma"
  l1 = null
}

resource "terraform_data" "app" {
  for_each = toset(["a", "b", "two words", "x-1"])
  triggers_replace = merge({ x = true }, { y = null })
}

resource "terraform_data" "db" {
  for_each = { "b" = 0, "red" = 1, "two words" = 2, "x-1" = 3 }
  input = "line one\nline two\n"
  triggers_replace = "${upper("d")}"
}

resource "terraform_data" "cache" {
  input = 1.50
  lifecycle {
    create_before_destroy = true
  }
}

module "net" {
  source = "./net"
  for_each = toset(["m", "n"])
  size   = 2
}

