variable "v0" {
  type    = map(number)
  default = { one = 1, two = 2 }
}

variable "v1" {
  type    = object({ name = string, port = optional(number, 80) })
  default = { name = "n" }
}

resource "terraform_data" "app" {
  input = 1.50
}

output "o0" {
  value = var.v1
}

output "o1" {
  value = var.v0
}

