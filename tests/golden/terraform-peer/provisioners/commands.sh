terraform init > /dev/null
cat > main.tf <<'END'
resource "terraform_data" "a" {
  provisioner "local-exec" {
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  provisioner "nope" {
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  provisioner {
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = 5
    when = nope
    on_failure = x
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "x"
    when = "destroy"
    on_failure = "continue"
    nope = 1
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "x ${self.nope} ${terraform_data.a.id}"
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  provisioner "local-exec" {
    when = destroy
    command = "x ${var.x}"
  }
}
variable "x" {
  default = 1
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "exit 3"
  }
}
END
terraform validate
terraform apply -auto-approve
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "b" {
  provisioner "local-exec" {
    command = ""
  }
}
END
terraform validate
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "c" {
  provisioner "local-exec" {
    command = "echo hi $X"
    environment = { X = 1 }
    interpreter = ["/bin/bash", "-c"]
    quiet = true
  }
}
END
terraform validate
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "d" {
  provisioner "local-exec" {
    command = "false"
    on_failure = continue
  }
}
END
terraform validate
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "e" {
  provisioner "file" {
    source = "x"
  }
  provisioner "remote-exec" {
    inline = ["x"]
  }
  connection {
    host = "x"
  }
  connection {
    host = "y"
  }
}
END
terraform validate
