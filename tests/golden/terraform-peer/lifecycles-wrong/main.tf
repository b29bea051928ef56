resource "terraform_data" "a" { 
  lifecycle { 
    create_before_destroy = "x" 
    prevent_destroy = var.x
    ignore_changes = [nope, input, input.x, "output", id]
    replace_triggered_by = [terraform_data.b.nope, var.x, terraform_data.a, 5, terraform_data.zz, each.key]
    foo = 1
  }
  lifecycle {}
}
resource "terraform_data" "b" { 
  lifecycle { 
    ignore_changes = input
    precondition {
      condition = self.id
      error_message = "x"
    }
    precondition {
      condition = "x"
      error_message = 5
    }
    precondition {
      condition = 1 == 1
      error_message = ""
    }
    postcondition {
      condition = true
      error_message = "foo bar"
    }
  }
}
