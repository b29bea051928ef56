cat > main.tf <<'END'
locals {
  a = <<-EOT
    héllo ${foo}
    日本 ${upper(1, 2)}
  EOT
  b = "ünïcödé ${bar.x} tail"
  c = { "日本" = nope.x }
  d = [for x in "a" : x]
  e = templatefile("nono.tpl", {})
  f = templatefile("t.tpl", { x = 1 })
  g = "a" + 1
  h = !"a"
  i = -"a"
  j = true ? 1 : "a"
  k = true && "x"
  l = [1, 2].foo
  m = { a = 1 }.b
  n = { a = 1 }["b"]
  o = [1][5]
  p = "abc"[0]
  q = upper()
  r = upper(1, 2)
  s = nofunc(1)
  t = length(5)
  u = join(",", 5)
  v = element([], 0)
  w = lookup({}, "a")
  x = tonumber("abc")
  y = file("/nono")
  z = jsondecode("{")
}
END
echo 'hi ${x} ${y}' > t.tpl
terraform init > /dev/null
terraform validate
terraform plan
cat > main.tf <<'END'
locals {
  a = "${"
}
END
terraform validate
printf 'locals {\n  a = "x\n}\n' > main.tf
terraform validate
printf 'locals {\n  a = %s%sEOT\n  x\n' '<' '<' > main.tf
terraform validate
printf 'locals {\n  a = "\\q"\n}\n' > main.tf
terraform validate
printf 'locals {\n  a = 1 2\n}\n' > main.tf
terraform validate
printf 'locals {\n  a = [1, 2\n}\n' > main.tf
terraform validate
printf 'locals {\n  a = {b = 1 c = 2}\n}\n' > main.tf
terraform validate
printf 'locals {\n  a = (1\n}\n' > main.tf
terraform validate
printf 'locals {\n  a == 1\n}\n' > main.tf
terraform validate
printf 'locals {\n  a = 1,\n}\n' > main.tf
terraform validate
printf "locals {\n  a = 'x'\n}\n" > main.tf
terraform validate
printf 'locals {\n  a = %%{ if true }x%%{ endif }\n}\n' > main.tf
terraform validate
printf 'locals {\n  a = "%%{ if true }x"\n}\n' > main.tf
terraform validate
printf 'locals {\n  a = "%%{ for x in [1] }x%%{ endif }"\n}\n' > main.tf
terraform validate
printf '\xef\xbb\xbflocals {\n  a = 1\n}\n' > main.tf
terraform validate
terraform validate
printf 'locals {\r\n  a = b\r\n}\r\n' > main.tf
terraform validate
printf 'locals {\n\ta = "日本語" + é\n}\n' > main.tf
terraform validate
printf 'locals { a = 1; b = 2 }\n' > main.tf
terraform validate
printf 'locals\n{\n  a = 1\n}\n' > main.tf
terraform validate
printf 'resource "a" "b" "c" {\n}\nresource "a" {\n}\nresource {\n}\nresource a b {\n}\nresource "a b" "c d" {\n}\n' > main.tf
terraform validate
printf 'a = 1\n"b" = 2\n3 = 4\n' > main.tf
terraform validate
printf 'output "a" {\n  value = [for k, v in {a = 1} : k => v]\n}\noutput "b" {\n  value = {for k in [1] : k}\n}\noutput "c" {\n  value = [for in x : 1]\n}\n' > main.tf
terraform validate
printf 'output "a" {\n  value = x.*.y.*.z\n}\noutput "b" {\n  value = x[*][*]\n}\noutput "c" {\n  value = x.0\n}\noutput "d" {\n  value = x.0.1\n}\n' > main.tf
terraform validate
printf 'output "a" {\n  value = "a" == "a" == true\n}\noutput "b" {\n  value = 1 < 2 < 3\n}\noutput "c" {\n  value = - - 1\n}\noutput "d" {\n  value = 1 ? 2 : 3\n}\noutput "e" {\n value = null + 1\n}\n' > main.tf
terraform validate
terraform plan
