locals {
  l0 = { name = "alpha", id = "line one\nline two\n", "with space" = 1 }
  l1 = "beta"
}

resource "terraform_data" "app" {
  input = [for i in range(3) : i * 2]
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
  input = "alpha"
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

