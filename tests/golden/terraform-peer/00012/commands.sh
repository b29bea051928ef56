terraform init > /dev/null
terraform plan
terraform apply -auto-approve
terraform show
cat > main.tf <<'END'
locals {
  l0 = { name = "alpha", id = "line one\nline two\n", "with space" = 1 }
  l1 = "beta"
}

resource "terraform_data" "app" {
  input = "ga mma"
}

resource "terraform_data" "db" {
  input = <<-EOT
    some text
      more
  EOT

}

resource "terraform_data" "cache" {
  input = merge({ x = merge({ x = toset(["q", "r", "1"]) }, { y = merge({ x = "line one\nline two\n" }, { y = "line one\nline two\n" }) }) }, { y = tolist(["5", "z"]) })
}

resource "terraform_data" "queue" {
  input = { first = try(<<-EOT
    some text
      more
  EOT
, length([1.50, "${upper("d")}"])), second = "line one\nline two\n" }
  triggers_replace = "ga mma"
}

output "o0" {
  value = terraform_data.cache.id
}

output "o1" {
  value = terraform_data.cache.id
}

output "o2" {
  value = terraform_data.queue.id
  sensitive = true
}

END
terraform plan
terraform apply -auto-approve
terraform plan -detailed-exitcode
terraform output -json
terraform plan -destroy
