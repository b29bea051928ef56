resource "terraform_data" "a" {}
output "o" { value = terraform_data.a.input }
output "p" { value = 5 }
