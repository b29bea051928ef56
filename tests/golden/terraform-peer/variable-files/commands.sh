cat > main.tf <<'END'
variable "a" {
  type = string
}
variable "b" {
  type    = list(string)
  default = []
}
output "o" {
  value = [var.a, var.b]
}
END
terraform init > /dev/null
printf '{"a": "x", "b": ["y", 1]}\n' > terraform.tfvars.json
terraform plan
printf '{"a": "x", "c": 1}\n' > terraform.tfvars.json
terraform plan
printf '{"a": ["x"]}\n' > terraform.tfvars.json
terraform plan
printf '{"a": \n' > terraform.tfvars.json
terraform plan
printf '[1]' > terraform.tfvars.json
terraform plan
printf '{"a": "${1 + 1}"}' > terraform.tfvars.json
terraform plan
rm terraform.tfvars.json
printf '{"a": 5}' > x.json
terraform plan -var-file=x.json
printf 'a = 5 +\n' > x.tfvars
terraform plan -var-file=x.tfvars
printf 'a = foo\nb = [z]\n' > x.tfvars
terraform plan -var-file=x.tfvars
printf 'a = "x"\nb = { k = 1 }\n' > x.tfvars
terraform plan -var-file=x.tfvars
printf 'a = "x"\nblock {\n}\n' > x.tfvars
terraform plan -var-file=x.tfvars
printf 'a = "x"\na = "y"\n' > x.tfvars
terraform plan -var-file=x.tfvars
printf 'a = "x"\n' > x.auto.tfvars
terraform plan -var a=y -var 'b=["q"]'
terraform plan -var 'b=[q]'
terraform plan -var 'b=[1'
terraform plan -var 'b=5'
terraform plan -var zz=5
TF_VAR_b='{' terraform plan
TF_VAR_b='{}' terraform plan
TF_VAR_zz=1 terraform plan
