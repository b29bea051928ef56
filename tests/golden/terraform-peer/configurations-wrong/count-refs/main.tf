resource "terraform_data" "a" { count = 2 }
resource "terraform_data" "b" { for_each = toset(["x"]) }
resource "terraform_data" "c" { }
output "a" { value = terraform_data.a.id }
output "b" { value = terraform_data.b.id }
output "c" { value = terraform_data.c[0].id }
output "d" { value = terraform_data.a[5].id }
output "e" { value = terraform_data.b["y"].id }
output "f" { value = terraform_data.a["x"].id }
output "g" { value = terraform_data.b[0].id }
output "h" { value = terraform_data.a[*].nope }
output "i" { value = terraform_data.c.nope }
output "j" { value = terraform_data.a[count.index].id }
output "k" { value = terraform_data.c["x"] }
output "l" { value = terraform_data.a[-1].id }
output "m" { value = terraform_data.a[0].nope.x }
output "n" { value = values(terraform_data.b)[*].id }
output "o" { value = [for k, v in terraform_data.b : v.nope] }
