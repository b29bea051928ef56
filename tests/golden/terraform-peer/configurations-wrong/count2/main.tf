resource "terraform_data" "a" { input = 3 }
resource "terraform_data" "b" { count = terraform_data.a.output }
resource "terraform_data" "c" { for_each = toset([terraform_data.a.id]) }
resource "terraform_data" "d" { for_each = { (terraform_data.a.id) = 1 } }
resource "terraform_data" "e" { for_each = { a = terraform_data.a.id } }
resource "terraform_data" "f" { for_each = terraform_data.a.output }
