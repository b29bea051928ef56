variable "a" { 
  type = string
  default = null
}
variable "b" { 
  type = string
  default = "x"
  nullable = false
}
variable "c" {
  type = object({ a = optional(string), b = optional(number, 5), c = optional(object({ d = optional(bool, true) }), {}) })
  default = {}
}
resource "terraform_data" "x" { input = [var.a, var.b, var.c] }
output "a" { value = var.a }
output "c" { value = var.c }
