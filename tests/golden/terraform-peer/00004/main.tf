locals {
  l0 = toset(["q", "r", "0"])
  l1 = true
}

resource "terraform_data" "app" {
  input = [for i in range(3) : i * 2]
}

resource "terraform_data" "db" {
  input = 86
}

resource "terraform_data" "cache" {
  input = "quo\"te"
  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "queue" {
  input = <<-EOT
    some text
      more
  EOT

}

module "net" {
  source = "./net"
  for_each = toset(["m", "n"])
  size   = 1
}

