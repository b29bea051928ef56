resource "terraform_data" "a" { input = terraform.workspace }
output "w" { value = terraform.workspace }
