cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
output "a" {
  value = terraform_data.a.output
}
output "b" {
  value = 5
}
output "c" {
  value = tonumber("x")
}
output "d" {
  value = terraform_data.a.output.foo
}
END
terraform init > /dev/null
terraform plan
sed -i 's/tonumber("x")/7/' main.tf
terraform plan
sed -i 's/.output.foo/.output/' main.tf
terraform apply -auto-approve
sed -i 's/.output$/.output.foo/' main.tf
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
  lifecycle {
    precondition {
      condition = false
      error_message = "no"
    }
  }
}
resource "terraform_data" "b" {
  input = 1
}
output "a" {
  value = terraform_data.a.output
}
output "b" {
  value = 6
}
output "n" {
  value = 6
}
output "bb" {
  value = terraform_data.b.output
}
output "p" {
  value = 6
  precondition {
    condition = false
    error_message = "not p"
  }
}
END
terraform plan
terraform apply -auto-approve
terraform plan -out=x
terraform apply x
cat > main.tf <<'END'
module "m" {
  source = "./m"
}
output "n" {
  value = 6
}
output "bb" {
  value = module.m.x
}
END
mkdir m
cat > m/main.tf <<'END'
output "x" {
  value = tonumber("a")
}
output "y" {
  value = 1
}
END
terraform init > /dev/null
terraform plan
terraform apply -auto-approve
terraform state pull | head -4
terraform output
cat > main.tf <<'END'
resource "terraform_data" "b" {
  input = 1
  count = length(terraform_data.c)
}
resource "terraform_data" "c" {
  input = 1
  for_each = toset([terraform_data.d.id])
}
resource "terraform_data" "d" {
}
output "n" {
  value = 6
}
output "bb" {
  value = terraform_data.b
}
output "cc" {
  value = keys(terraform_data.c)
}
END
terraform plan
terraform apply -auto-approve
