resource "terraform_data" "a" { input = "v" }
locals {
  u = terraform_data.a.output
  m = { a = local.u, b = 1 }
}
output "a" { value = upper(local.u) }
output "b" { value = local.m }
output "c" { value = [for k, v in local.m : "${k}=${v}"] }
output "d" { value = local.u == "v" ? 1 : 2 }
output "e" { value = length(local.u) }
output "f" { value = "x-${local.u}" }
output "g" { value = coalesce(local.u, "z") }
output "h" { value = try(local.u.foo, "no") }
output "i" { value = can(tonumber(local.u)) }
output "j" { value = toset([local.u, "b"]) }
output "k" { value = merge({ x = 1 }, { y = local.u }) }
output "l" { value = concat([1], [local.u]) }
output "m" { value = join(",", ["a", local.u]) }
output "n" { value = contains(["a", local.u], "a") }
output "o" { value = lookup(local.m, "a", "d") }
output "p" { value = local.u != null }
output "q" { value = jsonencode(local.m) }
output "r" { value = keys(local.m) }
output "s" { value = startswith("x-${local.u}", "x-") }
output "t" { value = element([local.u, "b"], 1) }
output "u" { value = { (local.u) = 1 } }
output "v" { value = tolist([local.u])[0] }
output "w" { value = false && local.u == "v" }
output "x" { value = replace(local.u, "v", "w") }
output "y" { value = split(",", local.u) }
output "z" { value = format("%s-%d", local.u, 5) }
