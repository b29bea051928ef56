resourse "terraform_data" "a" {
  input = 1
}
variabel "x" {}
outptu "y" { value = 1 }
