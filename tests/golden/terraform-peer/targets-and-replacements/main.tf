resource "terraform_data" "a" { input = 1 }
resource "terraform_data" "b" { input = terraform_data.a.id }
resource "terraform_data" "c" { count = 2 }
output "o" { value = terraform_data.b.id }
output "p" { value = 5 }
