mkdir m
echo 'output "o" { value = 1 }' > m/main.tf
cat > main.tf <<'END'
module "m" {
  source = "./m"
}
END
cp main.tf good.t
echo 'resource "terraform_data" "a" {' >> main.tf
terraform init
terraform get
cp good.t main.tf
echo 'resource "terraform_data" "a" { q = 1 }' >> main.tf
terraform init
terraform get
cp good.t main.tf
echo 'variable "a" { q = 1 }' >> main.tf
terraform init
cp good.t main.tf
echo 'foo "a" { q = 1 }' >> main.tf
terraform init
cp good.t main.tf
echo 'variable "a" {}' > a.tf
echo 'variable "a" {}' > b.tf
terraform init
rm a.tf b.tf
echo 'locals { a = foo.bar }' > a.tf
terraform init
rm a.tf
echo 'variable "a" { q = 1 }' > m/main.tf
terraform init
terraform get
echo 'resource "terraform_data" "a" {' > m/main.tf
terraform init
terraform get
terraform validate
terraform init
terraform validate
terraform init
terraform validate
terraform get
terraform init
rm a.tf
echo 'output "o" { value = 1 }' > m/main.tf
echo 'module "n" { source = "./nono" }' > a.tf
terraform init
terraform get
terraform validate
echo 'module "n" { source = "nono" }' > a.tf
terraform init
echo 'module "n" { }' > a.tf
terraform init
echo 'module "n" { source = 5 }' > a.tf
terraform init
terraform init
echo 'module "m" { source = "./m" }' > a.tf
terraform init
rm a.tf
terraform init
cat > main.tf <<'END'
module "m" {
  source = "./m"
  nono   = 1
}
END
terraform init
terraform get
terraform validate
terraform plan
echo 'variable "b" {}' > m/v.tf
terraform init
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./m"
  nono   = 1
  b      = 1
  also   = foo
}
END
terraform init
terraform get
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./m"
}
END
terraform init
terraform get
terraform validate
terraform plan
cat > main.tf <<'END'
module "m" {
  source = "./m"
  b      = 1
  q {
  }
}
END
terraform init
terraform validate
rm -rf ./* .terraform
cat > main.tf <<'END'
terraform {
  backend "local" {
    foo = 1
  }
}
END
terraform init
terraform validate
terraform plan
cat > main.tf <<'END'
terraform {
  backend "local" {
    path = 1
    workspace_dir = ["a"]
    pth = 5
    q {
    }
  }
}
END
terraform init
terraform plan
cat > main.tf <<'END'
terraform {
  backend "local" {
    path = 1
    workspace_dir = null
  }
}
END
terraform init
terraform plan
cat > main.tf <<'END'
variable "x" {
}
terraform {
  backend "local" {
    path = var.x
  }
}
END
terraform init
terraform plan
cat > main.tf <<'END'
terraform {
  backend "local" {
    path = "a${1+1}"
  }
  backend "local" {
  }
}
END
terraform init -reconfigure
terraform plan
cat > main.tf <<'END'
terraform {
  backend "local" {
    path = ""
  }
}
END
terraform init -reconfigure
terraform plan
