terraform workspace new
terraform workspace new a b
terraform workspace new 'a b'
terraform workspace new ''
terraform workspace new a/b
terraform workspace new default
terraform workspace new w1
terraform workspace new w1
terraform workspace list
terraform workspace list x
terraform workspace show
terraform workspace show x
terraform workspace select
terraform workspace select nope
terraform workspace select -or-create w2
terraform workspace select w1
terraform workspace select w1
terraform workspace delete
terraform workspace delete w1
terraform workspace delete nope
terraform workspace delete default
terraform workspace delete -force w2
terraform workspace new -foo x
terraform workspace new -lock-timeout=x y
terraform workspace new -state=nofile w5
terraform workspace list -json
TF_WORKSPACE=w1 terraform workspace new q
TF_WORKSPACE=w1 terraform workspace select default
TF_WORKSPACE=zz terraform workspace list
TF_WORKSPACE=zz terraform workspace show
TF_WORKSPACE='a b' terraform plan
terraform workspace nope
terraform workspace select default
terraform workspace delete w1
terraform workspace delete w5
