resource "terraform_data" "a" { depends_on = terraform_data.b }
resource "terraform_data" "b" { depends_on = [terraform_data.nope, "terraform_data.a", var.x, 5, local.y, module.z, terraform_data.a.id] }
