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


output "r0" { value = index(var.any.x, local.hidden) }

output "r1" { value = format(setsubtract(chunklist(local.big, local.list), local.list[0] == "a")) }

output "r2" {
  value = [
    local.big,
    1
  ]
}

output "r3" { value = formatlist(local.object.a) }

output "r4" { value = yamlencode([for x in local.set : x if x != 1]) }

output "r5" {
  value = [
    [tobool(local.object), [for x in -1 : x == "a"]],
    1
  ]
}

output "r6" { value = join(md5(local.part), parseint(local.set, local.object["b"]), local.object["b"]) == "true" }

output "r7" { value = {a = var.list, b = local.number} }

output "r8" { value = local.empty }

output "r9" { value = sensitive("s") * local.text }

output "r10" { value = [local.one, local.one] }

output "r11" { value = (local.nothing).a }

output "r12" {
  value = [
    tonumber(contains([local.text], local.object["b"])),
    1
  ]
}

output "r13" { value = length({ k = local.number }) }

output "r14" {
  value = [
    trimprefix(toset(["b","a"]), cidrsubnet(var.list, local.map, "%v")),
    1
  ]
}

output "r15" { value = issensitive(local.object["b"]) }

output "r16" { value = local.list[*] != local.text }

output "r17" { value = signum(local.map.k) }

output "r18" { value = csvdecode(local.hidden) }

output "r19" { value = [for x in local.part && [] : x.a] }

output "r20" { value = formatdate(local.object["b"], local.hidden) / setproduct(local.number, [true,null]) }

output "r21" { value = local.map.k }

output "r22" { value = formatlist(timecmp(local.map, var.list), replace(local.truth, local.strings, upper(local.text))) }

output "r23" { value = local.strings && local.big }

output "r24" { value = local.map ? zipmap({a = var.list[0], b = local.object.a}, var.name) : local.truth }

output "r25" {
  value = [
    local.empty < { k = local.number },
    1
  ]
}

output "r26" { value = chunklist(local.strings, local.object) }

output "r27" { value = [var.any, local.object] }

output "r28" { value = formatlist(local.object.zz, local.set, upper(local.text)) }

output "r29" { value = formatdate(local.set ? local.object : local.nothing, strcontains("10", var.any.x)) }

output "r30" { value = local.strings }

output "r31" {
  value = [
    0 ? flatten(100) : (local.list).a,
    1
  ]
}

output "r32" { value = regexall((local.strings)[*], [for x in local.hidden : x == "a"]) }

output "r33" { value = coalesce(var.list[0], local.strings, local.map) }

output "r34" { value = issensitive(local.truth) }

output "r35" { value = local.lines - title(local.lines) }

output "r36" { value = min(local.one ? local.map : -1, local.truth, setsubtract(tostring(null), local.object.zz)) }

output "r37" { value = (cidrsubnet(local.object.b, local.text, local.map.k))["a"] }

output "r38" { value = [local.text] }

output "r39" { value = local.number }

output "r40" { value = "<${issensitive(local.strings)}>" }

output "r41" { value = local.object }

output "r42" { value = (setintersection(local.number)).b }

output "r43" { value = [local.list, "B c"] }

output "r44" { value = issensitive(local.object.a) }

output "r45" { value = cidrnetmask("<${local.object.a}>" / zipmap({a=null}, local.truth)) }

output "r46" { value = min(upper(local.text), var.size) }

output "r47" { value = {a = local.empty, b = "%v"} }

output "r48" { value = {for k, v in local.list[0] : k => v...} }

output "r49" {
  value = [
    local.empty < local.part,
    1
  ]
}

output "r50" {
  value = [
    chunklist(timecmp(var.list, local.list[*]), keys(local.nothing)),
    1
  ]
}

output "r51" {
  value = [
    trimspace(chunklist(local.strings, [local.text])),
    1
  ]
}

output "r52" { value = [tomap({a=1,b=2}), local.list[0]] }

output "r53" { value = cidrsubnets(local.list, -2, "null") }

output "r54" { value = var.size }

output "r55" { value = local.nothing }

output "r56" { value = { k = local.number } }

output "r57" { value = jsondecode(local.empty == "%v") }

output "r58" { value = tomap(format({ k = local.number })) }

output "r59" { value = "<${"<${var.list[0]}>"}>" }

output "r60" { value = local.map }

output "r61" { value = {a = ceil(local.nothing), b = {a=sensitive("x")}} }

output "r62" { value = coalesce(([for x in local.map : x.a]).b, base64encode(local.list) ? local.map.k : "  x " + local.big, "<${values(local.map)}>") }

output "r63" { value = element(false, [["a"],[]]) ? compact(local.list[9]) : "<${[sensitive(1),2]}>" }

output "r64" { value = matchkeys(tostring([{a=1},{b="x"}]), startswith("a,b,c", local.nothing), local.list[9] * local.object) }

output "r65" { value = strcontains(local.number, format(var.list, var.any, local.empty)) }

output "r66" { value = md5(merge(local.list, {for k, v in sensitive("s") : k => v...})) }

output "r67" { value = concat(local.object.zz, local.none) }

output "r68" { value = base64encode(local.map) }

output "r69" {
  value = [
    local.text / local.map.k,
    1
  ]
}

output "r70" { value = [for x in [local.text] : x if x != 1] }

output "r71" { value = (log("%s-%d", local.hidden))[0] }

output "r72" { value = tomap(local.hidden) }

output "r73" { value = setunion(abs(var.name), [for x in local.truth : x.a], (local.nothing)[*].a) }

output "r74" { value = local.strings ? local.number : toset([1,2]) }

output "r75" { value = var.list[0] }

output "r76" {
  value = [
    local.part,
    1
  ]
}

output "r77" { value = {for k, v in local.nothing : k => v} && flatten(local.big) }

output "r78" { value = element(local.text, local.big) }

output "r79" { value = coalesce(var.any.x) }

output "r80" { value = (formatdate(var.size, { k = local.number }) ? local.none : yamlencode(local.text)).a }

output "r81" { value = max(local.object.a, "%v") }

output "r82" { value = coalescelist(var.name) }

output "r83" {
  value = [
    [for x in csvdecode("<${local.number}>") : x.a],
    1
  ]
}

output "r84" { value = "<${"<${local.list}>"}>" }

output "r85" { value = local.strings / upper(local.text) }

output "r86" { value = jsondecode("<${local.object["b"]}>") }

output "r87" { value = "<${"<${local.strings}>"}>" }

output "r88" { value = ({ k = local.number }).a }

output "r89" { value = length(sha256(local.object)) }

output "r90" { value = [1,2,3] / var.any.x }

output "r91" { value = local.hidden || local.nothing }

output "r92" { value = basename(timecmp(local.set, local.list[*])) }

output "r93" { value = (local.truth)[*].a }

output "r94" { value = values([local.truth, var.any.x]) }

output "r95" { value = (var.any).a }

output "r96" { value = var.size ? local.part : {for k, v in setunion(local.list[9], local.object.zz) : k => v...} }

output "r97" { value = local.lines }

output "r98" { value = local.object ? reverse("é") : local.none }

output "r99" {
  value = [
    [for x in setintersection(local.nothing) : x.a],
    1
  ]
}

output "r100" { value = title(one("<${local.list}>")) }

output "r101" { value = false && local.object.a }

output "r102" { value = [for x in [for x in local.set : x == "a"] : x == "a"] }

output "r103" { value = {for k, v in local.big : k => v...} }

output "r104" {
  value = [
    contains(["b","a","a"], local.set),
    1
  ]
}

output "r105" { value = matchkeys(values([true,null]), jsonencode(local.truth), timecmp(local.map.k, local.map)) }

output "r106" { value = sensitive(timeadd({a = var.list, b = local.lines}, format(local.map.k))) }

output "r107" { value = local.list[*] }

output "r108" { value = local.big != local.big - (local.truth)[0] }

output "r109" {
  value = [
    [for x in local.list[0] : x.a],
    1
  ]
}

output "r110" { value = floor(tobool(local.list[0])) }

output "r111" { value = (var.any)[*].a ? local.object.a ? local.text : var.list : "(a)(b)?" ? var.name : { k = local.number } }

output "r112" { value = local.object.a }

output "r113" { value = max(local.object.b) }

output "r114" { value = tostring(var.list[0]) }

output "r115" { value = local.hidden }

output "r116" { value = local.set }

output "r117" { value = var.any.x }

output "r118" { value = nonsensitive([local.text]) }

output "r119" { value = local.object.b }

output "r120" { value = local.number ? var.any.x : local.map.k }

output "r121" { value = {for k, v in var.any.x : k => v...} }

output "r122" { value = endswith(local.text == local.text, {for k, v in local.one : k => v}) }

output "r123" { value = cidrsubnet(jsondecode(var.any.x), "true", dirname({for k, v in {a=sensitive("x")} : k => v...})) }

output "r124" { value = local.text }

output "r125" { value = {a = local.object["b"], b = var.list} }

output "r126" { value = length(local.list[9]) }

output "r127" { value = replace({for k, v in local.text : k => v...}, local.object.a, {a = local.object["b"], b = local.strings}) }

output "r128" { value = join(one(local.none), tostring(local.object)) }

output "r129" {
  value = [
    floor(var.size),
    1
  ]
}

output "r130" { value = local.object.b == "10.0.0.0/16" }

output "r131" { value = ({for k, v in local.object : k => v})[*].a }

output "r132" { value = urlencode(var.any != local.list[9]) }

output "r133" { value = {a = "(a)(b)?", b = local.list[9]} }

output "r134" { value = issensitive(local.map.k ? local.object.a : {b=[1],a={c=1}}) }

output "r135" { value = matchkeys(local.truth, toset(["b","a"]), { k = local.number }) }

output "r136" { value = jsondecode(var.any) }

output "r137" { value = values([local.text] == {}) }

output "r138" { value = (format(local.strings, var.any.x, local.part)).b }

output "r139" { value = local.list[9] }

output "r140" { value = cidrsubnets(local.map.k, local.lines) }

output "r141" {
  value = [
    cidrsubnets([for x in var.list[0] : x if x != 1]),
    1
  ]
}

output "r142" { value = "<${local.list[9]}>" }

output "r143" { value = regexall([1,2,3] ? local.truth : 1, local.object["b"] + local.object.a) }

output "r144" { value = tomap(local.number) }

output "r145" { value = sha256(local.big) }

output "r146" { value = trim(local.list[9], "") / {for k, v in local.lines : k => v} }

output "r147" { value = local.object["b"] }

output "r148" { value = {for k, v in local.truth : k => v} }

output "r149" {
  value = [
    upper(var.list),
    1
  ]
}

output "r150" { value = toset(local.hidden) }

output "r151" { value = trimspace(trim(-2, local.map) * chunklist(local.list[*], local.big)) }

output "r152" { value = [for x in local.big : x.a] }

output "r153" { value = max((local.list[9])[1], nonsensitive(local.list[0]), local.hidden) }

output "r154" {
  value = [
    local.big ? local.map.k : local.map.k,
    1
  ]
}

output "r155" { value = substr(tobool(upper(local.list[*])), {a = local.nothing, b = local.list[9]}, var.list[0]) }

output "r156" { value = {for k, v in local.object.zz : k => v...} }

output "r157" { value = (strcontains(local.lines, local.list[*])).b }

output "r158" { value = timecmp(var.any.x + local.empty, urlencode([local.text])) }

output "r159" { value = sensitive(yamlencode(local.map.k)) }

output "r160" {
  value = [
    merge(local.lines, local.big, upper(local.text)),
    1
  ]
}

output "r161" {
  value = [
    local.none,
    1
  ]
}

output "r162" { value = upper(local.text) }

output "r163" { value = setunion(strrev(local.list)) }

output "r164" { value = regexall(upper(local.text), local.text) }

output "r165" { value = {for k, v in { k = local.number } : k => v} }

output "r166" {
  value = [
    ["%s-%d", cidrsubnets(local.map.k, "a,b,c")],
    1
  ]
}

output "r167" { value = "<${local.list}>" }

output "r168" { value = zipmap(local.object.zz, local.list) ? signum([1,2,3]) : coalesce([local.text], local.lines) }

output "r169" { value = "<${{ k = local.number }}>" }

output "r170" { value = cidrhost(local.part, base64decode(local.part)) }

output "r171" { value = signum(local.object) }

output "r172" { value = upper(trimprefix(local.list[*], var.size)) }

output "r173" { value = [var.any, toset(["b","a"])] }

output "r174" { value = [for x in local.strings : x.a] }

output "r175" { value = tomap(local.text) }

output "r176" {
  value = [
    var.name,
    1
  ]
}

output "r177" { value = {a = 100, b = var.name} }

output "r178" { value = [for x in trim(local.list[9], local.map.k) : x if x != 1] }

output "r179" { value = base64decode(local.list[0]) }

output "r180" { value = startswith(local.text, base64encode(local.list)) }

output "r181" { value = {for k, v in var.any : k => v} }

output "r182" {
  value = [
    reverse(local.one),
    1
  ]
}

output "r183" { value = chunklist(local.map.k, var.size) }

output "r184" { value = can(coalescelist(local.object.a)) }

output "r185" { value = [for x in yamlencode(max(var.size, toset([1,2]), local.list[0])) : x.a] }

output "r186" { value = {a = var.any.x, b = var.list} }

output "r187" { value = can("<${[local.map, 2.5]}>") }

output "r188" { value = [signum(({a=1})["x"]), coalesce(distinct(local.part))] }

output "r189" { value = "<${local.object.a}>" }

output "r190" { value = zipmap("%v" ? local.big : local.list[9], cidrhost(local.object.b, var.list[0])) }

output "r191" { value = distinct(timeadd(var.any.x, signum(var.any.x))) }

output "r192" { value = index(local.strings, var.any.x) - var.list[0] * tolist([1,2]) }

output "r193" { value = var.list }

output "r194" { value = "<${var.size}>" }

output "r195" { value = local.big * local.strings }

output "r196" { value = merge({a=1}, replace({for k, v in local.one : k => v}, { k = local.number } ? [] : var.size, local.text), local.strings) }

output "r197" { value = one(chunklist(local.list[*], local.list[*])) }

output "r198" { value = try(local.none) ? title(local.text) : local.hidden }

output "r199" { value = merge(local.hidden, local.empty) }

output "r200" {
  value = [
    (local.map)[*].a,
    1
  ]
}

output "r201" { value = jsonencode({for k, v in local.list[*] : k => v}) }

output "r202" { value = index(tonumber(trim(local.map.k, local.one)), nonsensitive([for x in var.size : x if x != 1])) }

output "r203" { value = ({a = local.list[*], b = 0.1})["a"] }

output "r204" { value = base64decode(local.big) }

output "r205" { value = [[for x in local.object["b"] : x.a], var.any] }

output "r206" {
  value = [
    [local.number, local.object.b],
    1
  ]
}

output "r207" { value = {a = local.object.a, b = local.nothing} }

output "r208" { value = split(trimspace(local.hidden), sensitive("s")) }

output "r209" { value = local.object.zz }

output "r210" { value = yamlencode(local.list) }

output "r211" {
  value = [
    split(upper(strrev(local.text)), md5(0.1)),
    1
  ]
}

output "r212" { value = floor(local.list[9]) }

output "r213" { value = merge(local.map.k, local.object["b"] && {a=sensitive("x")}) }

output "r214" { value = ceil(local.one) }

output "r215" { value = join(0.1 * local.object, [local.text]) }

output "r216" { value = try({a = local.object.zz, b = "<${local.object}>"}) }

output "r217" { value = anytrue(local.list[*]) }

output "r218" { value = [["a"],[]] < var.any.x }

output "r219" { value = local.hidden * var.any }
