cat > main.tf <<'END'
variable "s" {
  type = object({
    a = string
    b = optional(number, 5)
    c = optional(list(string))
  })
}
variable "l" {
  type = list(number)
  default = [1]
}
variable "n" {
  type = number
  default = 1
  nullable = false
  validation {
    condition = var.n > 0
    error_message = "must be positive, was ${var.n}"
  }
  validation {
    condition = var.n != 5
    error_message = "not five"
  }
}
variable "any" {
  default = null
}
output "all" {
  value = [var.s, var.l, var.n, var.any]
}
END
terraform init > /dev/null
terraform plan -var 's={a="x"}'
terraform plan -var 's={a="x",b="q"}'
terraform plan -var 's={b=1}'
terraform plan -var 's={a="x",z=1}'
terraform plan -var 's={a=[1]}'
terraform plan -var 's=x'
terraform plan -var 's={a="x"' 
terraform plan -var 's={a=foo}'
terraform plan -var 's={a=upper("x")}'
terraform plan -var 's={a="x"}' -var 'l=[1,"x"]'
terraform plan -var 's={a="x"}' -var 'l=1'
terraform plan -var 's={a="x"}' -var 'l={}'
terraform plan -var 's={a="x"}' -var 'l=null'
terraform plan -var 's={a="x"}' -var n=null
terraform plan -var 's={a="x"}' -var n=
terraform plan -var 's={a="x"}' -var n=abc
terraform plan -var 's={a="x"}' -var n=-1
terraform plan -var 's={a="x"}' -var n=5
terraform plan -var 's={a="x"}' -var n=0x10
terraform plan -var 's={a="x"}' -var n=1e3
terraform plan -var 's={a="x"}' -var any=[1]
terraform plan -var 's={a="x"}' -var 'any={a=1}'
terraform plan -var 's={a="x"}' -var any=true
terraform plan -var 's={a="x"}' -var n=1 -var n=2
TF_VAR_n=7 terraform plan -var 's={a="x"}'
TF_VAR_n=7 terraform plan -var 's={a="x"}' -var n=8
TF_VAR_l=x terraform plan -var 's={a="x"}'
TF_VAR_l='[1' terraform plan -var 's={a="x"}'
TF_VAR_l='["x"]' terraform plan -var 's={a="x"}'
TF_VAR_s='{a=1}' terraform plan
echo 'n = 3' > terraform.tfvars
echo '{"n": 4}' > terraform.tfvars.json
echo 'n = 6' > a.auto.tfvars
echo '{"l": [5, "6"]}' > b.auto.tfvars.json
TF_VAR_n=7 terraform plan -var 's={a="x"}'
rm a.auto.tfvars
TF_VAR_n=7 terraform plan -var 's={a="x"}'
echo 's = { a = 1, b = 2, }' > v.tfvars
terraform plan -var-file=v.tfvars
terraform plan -var-file v.tfvars -var 's={a="y"}'
terraform plan -var 's={a="y"}' -var-file=v.tfvars
echo 's = { a = [], b = "z", }' > v.tfvars
terraform plan -var-file=v.tfvars
echo 'l = ["x", 1]' > v.tfvars
terraform plan -var-file=v.tfvars -var 's={a="y"}'
echo 'n = -4' > v.tfvars
terraform plan -var-file=v.tfvars -var 's={a="y"}'
echo 's = var.x' > v.tfvars
terraform plan -var-file=v.tfvars
echo 's = "${upper("a")}"' > v.tfvars
terraform plan -var-file=v.tfvars
echo 'variable "x" {}' > v.tfvars
terraform plan -var-file=v.tfvars -var 's={a="y"}'
printf 'n = 1\nn = 2\n' > v.tfvars
terraform plan -var-file=v.tfvars -var 's={a="y"}'
printf 'q = 1\nr = 2\nt = 3\nu = 4\n' > v.tfvars
terraform plan -var-file=v.tfvars -var 's={a="y"}'
terraform plan -var 'q' -var 's={a="y"}'
terraform plan -var '=1' -var 's={a="y"}'
terraform plan -var 'q.a=1' -var 's={a="y"}'
terraform validate
terraform console -var 's={a="y"}'
echo 'var.s' | terraform console -var 's={a="y"}'
echo 'var.s' | terraform console
