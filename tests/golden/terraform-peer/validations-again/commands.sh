terraform validate
terraform plan
terraform plan -var a=abc
terraform plan -var a=ABC
terraform plan -var a=A
terraform plan -var a=abc -var b=50
terraform plan -var a=abc -var 'c={n=-1}'
terraform plan -var a=abc -var 'c={}'
terraform plan -var a=abc -var 'c=null'
terraform plan -var a=null
