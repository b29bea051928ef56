variable "v0" {
  type    = bool
  default = true
}

locals {
  l0 = jsonencode(true)
}

resource "terraform_data" "app" {
  input = true ? "line one\nline two\n" : "line one\nline two\n"
}

output "o0" {
  value = terraform_data.app.output
}

output "o1" {
  value = var.v0
}

