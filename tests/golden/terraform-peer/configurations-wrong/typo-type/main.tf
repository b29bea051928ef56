resource "terraform_dta" "a" {
  input = 1
}
resource "terraform_remote_state" "b" {
}
data "terraform_data" "c" {
}
data "terraform_remote_stat" "d" {}
