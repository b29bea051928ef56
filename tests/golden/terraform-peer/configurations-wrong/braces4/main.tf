resource "terraform_data" "a" { input = 1 output = 2 }
