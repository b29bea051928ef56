resource "terraform_data" "u" {}

locals {
  u      = terraform_data.u.id
  s      = tostring(terraform_data.u.id)
  n      = tonumber(terraform_data.u.id)
  b      = tobool(terraform_data.u.id)
  l      = tolist(terraform_data.u.output)
  m      = tomap(terraform_data.u.output)
  set    = toset(terraform_data.u.output)
  pre    = "pre-${terraform_data.u.id}"
  list   = ["a", local.s]
  object = { a = 1, b = local.s }
  h      = sensitive("h")
  hl     = sensitive(["a", "b"])
  ho     = { a = sensitive("x"), b = "y" }
  hm     = tomap({ a = sensitive("x"), b = "y" })
  hs     = sensitive(local.s)
}
