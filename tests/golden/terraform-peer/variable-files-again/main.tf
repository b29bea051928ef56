variable "a" { type = string }
variable "b" { 
  type = number 
  default = 1 
}
variable "c" { 
  type = list(string) 
  default = [] 
}
output "o" { value = [var.a, var.b, var.c] }
