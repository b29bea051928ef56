terraform state pull
cat > main.tf <<'END'
variable "v" {
  default = 1
  validation {
    condition = var.v > 0
    error_message = "bad"
  }
}
resource "terraform_data" "a" {
  count = 2
  input = 1
  lifecycle {
    precondition {
      condition = var.v > 0
      error_message = "bad"
    }
    postcondition {
      condition = self.input > 0
      error_message = "bad"
    }
  }
}
check "c" {
  assert {
    condition = terraform_data.a[0].output > 5
    error_message = "check bad"
  }
}
check "d" {
  assert {
    condition = terraform_data.a[0].output > 0
    error_message = "check bad"
  }
}
output "o" {
  value = 5
  precondition {
    condition = var.v > 0
    error_message = "bad"
  }
}
module "m" {
  source = "./m"
  count = 2
}
END
mkdir m
cat > m/main.tf <<'END'
resource "terraform_data" "x" {
  lifecycle {
    postcondition {
      condition = self.id != ""
      error_message = "bad"
    }
  }
}
output "q" {
  value = 1
  precondition {
    condition = terraform_data.x.id != ""
    error_message = "bad"
  }
}
check "k" {
  assert {
    condition = terraform_data.x.id == ""
    error_message = "check ${1 + 1}"
  }
  assert {
    condition = terraform_data.x.id == "a"
    error_message = "other"
  }
}
variable "w" {
  default = 1
  validation {
    condition = var.w > 0
    error_message = "bad"
  }
}
END
terraform state pull
terraform init > /dev/null
terraform state pull
terraform apply -auto-approve > /dev/null
terraform state pull
cat terraform.tfstate
terraform plan -out=p > /dev/null
terraform destroy -auto-approve > /dev/null
terraform state pull
cat terraform.tfstate
