variable "a" { 
  type = string
  default = "x"
  validation {
    condition = length(var.a) > 2
    error_message = "a must be longer than 2, is \"${var.a}\"."
  }
  validation {
    condition = can(regex("^[a-z]+$", var.a))
    error_message = "a must be lower case."
  }
}
variable "b" {
  default = 1
  validation {
    condition = var.b < local.max
    error_message = "b too large"
  }
}
variable "c" {
  type = object({ n = number })
  default = { n = 1 }
  nullable = false
  validation {
    condition = var.c.n > 0 && var.b > 0
    error_message = "c.n must be positive"
  }
}
locals { max = 10 }
output "o" { value = [var.a, var.b, var.c] }
