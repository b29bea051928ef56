terraform init > /dev/null
cat > main.tf <<'END'
variable "v" {
  default = [1, "a"]
}
locals {
  s = sensitive("x")
}
END
terraform init > /dev/null
echo '1 +' | terraform console
echo 'foo' | terraform console
echo 'upper(1, 2)' | terraform console
echo 'upper()' | terraform console
echo 'upper(null)' | terraform console
echo 'upper([1])' | terraform console
echo 'length(5)' | terraform console
echo 'length(null)' | terraform console
echo 'element([], 0)' | terraform console
echo 'element([1], "x")' | terraform console
echo 'lookup({}, "a")' | terraform console
echo 'lookup({a=1}, "b", 2, 3)' | terraform console
echo 'merge(1)' | terraform console
echo 'concat([1], 2)' | terraform console
echo 'join(",", [1, [2]])' | terraform console
echo 'join(1)' | terraform console
echo 'split("", "ab")' | terraform console
echo 'replace("a", "/(/", "b")' | terraform console
echo 'regex("(", "a")' | terraform console
echo 'regex("b", "a")' | terraform console
echo 'regexall("[", "a")' | terraform console
echo 'format("%d", "x")' | terraform console
echo 'format("%z", 1)' | terraform console
echo 'format("%d %d", 1)' | terraform console
echo 'format("%s", [1])' | terraform console
echo 'formatlist("%s", 1)' | terraform console
echo 'substr("abc", -1, 5)' | terraform console
echo 'substr("abc", "x", 1)' | terraform console
echo 'parseint("zz", 10)' | terraform console
echo 'parseint("1", 99)' | terraform console
echo 'tonumber("x")' | terraform console
echo 'tobool("yes")' | terraform console
echo 'tostring([1])' | terraform console
echo 'tolist(5)' | terraform console
echo 'toset({})' | terraform console
echo 'tomap([1])' | terraform console
echo 'tomap({a=1, b="x"})' | terraform console
echo 'jsondecode("{")' | terraform console
echo 'jsondecode("{\"a\":}")' | terraform console
echo 'yamldecode("a: [")' | terraform console
echo 'yamldecode("a: b: c")' | terraform console
echo 'yamldecode("*x")' | terraform console
echo 'yamldecode("- a\nb")' | terraform console
echo 'yamldecode("\t- a")' | terraform console
echo 'yamldecode("a: !foo b")' | terraform console
echo 'yamldecode("{a: 1, a: 2}")' | terraform console
echo 'yamldecode("---\na\n---\nb")' | terraform console
echo 'yamldecode("")' | terraform console
echo 'yamldecode(5)' | terraform console
echo 'csvdecode("a,b\n1")' | terraform console
echo 'csvdecode("a,a\n1,2")' | terraform console
echo 'base64decode("%%")' | terraform console
echo 'urlencode(null)' | terraform console
echo 'file("nope")' | terraform console
echo 'filebase64("nope")' | terraform console
echo 'templatefile("nope", {})' | terraform console
echo 'fileexists(".")' | terraform console
echo 'fileset(".", "[")' | terraform console
echo 'pathexpand(1)' | terraform console
echo 'timeadd("x", "1h")' | terraform console
echo 'timeadd("2020-01-01T00:00:00Z", "x")' | terraform console
echo 'formatdate("YY", "2020-01-01T00:00:00Z")' | terraform console
echo 'formatdate("'\''", "2020-01-01T00:00:00Z")' | terraform console
echo 'timecmp("a", "b")' | terraform console
echo 'cidrhost("x", 1)' | terraform console
echo 'cidrhost("10.0.0.0/8", 99999999999)' | terraform console
echo 'cidrsubnet("10.0.0.0/8", 30, 1)' | terraform console
echo 'cidrsubnet("10.0.0.0/8", 2, 9)' | terraform console
echo 'cidrnetmask("::/8")' | terraform console
echo 'cidrsubnets("10.0.0.0/8")' | terraform console
echo 'max()' | terraform console
echo 'min("a", 1)' | terraform console
echo 'pow(2)' | terraform console
echo 'abs("x")' | terraform console
echo 'ceil(null)' | terraform console
echo 'signum([])' | terraform console
echo 'sum([])' | terraform console
echo 'sum(["a"])' | terraform console
echo 'sum(5)' | terraform console
echo 'range(0)' | terraform console
echo 'range(1, 2, 0)' | terraform console
echo 'range(5, 1, 2)' | terraform console
echo 'range(1,2,3,4)' | terraform console
echo 'chunklist([1], -1)' | terraform console
echo 'chunklist([1], 0)' | terraform console
echo 'slice([1, 2], 1, 5)' | terraform console
echo 'slice([1, 2], 2, 1)' | terraform console
echo 'zipmap(["a"], [])' | terraform console
echo 'zipmap([1], [2])' | terraform console
echo 'setproduct([1])' | terraform console
echo 'setunion(1, 2)' | terraform console
echo 'setintersection()' | terraform console
echo 'transpose({a=1})' | terraform console
echo 'flatten(5)' | terraform console
echo 'keys([1])' | terraform console
echo 'values(1)' | terraform console
echo 'contains(5, 1)' | terraform console
echo 'index([1], 2)' | terraform console
echo 'index([], 2)' | terraform console
echo 'coalesce()' | terraform console
echo 'coalesce(null, "")' | terraform console
echo 'coalescelist([])' | terraform console
echo 'compact([null, 1])' | terraform console
echo 'distinct(5)' | terraform console
echo 'one([1, 2])' | terraform console
echo 'one(5)' | terraform console
echo 'sort([1, "a"])' | terraform console
echo 'sort([null])' | terraform console
echo 'reverse("a")' | terraform console
echo 'matchkeys([1], [1], [])' | terraform console
echo 'alltrue(["x"])' | terraform console
echo 'anytrue([1])' | terraform console
echo 'try()' | terraform console
echo 'try(foo)' | terraform console
echo 'can(foo)' | terraform console
echo 'can()' | terraform console
echo 'sensitive()' | terraform console
echo 'nonsensitive(1)' | terraform console
echo 'issensitive(sensitive(1))' | terraform console
echo 'type(1)' | terraform console
echo 'type([1, "a"])' | terraform console
echo 'uuidv5("dns")' | terraform console
echo 'uuidv5("x", "y")' | terraform console
echo 'bcrypt("x", 99)' | terraform console
echo 'sha256(1)' | terraform console
echo 'md5(null)' | terraform console
echo 'textencodebase64("a", "nope")' | terraform console
echo 'textdecodebase64("a", "utf-8")' | terraform console
echo 'strcontains("a")' | terraform console
echo 'startswith(1)' | terraform console
echo 'endswith("ab", "b")' | terraform console
echo 'strrev(null)' | terraform console
echo 'title(1)' | terraform console
echo 'trim("a")' | terraform console
echo 'trimspace([])' | terraform console
echo 'indent("x", "y")' | terraform console
echo 'chomp()' | terraform console
echo 'nope(1)' | terraform console
echo 'lenght("a")' | terraform console
echo 'provider::x::y(1)' | terraform console
echo 'core::upper("a")' | terraform console
echo 'terraform_data.x' | terraform console
echo 'var.x' | terraform console
echo 'local.x' | terraform console
echo 'path.module' | terraform console
echo 'path.nope' | terraform console
echo 'each.key' | terraform console
echo 'self' | terraform console
echo '1 / 0' | terraform console
echo '1 % 0' | terraform console
echo '"a" + 1' | terraform console
echo '-"a"' | terraform console
echo '!1' | terraform console
echo '1 && 2' | terraform console
echo '1 < "a"' | terraform console
echo '[1] < 2' | terraform console
echo 'null == null' | terraform console
echo '1 == "1"' | terraform console
echo '"${"' | terraform console
echo '"a' | terraform console
echo '[1, 2' | terraform console
echo '{a = 1' | terraform console
echo '{a = 1, a = 2}' | terraform console
echo '{[1] = 2}' | terraform console
echo '{null = 2}' | terraform console
echo '{(null) = 2}' | terraform console
echo '[1][5]' | terraform console
echo '[1]["x"]' | terraform console
echo '{a = 1}.b' | terraform console
echo '{a = 1}["b"]' | terraform console
echo '"abc"[0]' | terraform console
echo 'null.x' | terraform console
echo '5.x' | terraform console
echo '[1, 2].x' | terraform console
echo '[1, 2][*].x' | terraform console
echo '[for x in 5 : x]' | terraform console
echo '[for x in null : x]' | terraform console
echo '{for x in [1, 1] : x => 1}' | terraform console
echo '{for x in [1, 2] : x => 1...}' | terraform console
echo '{for x in [1] : null => 1}' | terraform console
echo '[for x in [1] : x if "x"]' | terraform console
echo 'true ? 1 : "a"' | terraform console
echo 'true ? [1] : {}' | terraform console
echo 'true ? [1] : 2' | terraform console
echo '"x" ? 1 : 2' | terraform console
echo 'null ? 1 : 2' | terraform console
echo '1e400' | terraform console
echo '0x10' | terraform console
echo '1_000' | terraform console
echo '99999999999999999999999999' | terraform console
echo '.5' | terraform console
echo '5.' | terraform console
echo '1..2' | terraform console
echo 'a.b.c.d' | terraform console
echo '"%{ if true }a"' | terraform console
echo '"%{ for x in [1] }${x}%{ endfor }"' | terraform console
echo '"${1}${2}"' | terraform console
echo 'exit(1)' | terraform console
printf 'var.v\nlocal.s\n[local.s]\nvar.v[0]\nvar.v.x\ntype(var.v)\nvar\nexit\n5\n' | terraform console
echo 'var.v' | terraform console -var 'v={a=1}'
echo 'var.v' | terraform console -var zz=1
echo 'var.v' | terraform console x
