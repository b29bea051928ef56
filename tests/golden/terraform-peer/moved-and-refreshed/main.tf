resource "terraform_data" "a" { input = 1 }
output "o" { value = 1 }
