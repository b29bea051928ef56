variable "size" {
  type    = number
  default = 3
}

variable "name" {
  type    = string
  default = "web"
}

variable "any" {
  default = "x"
}

variable "secret" {
  type      = string
  default   = "s3cret"
  sensitive = true
}

variable "list" {
  type    = list(string)
  default = ["a", "b"]
}

locals {
  number = 12
  text   = "web"
  truth  = true
  nothing = null
  list   = ["a", "b"]
  strings = tolist(["a", "b"])
  empty  = []
  none   = tolist([])
  object = { a = 1, b = { c = [1, 2] } }
  one    = { only = 1 }
  map    = tomap({ k = "v" })
  set    = toset(["x"])
  big    = 123456789012345
  part   = 0.3333333333333
  lines  = "a\nb"
  hidden = sensitive("h")
}

output "o01" { value = local.text + 1 }
output "o02" { value = local.object.x }
output "o03" { value = local.object.b.d }
output "o04" { value = local.list[5] }
output "o05" { value = local.list["x"] }
output "o06" { value = local.map["nope"] }
output "o07" { value = local.map.nope }
output "o08" { value = local.text.foo }
output "o09" { value = local.nothing.foo }
output "o10" { value = local.nothing[0] }
output "o11" { value = local.set[0] }
output "o12" { value = "x-${local.list}" }
output "o13" { value = "x-${local.nothing}-y" }
output "o14" { value = upper(local.list) }
output "o15" { value = upper(local.nothing) }
output "o16" { value = max(local.number, local.text) }
output "o17" { value = element(local.none, local.number) }
output "o18" { value = [for x in local.number : x] }
output "o19" { value = { for x in local.list : "same" => x } }
output "o20" { value = { for k, v in local.object : v => k } }
output "o21" { value = [for x in local.list : x.foo] }
output "o22" { value = local.truth ? local.list : local.text }
output "o23" { value = local.text ? 1 : 2 }
output "o24" { value = local.nothing ? 1 : 2 }
output "o25" { value = !local.text }
output "o26" { value = -local.text }
output "o27" { value = local.text && true }
output "o28" { value = local.list[*].foo }
output "o29" { value = local.object[local.text] }
output "o30" { value = local.list[local.part] }
output "o31" { value = tonumber(local.text) }
output "o32" { value = regex("[", local.text) }
output "o33" { value = jsondecode(local.lines) }
output "o34" { value = lookup(local.map, "zz") }
output "o35" { value = substr(local.text, 0) }
output "o36" { value = substr(local.text, 0, 1, 2) }
output "o37" { value = uppr(local.text) }
output "o38" { value = try(local.object.zz, local.list[9]) }
output "o39" { value = local.object.b.c.d }
output "o40" { value = local.one.other }
output "o41" { value = cidrsubnet(local.text, 1, 1) }
output "o42" { value = format("%d", local.text) }
output "o43" { value = local.big.x }
output "o44" { value = local.part.x }
output "o45" { value = local.lines.x }
output "o46" { value = concat(local.list, local.text) }
output "o47" { value = merge(local.object, local.list) }
output "o48" { value = local.strings.foo }
output "o49" { value = file("nope.txt") }
output "o50" {
  value = {
    a = local.text
    b = [
      local.object.zz,
      local.number
    ]
  }
}
output "o51" {
  value = local.truth ? [
    1,
    2
  ] : local.object
}
output "o52" { value = var.size.foo }
output "o53" { value = var.list[9] }
output "o54" { value = var.name.foo }
output "o55" { value = var.any.foo }
output "o56" { value = var.list.foo }
output "o57" { value = upper(var.list) }
output "o58" { value = var.size ? 1 : 2 }
output "o59" { value = [for v in var.size : v] }
output "o60" { value = var.list[var.name] }
output "o61" { value = join(",", var.size) }
output "o62" { value = local.hidden.foo }
output "o63" { value = tonumber(local.hidden) }
output "o64" { value = max(local.list...) }
output "o65" { value = max(local.text...) }
output "o66" { value = sort(local.object) }
output "o67" { value = zipmap(local.list, [1]) }
output "o68" { value = parseint(local.text, 10) }
output "o69" { value = templatestring(local.text, local.list) }
output "o70" { value = templatestring(local.lines, { "a b" = 1 }) }
output "o71" { value = slice(local.list, 1, 9) }
output "o72" { value = [for i, x in local.list : x if x] }
output "o73" { value = local.list == null ? 1 : local.object.q }
output "o74" { value = "${local.text}-${local.object}-${local.map}" }
output "o75" { value = chunklist(local.list, -1) }
output "o76" { value = { (local.list) = 1 } }
output "o77" { value = { (local.nothing) = 1 } }
output "o78" { value = local.object[local.nothing] }
output "o79" { value = "%{if local.text}x%{endif}" }
output "o80" { value = "%{for x in local.number}x%{endfor}" }
output "o81" { value = "%{for x in local.list}${x.y}%{endfor}" }
output "o82" { value = range(0, 1e9) }
output "o83" { value = coalesce(local.nothing, "") }
output "o84" { value = one(local.list) }
output "o85" { value = distinct(local.text) }
output "o87" { value = setproduct(local.list) }
output "o88" { value = timeadd(local.text, "1h") }
output "o89" { value = formatdate("QQ", "2020-01-01T00:00:00Z") }
output "o90" { value = base64decode("%%%") }
