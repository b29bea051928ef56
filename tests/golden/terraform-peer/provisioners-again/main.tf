resource "terraform_data" "a" { 
  input = "hello"
  provisioner "local-exec" { 
    command = "echo ${self.input} $FOO" 
    environment = { FOO = "bar" }
  }
  provisioner "local-exec" { 
    command = "echo bye ${self.output}" 
    when = destroy
  }
}
