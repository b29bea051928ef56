locals { 
  a = local.b
  b = local.c
  c = local.a
}
output "x" { value = local.a }
