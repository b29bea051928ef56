terraform init > /dev/null
terraform validate
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = set(string)
  default = ["s", "t"]
}

variable "v1" {
  type    = set(string)
  default = ["s", "t"]
}

resource "terraform_data" "app" {
  input = { first = format("%s-%d", "x", 28), second = null }
}

resource "terraform_data" "db" {
  for_each = { "a" = 0, "red" = 1, "two words" = 2 }
  input = true
  depends_on = [terraform_data.app]
}

resource "terraform_data" "cache" {
  input = { first = { name = format("%s-%d", "x", 25), id = format("%s-%d", "x", 43), "with space" = 1 }, second = toset(["q", "r", "0"]) }
}

resource "terraform_data" "queue" {
  count = 0
  input = "n-${count.index}"
  triggers_replace = ["alpha", "beta"]
  lifecycle {
    postcondition {
      condition     = length(jsonencode(self.input)) > 24
      error_message = "Input is shorter than 24."
    }
  }
}

output "o0" {
  value = terraform_data.queue[*].id
}

END
terraform plan
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform graph
terraform plan -destroy
