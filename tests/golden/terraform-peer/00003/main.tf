resource "terraform_data" "app" {
  count = 1
  input = "n-${count.index}"
}

resource "terraform_data" "db" {
  input = <<-EOT
    some text
      more
  EOT

  lifecycle {
    ignore_changes = [input]
  }
}

resource "terraform_data" "cache" {
  input = <<-EOT
    some text
      more
  EOT

  depends_on = [terraform_data.db]
}

resource "terraform_data" "queue" {
  input = "quo\"te"
  triggers_replace = "beta"
  lifecycle {
    create_before_destroy = true
  }
}

check "health" {
  assert {
    condition     = length(jsonencode(terraform_data.db.input)) > 6
    error_message = "Too short."
  }
}
