terraform plan
terraform plan -var a=null -var b=null
terraform plan -var 'c={b=null}'
terraform plan -var 'c={c={d=false}, z=1}'
terraform plan -var 'c=null'
terraform apply -auto-approve
terraform apply -auto-approve -var a=y
terraform apply -auto-approve -var 'c={a="q"}'
