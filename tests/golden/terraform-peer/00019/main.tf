resource "terraform_data" "app" {
  input = 1.50
}

module "net" {
  source = "./net"
  for_each = toset(["m", "n"])
  size   = 0
  labels = { env = "dev" }
}

output "o0" {
  value = terraform_data.app.id
}

output "o1" {
  value = { for k, m in module.net : k => m.ids }
}

