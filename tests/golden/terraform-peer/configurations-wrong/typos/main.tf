resource "terraform_data" "a" {
  inputt = 1
}
