variable "n" { default = 1 }
resource "terraform_data" "a" { 
  input = var.n 
  lifecycle {
    precondition {
      condition = var.n < 5
      error_message = "n is ${var.n}, too large"
    }
    postcondition {
      condition = self.output != 3
      error_message = "output must not be 3"
    }
  }
}
check "c" {
  assert {
    condition = var.n != 2
    error_message = "n is two"
  }
  assert {
    condition = terraform_data.a.output != 4
    error_message = "output is four"
  }
}
output "o" {
  value = terraform_data.a.output
  precondition {
    condition = var.n > 0
    error_message = "n must be positive"
  }
}
