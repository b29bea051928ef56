variable "t" {}
resource "terraform_data" "x" { input = length(var.t) }
output "l" { value = terraform_data.x.output }
