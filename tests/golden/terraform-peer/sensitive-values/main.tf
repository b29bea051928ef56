variable "p" { 
  sensitive = true 
  default = "s3cret"
}
variable "o" {
  type = object({ a = string, b = number })
  default = { a = "x", b = 2 }
  sensitive = true
}
resource "terraform_data" "a" { input = var.p }
resource "terraform_data" "b" { input = { x = var.p, y = 1, z = var.o } }
resource "terraform_data" "c" { 
  input = nonsensitive(var.p) 
  triggers_replace = [var.p, "x"]
}
resource "terraform_data" "d" { for_each = toset([var.p]) }
output "a" { value = var.p }
output "b" { 
  value = var.p 
  sensitive = true
}
output "c" { value = length(var.p) }
output "d" { value = nonsensitive(1) }
output "e" { value = issensitive(var.p) }
output "f" { value = sensitive("x") }
