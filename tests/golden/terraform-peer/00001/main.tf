resource "terraform_data" "app" {
  input = "ga mma"
  lifecycle {
    postcondition {
      condition     = length(jsonencode(self.input)) > 32
      error_message = "Input is shorter than 32."
    }
  }
}

resource "terraform_data" "db" {
  for_each = toset(["a"])
  input = { for k in ["k1", "k2"] : k => <<-EOT
    some text
      more
  EOT
 }
  triggers_replace = [1.50, "line one\nline two\n"]
}

module "net" {
  source = "./net"
  count = 2
  size   = 1
  labels = { env = "dev" }
}

output "o0" {
  value = module.net[*].labels
}

output "o1" {
  value = { for k, v in terraform_data.db : k => v.output }
}

output "o2" {
  value = keys(terraform_data.db)
}

check "health" {
  assert {
    condition     = length(jsonencode(terraform_data.app.input)) > 8
    error_message = "Too short."
  }
}
