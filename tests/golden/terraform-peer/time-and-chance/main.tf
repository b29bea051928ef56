resource "terraform_data" "a" { input = timestamp() }
resource "terraform_data" "b" { input = uuid() }
resource "terraform_data" "c" { input = length(bcrypt("x")) }
resource "terraform_data" "d" { input = plantimestamp() == timestamp() }
resource "terraform_data" "e" { input = length(plantimestamp()) }
output "x" { value = length(terraform_data.a.output) }
output "y" { value = uuid() == uuid() }
output "z" { value = length(uuid()) }
locals { t = timestamp() }
output "w" { value = length(local.t) }
output "v" { value = plantimestamp() == "x" }
