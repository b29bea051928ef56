resource "terraform_data" "a" { 
  input = { t = timestamp(), n = 5, p = plantimestamp() == timeadd(plantimestamp(), "0s") }
  lifecycle { 
    ignore_changes = [input] 
  }
}
resource "terraform_data" "r" { 
  triggers_replace = timestamp()
}
module "m" {
  source = "./m"
  t = timestamp()
}
check "c" {
  assert {
    condition = timestamp() != ""
    error_message = "x"
  }
}
output "l" { value = length(terraform_data.a.output.t) }
output "m" { value = module.m.l }
