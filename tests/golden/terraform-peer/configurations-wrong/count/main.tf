resource "terraform_data" "a" { count = "x" }
resource "terraform_data" "b" { count = -1 }
resource "terraform_data" "c" { count = 1.5 }
resource "terraform_data" "d" { count = null }
resource "terraform_data" "e" { count = true }
resource "terraform_data" "f" { count = [1] }
resource "terraform_data" "g" { 
  count = 1 
  for_each = {} 
}
resource "terraform_data" "h" { for_each = [1] }
resource "terraform_data" "i" { for_each = toset([1, null]) }
resource "terraform_data" "j" { for_each = null }
resource "terraform_data" "k" { for_each = "x" }
resource "terraform_data" "l" { for_each = toset([[1]]) }
resource "terraform_data" "m" { count = 1e3 }
