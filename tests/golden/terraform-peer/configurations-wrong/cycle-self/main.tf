locals { a = local.a }
resource "terraform_data" "b" { input = terraform_data.b.id }
variable "v" { 
  validation { 
    condition = var.v > 0 
    error_message = "x" 
  } 
  default = 1
}
module "m" { 
  source = "./m" 
  x = module.m.y 
}
