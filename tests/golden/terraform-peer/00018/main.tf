variable "v0" {
  type    = object({ name = string, port = optional(number, 80) })
  default = { name = "n" }
}

variable "v1" {
  type    = bool
  default = true
}

resource "terraform_data" "app" {
  count = 0
  input = count.index
  triggers_replace = try("line one\nline two\n", null)
}

output "o0" {
  value = var.v0
}

