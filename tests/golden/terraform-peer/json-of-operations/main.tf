variable "v" { default = "q" }
resource "terraform_data" "a" { 
  count = 2
  input = "${var.v}-${count.index}" 
}
output "o" { 
  value = terraform_data.a[*].id
  sensitive = true
}
