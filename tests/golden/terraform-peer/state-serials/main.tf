resource "terraform_data" "a" { input = 1 }
output "x" { value = 1 }
