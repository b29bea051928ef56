terraform apply -auto-approve
terraform state replace-provider -auto-approve 'a/b/c/d/e' x
terraform state replace-provider -auto-approve x 'a/b/c/d/e' 
terraform state replace-provider -auto-approve '' x
terraform state replace-provider -auto-approve 'a b' x
terraform state replace-provider -auto-approve '//' '!'
terraform state replace-provider -auto-approve 'A/B' 'x.com/y/z'
terraform state replace-provider -auto-approve 'a_b/c' 'x'
terraform state replace-provider -auto-approve 'terraform-provider-x' 'x'
terraform state replace-provider -auto-approve 'x' 'hashicorp/terraform-provider-x'
terraform state replace-provider -auto-approve terraform x
terraform state replace-provider -auto-approve terraform.io/builtin/terraform x
