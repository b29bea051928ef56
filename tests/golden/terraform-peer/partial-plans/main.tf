variable "v" { type = string }
variable "n" { 
  type = number 
  default = 3
}
resource "terraform_data" "a" { input = var.v }
resource "terraform_data" "b" { count = tonumber(var.v) }
resource "terraform_data" "c" { input = 1 + var.v }
output "o" { value = terraform_data.c.input }
output "p" { value = "x" }
