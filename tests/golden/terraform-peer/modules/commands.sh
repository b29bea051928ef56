terraform init > /dev/null
mkdir -p m m/n
cat > m/main.tf <<'END'
variable "v" {
  type = number
}
variable "w" {
  default = 1
}
output "o" {
  value = var.v
}
resource "terraform_data" "r" {
  input = var.v
}
END
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = 1
}
END
terraform validate
terraform plan
terraform providers
terraform modules
terraform modules -json
terraform get
terraform modules
terraform modules -json
terraform validate
cat > main.tf <<'END'
module "m" {
  source = "./m"
}
module "k" {
  source = "./m"
  v = 1
}
END
terraform validate
terraform plan
terraform graph
terraform console < /dev/null
terraform providers
terraform init
cat > main.tf <<'END'
module "m" {
  source = "./m"
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = "x"
  nope = 1
  x {
  }
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = [1]
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = null
}
output "x" {
  value = module.m.nope
}
output "y" {
  value = module.m.o.x
}
output "z" {
  value = module.m[0].o
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = 1
  count = "x"
  for_each = {}
}
END
terraform validate
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = 1
  count = 2
}
output "x" {
  value = module.m.o
}
output "y" {
  value = module.m[5].o
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./zz"
}
END
terraform validate
terraform init
cat > main.tf <<'END'
module "m" {
}
END
terraform validate
terraform init
cat > main.tf <<'END'
module "m" {
  source = var.x
}
variable "x" {
}
END
terraform validate
terraform init
cat > main.tf <<'END'
module "m" {
  source = "m"
}
END
terraform validate
terraform init
cat > main.tf <<'END'
module "m" {
  source = ""
}
END
terraform validate
terraform init
cat > main.tf <<'END'
module "m" {
  source = "./m"
  version = "1"
  v = 1
}
END
terraform validate
terraform init
cat > main.tf <<'END'
module "m" {
  source = "./m/n"
}
END
terraform validate
terraform init
terraform validate
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = 1
}
module "m" {
  source = "./m"
  v = 1
}
END
terraform validate
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = 1
  providers = {
    terraform = terraform.x
    nope = nope
  }
}
END
terraform validate
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = 1
  depends_on = [module.zz]
  lifecycle {
  }
}
END
terraform validate
cat > main.tf <<'END'
module "m m" {
  source = "./m"
  v = 1
}
module {
}
END
terraform validate
cat > m/main.tf <<'END'
variable "v" {
  type = number
  validation {
    condition = var.v > 5
    error_message = "Over 5."
  }
}
output "o" {
  value = sensitive(var.v)
}
output "p" {
  value = nope.x
}
END
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = 1
}
END
terraform init > /dev/null
terraform validate
terraform plan
cat > m/main.tf <<'END'
variable "v" {
  type = number
  validation {
    condition = var.v > 5
    error_message = "Over 5."
  }
}
output "o" {
  value = sensitive(var.v)
}
END
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = 1
}
output "x" {
  value = module.m.o
}
END
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./m"
  v = 7
}
output "x" {
  value = module.m
}
END
terraform validate
terraform plan
cat > m/main.tf <<'END'
module "m" {
  source = "../m"
}
END
cat > main.tf <<'END'
module "m" {
  source = "./m"
}
END
terraform validate
