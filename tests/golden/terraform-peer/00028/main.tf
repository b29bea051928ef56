variable "v0" {
  type    = list(string)
  default = ["x", "y"]
  sensitive = true
}

variable "v1" {
  type    = object({ name = string, port = optional(number, 80) })
  default = { name = "n" }
}

locals {
  l0 = var.v1
}

resource "terraform_data" "app" {
  input = [for i in range(4) : i * 2]
  triggers_replace = "beta"
}

output "o0" {
  value = local.l0
}

output "o1" {
  value = terraform_data.app.id
}

check "health" {
  assert {
    condition     = length(jsonencode(terraform_data.app.input)) > 29
    error_message = "Too short."
  }
}
