locals {
  b = <<-EOT
  y ${local.c} %{ if true }z%{ endif }
  EOT
  c = <<EOT
x
EOT
}
output "o" { value = "${local.b}${local.c}" }
