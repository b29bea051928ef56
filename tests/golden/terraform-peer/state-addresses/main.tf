resource "terraform_data" "a" { }
resource "terraform_data" "b" { count = 2 }
resource "terraform_data" "e" { for_each = toset(["x", "y"]) }
