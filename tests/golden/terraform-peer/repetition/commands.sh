terraform init > /dev/null
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = -1
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = 1.5
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = "x"
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = null
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = [1]
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = true
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = "2"
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = {}
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = 99999999999999999999
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = sensitive(1)
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = terraform_data.b.output
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = each.key
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = length(terraform_data.b.id)
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = ["a", "b"]
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = toset(["a", 1])
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = toset([1, 2])
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = { a = 1 }
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = "x"
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = 5
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = null
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = toset([])
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = {}
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = sensitive(toset(["a"]))
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = { a = sensitive(1) }
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = toset([terraform_data.b.id])
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = { (terraform_data.b.id) = 1 }
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = toset(["a", null])
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = [for x in ["a"] : x]
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = tomap({ a = terraform_data.b.id })
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = toset([[1]])
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = true
}
resource "terraform_data" "b" {
  input = 1
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = 1
  for_each = {}
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = count.index
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = each.value
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  for_each = toset(["x"])
  input = count.index
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = 2
  input = each.key
}
END
terraform validate
cat > main.tf <<'END'
resource "terraform_data" "a" {
  count = count.index
}
END
terraform validate
