variable "e" { 
  ephemeral = true 
  default = "tok"
}
locals { x = "${var.e}-x" }
output "o" { value = terraform.applying ? 1 : 2 }
output "p" { value = var.e }
output "q" { value = ephemeralasnull(var.e) }
resource "terraform_data" "a" { 
  input = local.x 
}
resource "terraform_data" "b" { 
  provisioner "local-exec" { 
    command = "echo ${var.e} ${terraform.applying}" 
  }
}
