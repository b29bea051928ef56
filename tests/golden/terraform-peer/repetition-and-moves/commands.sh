cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = "x"
}
resource "terraform_data" "b" {
  for_each = toset([terraform_data.a.id])
}
END
terraform init > /dev/null
terraform validate
terraform plan
terraform plan -target=terraform_data.a
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = "x"
}
resource "terraform_data" "b" {
  count = length(terraform_data.a.output)
}
resource "terraform_data" "c" {
  count = -1
}
resource "terraform_data" "d" {
  count = 1.5
}
resource "terraform_data" "e" {
  count = "two"
}
resource "terraform_data" "f" {
  count = null
}
resource "terraform_data" "g" {
  for_each = ["a"]
}
resource "terraform_data" "h" {
  for_each = null
}
resource "terraform_data" "i" {
  for_each = toset([1, 2])
}
resource "terraform_data" "j" {
  for_each = { a = 1, b = null }
  input = each.value
}
resource "terraform_data" "k" {
  for_each = toset(["a", null])
}
resource "terraform_data" "l" {
  input = each.key
}
resource "terraform_data" "m" {
  input = count.index
}
resource "terraform_data" "n" {
  count = 2
  input = each.key
}
resource "terraform_data" "o" {
  for_each = "abc"
}
resource "terraform_data" "p" {
  count = true
}
resource "terraform_data" "q" {
  for_each = sensitive(toset(["a"]))
}
resource "terraform_data" "r" {
  count = sensitive(2)
}
resource "terraform_data" "s" {
  input = terraform_data.n.id
}
resource "terraform_data" "t" {
  input = terraform_data.j.id
}
resource "terraform_data" "u" {
  input = terraform_data.a[0].id
}
resource "terraform_data" "v" {
  input = terraform_data.j["zz"].id
}
resource "terraform_data" "w" {
  input = terraform_data.n[7].id
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
moved {
  from = terraform_data.a
  to   = terraform_data.b
}
moved {
  from = terraform_data.b
  to   = terraform_data.c
}
resource "terraform_data" "c" {
  input = 1
}
END
sed 's/"c"/"a"/' main.tf | tail -3 > a.tf_
mv main.tf main.t
mv a.tf_ main.tf
terraform apply -auto-approve
mv main.t main.tf
terraform plan
terraform apply -auto-approve
terraform plan
cat > main.tf <<'END'
moved {
  from = terraform_data.c
  to   = terraform_data.d[0]
}
resource "terraform_data" "d" {
  count = 2
  input = count.index
}
END
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
moved {
  from = terraform_data.d[0]
  to   = terraform_data.d["a"]
}
moved {
  from = terraform_data.d[1]
  to   = terraform_data.d["b"]
}
resource "terraform_data" "d" {
  for_each = toset(["a", "b"])
  input = each.key
}
END
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
moved {
  from = terraform_data.d
  to   = module.m.terraform_data.d
}
module "m" {
  source = "./m"
}
END
mkdir m
cat > m/main.tf <<'END'
resource "terraform_data" "d" {
  for_each = toset(["a", "c"])
  input = each.key
}
END
terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
moved {
  from = module.m
  to   = module.n["x"]
}
module "n" {
  source = "./m"
  for_each = toset(["x"])
}
END
terraform init > /dev/null
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
moved {
  from = module.n
  to   = module.n
}
moved {
  from = terraform_data.a
  to = module.n
}
moved {
  from = terraform_data.a
}
moved {
  from = terraform_data.a
  to = data.x.y
}
moved {
  from = var.x
  to = local.y
}
END
terraform plan
cat > main.tf <<'END'
import {
  for_each = toset(["a", "b"])
  to = terraform_data.i[each.key]
  id = each.key
}
resource "terraform_data" "i" {
  for_each = toset(["a", "b"])
}
END
terraform plan
terraform apply -auto-approve
cat > main.tf <<'END'
import {
  to = terraform_data.z
  id = "x"
}
END
terraform plan
cat > main.tf <<'END'
variable "v" {
  default = "q"
}
import {
  to = terraform_data.z
  id = var.v
}
import {
  to = terraform_data.z
  id = "k"
}
resource "terraform_data" "z" {
}
END
terraform plan
cat > main.tf <<'END'
import {
  to = terraform_data.z[0]
  id = ""
}
import {
  to = terraform_data.z[5]
  id = "c"
}
import {
  to = terraform_data.z[1]
  id = null
}
resource "terraform_data" "z" {
  count = 2
}
END
terraform plan
terraform validate
