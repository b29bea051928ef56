terraform init > /dev/null
cat > main.tf <<'END'
resource "terraform_data" {
}
END
terraform validate
cat > main.tf <<'END'
resource {
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" "b" {
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a b" {
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_dat" "a" {
}
END
terraform validate
cat > main.tf <<'END'
data "terraform_data" "a" {
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
}
resource "terraform_data" "a" {
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  nope = 1
  x {
  }
  inpt = 2
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  id = "x"
  output = 1
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input {
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  dynamic "x" {
    for_each = []
    content {
    }
  }
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  provider = nope
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  provider = "terraform"
}
END
terraform validate
cat > main.tf <<'END'
provider "terraform" {
  x = 1
}
END
terraform validate
cat > main.tf <<'END'
provider "terraform" {
  alias = "x"
}
provider "terraform" {
  alias = "x"
}
END
terraform validate
cat > main.tf <<'END'
nope "x" {
}
END
terraform validate
cat > main.tf <<'END'
nope = 1
END
terraform validate
cat > main.tf <<'END'
locals {
  a = 1
  a = 2
  x {
  }
}
END
terraform validate
cat > main.tf <<'END'
locals {
  a = 1
}
locals {
  a = 2
}
END
terraform validate
cat > main.tf <<'END'
locals "x" {
}
END
terraform validate
cat > main.tf <<'END'
output "x" {
}
END
terraform validate
cat > main.tf <<'END'
output "x" {
  value = 1
  nope = 2
}
output "x" {
  value = 1
}
END
terraform validate
cat > main.tf <<'END'
output "x" {
  value = sensitive(1)
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
output "x" {
  value = sensitive(1)
  sensitive = true
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
output "x" {
  value = 1
  precondition {
    condition = false
    error_message = "Nope."
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
output "x" {
  value = 1
  sensitive = "x"
  depends_on = [terraform_data.q]
}
END
terraform validate
cat > main.tf <<'END'
output "1x" {
  value = 1
}
END
terraform validate
cat > main.tf <<'END'
output x {
  value = 1
}
END
terraform validate
cat > main.tf <<'END'
terraform {
  required_version = "> 2"
}
END
terraform validate
terraform plan
terraform init
cat > main.tf <<'END'
terraform {
  required_version = "x"
}
END
terraform validate
cat > main.tf <<'END'
terraform {
  required_version = 5
  nope = 1
  x {
  }
}
END
terraform validate
cat > main.tf <<'END'
terraform {
  required_providers {
    x = 5
    y = { source = "a/b/c/d" }
    z = { version = "x" }
  }
}
END
terraform validate
cat > main.tf <<'END'
terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
resource "terraform_data" "a" {
}
END
terraform validate
cat > main.tf <<'END'
terraform {
  experiments = [x]
}
END
terraform validate
cat > main.tf <<'END'
moved {
  from = terraform_data.a
}
END
terraform validate
cat > main.tf <<'END'
moved {
  from = terraform_data.a
  to = terraform_data.a
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
moved {
  from = terraform_data.a
  to = module.x
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
moved {
  from = terraform_data.a
  to = other.b
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
moved {
  from = "terraform_data.a"
  to = data.a.b
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
moved {
  from = terraform_data.a[0]
  to = terraform_data.b
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
moved {
  from = terraform_data.a
  to = terraform_data.b
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
moved {
  from = terraform_data.a
  to = terraform_data.b
}
moved {
  from = terraform_data.a
  to = terraform_data.c
}
moved {
  from = terraform_data.x
  to = terraform_data.b
}
resource "terraform_data" "b" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
moved {
  from = terraform_data.a
  to = terraform_data.b
}
moved {
  from = terraform_data.b
  to = terraform_data.a
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
removed {
  from = terraform_data.a
}
resource "terraform_data" "a" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
removed {
}
END
terraform validate
cat > main.tf <<'END'
removed {
  from = terraform_data.a[0]
  lifecycle {
    destroy = "x"
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
removed {
  from = data.a.b
  lifecycle {
    destroy = false
  }
}
END
terraform validate
cat > main.tf <<'END'
removed {
  from = terraform_data.a
  lifecycle {
    destroy = false
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
import {
  to = terraform_data.a
}
END
terraform validate
cat > main.tf <<'END'
import {
  to = terraform_data.a
  id = "x"
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
import {
  to = terraform_data.a
  id = ""
}
resource "terraform_data" "a" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
import {
  to = terraform_data.a
  id = null
}
resource "terraform_data" "a" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
import {
  to = terraform_data.a
  id = "x"
}
resource "terraform_data" "a" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
import {
  to = terraform_data.a
  id = "x"
}
import {
  to = terraform_data.a
  id = "y"
}
resource "terraform_data" "a" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
import {
  to = terraform_data.a[0]
  id = "x"
}
resource "terraform_data" "a" {
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
import {
  to = "terraform_data.a"
  id = 5
  x = 1
}
END
terraform validate
cat > main.tf <<'END'
import {
  to = data.a.b
  id = "5"
}
END
terraform validate
cat > main.tf <<'END'
import {
  to = terraform_data.a
  id = terraform_data.b.id
}
resource "terraform_data" "a" {
}
resource "terraform_data" "b" {
}
END
terraform validate
terraform plan
