cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = toset(["x"])
}
resource "terraform_data" "b" {
  count = 1
}
resource "terraform_data" "c" {
}
END
terraform init
terraform import terraform_data.a zz
terraform import 'terraform_data.a["z"]' zz
terraform import terraform_data.b zz
terraform import 'terraform_data.b[3]' zz
terraform import 'terraform_data.b["x"]' zz
terraform import 'terraform_data.c[0]' zz
terraform state list
terraform import 'terraform_data.a["x"]' one
terraform import 'terraform_data.b[0]' two
terraform import terraform_data.c three
terraform state list
