terraform init > /dev/null
printf 'a=1\nbcd   = 2\nx {\ny=1\n  zz = 2\n}\n' > a.tf
terraform fmt -check
terraform fmt -diff
cat a.tf
terraform fmt
terraform fmt -check
printf 'a = [\n1,\n  2\n]\nb={\na=1\nbcd=2}\n' > a.tf
terraform fmt -list=false
cat a.tf
printf 'a = \n' > a.tf
terraform fmt
terraform fmt -check
printf 'x "y" {}\n\n\n\nz {\n}\n' > a.tf
terraform fmt -write=false -diff
printf 'a = 1\n' | terraform fmt -
printf 'a=1\n' | terraform fmt -check -
printf 'a=\n' | terraform fmt -
mkdir -p d/e
printf 'a=1\n' > d/e/x.tf
printf 'a=1\n' > d/y.tfvars
printf 'a=1\n' > d/z.txt
terraform fmt -recursive
terraform fmt d/z.txt
terraform fmt d/e a.tf nope.tf
terraform fmt -list=x
