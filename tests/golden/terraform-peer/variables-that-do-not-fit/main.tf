variable "n" { 
  type = number 
}
variable "m" { 
  type = map(number) 
}
output "n" { value = var.n }
output "m" { value = var.m }
