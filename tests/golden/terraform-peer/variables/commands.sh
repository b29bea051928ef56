terraform init > /dev/null
cat > main.tf <<'END'
variable "v" {
  type = string
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = number
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = bool
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = list(string)
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = set(number)
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = map(string)
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = object({ a = string, b = optional(number, 3) })
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = tuple([string, number])
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = any
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = list(any)
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = map(object({ x = number }))
}
output "o" {
  value = var.v
}
END
terraform plan -var 'v=[1, "a"]'
terraform plan -var 'v={a=1,c=2}'
terraform plan -var v=abc
terraform plan -var v=
cat > main.tf <<'END'
variable "v" {
  type = lst(string)
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = list
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = list(string, number)
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = "string"
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = "list"
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = object({ a = strin })
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = object(string)
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = tuple(string)
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = optional(string)
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = object({ a = optional(string, 1, 2) })
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = object({ a = optional(number, "x") })
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = 5
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = list(string)
  default = "x"
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type = number
  default = [1]
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  default = var.x
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  default = upper("x")
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  description = 5
  sensitive = "x"
  nullable = [1]
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  nope = 1
  default = 1
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  default = 1
  default = 2
}
END
terraform validate
cat > main.tf <<'END'
variable {
}
END
terraform validate
cat > main.tf <<'END'
variable "a" "b" {
}
END
terraform validate
cat > main.tf <<'END'
variable "1a" {
}
END
terraform validate
cat > main.tf <<'END'
variable "source" {
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
}
variable "v" {
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type     = string
  nullable = false
  default  = null
}
END
terraform validate
cat > main.tf <<'END'
variable "v" {
  type     = string
  nullable = false
}
END
terraform validate
terraform plan -var v=null
TF_VAR_v= terraform plan
