terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
variable "v0" {
  type    = any
  default = { k = [1, "2"] }
}

variable "v1" {
  type    = set(string)
  default = ["s", "t"]
}

resource "terraform_data" "app" {
  lifecycle {
    ignore_changes = [input]
  }
}

resource "terraform_data" "db" {
  input = "alpha"
  lifecycle {
    create_before_destroy = true
    postcondition {
      condition     = length(jsonencode(self.input)) > 32
      error_message = "Input is shorter than 32."
    }
  }
}

resource "terraform_data" "cache" {
  input = 43
}

resource "terraform_data" "queue" {
  input = toset(["q", "r", "0"])
  depends_on = [terraform_data.cache]
  lifecycle {
    create_before_destroy = true
    postcondition {
      condition     = length(jsonencode(self.input)) > 30
      error_message = "Input is shorter than 30."
    }
  }
}

output "o0" {
  value = terraform_data.db.id
}

output "o1" {
  value = var.v1
}

output "o2" {
  value = "new 6"
}

END
terraform plan -out=saved > /dev/null
terraform show saved
terraform apply saved
terraform plan -detailed-exitcode
terraform output -json
terraform destroy -auto-approve
