terraform init > /dev/null
cat > main.tf <<'END'
variable "v" {
  default = 1
  validation {
    condition = var.v > 1
    error_message = "Must be over 1."
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "v" {
  default = 1
  validation {
    condition = true
    error_message = "x"
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "v" {
  default = 1
  validation {
    condition = var.w
    error_message = "No."
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "v" {
  default = 1
  validation {
    condition = "x"
    error_message = "No."
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "v" {
  default = 1
  validation {
    condition = null
    error_message = "No."
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "v" {
  default = 1
  validation {
    condition = var.v == 2
    error_message = 5
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "v" {
  default = 1
  validation {
    condition = var.v == 2
    error_message = "Got ${var.v}."
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "v" {
  default = 1
  validation {
    condition = var.v == 2
  }
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  default = 1
  validation {
    error_message = "x"
  }
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  default = 1
  sensitive = true
  validation {
    condition = var.v == 2
    error_message = "Got ${var.v}."
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "v" {
  default = "a"
  validation {
    condition = can(regex("^b", var.v)) && length(var.v) < 3
    error_message = "Must begin with b."
  }
  validation {
    condition = length(var.v) > 3
    error_message = "Too short."
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
variable "v" {
  default = "a"
  validation {
    condition = tonumber(var.v) > 1
    error_message = "No."
  }
}
END
terraform validate
terraform plan
