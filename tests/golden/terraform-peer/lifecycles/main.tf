variable "v" { default = 1 }
resource "terraform_data" "a" { 
  input = var.v
  triggers_replace = var.v
  lifecycle { 
    create_before_destroy = true 
  }
}
resource "terraform_data" "b" { 
  input = var.v
  lifecycle { 
    ignore_changes = [input] 
  }
}
resource "terraform_data" "c" { 
  input = 1
  lifecycle { 
    replace_triggered_by = [terraform_data.b, terraform_data.a.input] 
  }
}
resource "terraform_data" "d" { 
  triggers_replace = var.v
  lifecycle { 
    prevent_destroy = true 
  }
}
