resource "terraform_data" "a" { 
  for_each = { x = { n = 1 }, y = { n = 2, m = 3 } } 
  input = each.value.m
}
resource "terraform_data" "b" { 
  for_each = toset(["x"]) 
  input = "${each.key}-${each.value}-${each.valu}"
}
resource "terraform_data" "c" { 
  count = 2
  input = each.key
}
resource "terraform_data" "d" { 
  input = count.index
}
