terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat terraform.tfstate
cat > main.tf <<'END'
variable "v0" {
  type    = object({ name = string, port = optional(number, 80) })
  default = { name = "n" }
  sensitive = true
}

resource "terraform_data" "app" {
  input = 18
  lifecycle {
    postcondition {
      condition     = length(jsonencode(self.input)) > 23
      error_message = "Input is shorter than 23."
    }
  }
}

resource "terraform_data" "db" {
  triggers_replace = { for k in ["k1", "k2"] : k => "line one\nline two\n" }
  lifecycle {
    create_before_destroy = true
    replace_triggered_by = [terraform_data.app]
  }
}

resource "terraform_data" "cache" {
  input = "line one\nline two\n"
  lifecycle {
    create_before_destroy = true
  }
}

check "health" {
  assert {
    condition     = length(jsonencode(terraform_data.app.input)) > 13
    error_message = "Too short."
  }
}
END
terraform plan
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output -json
terraform plan -destroy
