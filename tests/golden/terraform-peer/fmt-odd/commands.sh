cat > main.tf <<'END'
variable "v" {}
END
printf 'a=1\nb   =   2\nlocals{\nx=1\nlonger=2\n\n\n\ny=[1,2,\n3]\n}\n' > a.tf
terraform fmt -diff -check
terraform fmt -list=false -write=false -diff
terraform fmt
cat a.tf
printf 'resource "a" "b" {\n# c\n  x = 1 # one\n  yyyy = 2 // two\n  /* z */ z = 3\n  foo { a = 1 }\n  bar {}\n  s = "${var.x}"\n  t = "${ var.x }"\n  u = {\n  a=1,\n  bbb = 2\n  "c" : 3\n  }\n  h = %s%sEOT\n   x\n  EOT\n  l = [\n  1,2,\n    ]\n  f = foo( 1,2 )\n  o = a?b:c\n  p = !a\n  q = a . b\n  r = a [ 0 ]\n  n = -1\n  m = 1-1\n  k = a.*.b\n  w = for\n}\n' '<' '<' > b.tf
terraform fmt -diff
cat b.tf
printf 'a = "x\n' > c.tf
terraform fmt c.tf
terraform fmt nono.tf
terraform fmt nono
mkdir -p d/e
printf 'x=1\n' > d/a.tf
printf 'x=1\n' > d/e/a.tfvars
printf 'x=1\n' > d/e/a.tftest.hcl
printf 'x=1\n' > d/e/a.txt
rm c.tf
terraform fmt -recursive -check
terraform fmt d
terraform fmt d/e/a.txt
terraform fmt -recursive
printf 'a=1' | terraform fmt -
printf 'a=1\n  b=2' | terraform fmt -diff -
printf 'a=1\n' | terraform fmt -check -
printf 'a="\n' | terraform fmt -
printf 'variable a {\ntype="string"\n}\nvariable "b" {\ntype = "list"\n}\nvariable "c" {\ntype = "${list(string)}"\n}\noutput "o" {\n value = "${foo}"\n}\nresource foo bar {\n provider = "x.y"\ndepends_on=["a.b"]\n lifecycle { ignore_changes=["a"] }\n}\n' > e.tf
terraform fmt -diff e.tf
printf '\r\na=1\r\n\r\nb  =  2\r\n' > f.tf
terraform fmt f.tf
cat -A f.tf
printf '日本 = 1\nx = 2\nyé = "日本" # c\nzz = 1 # d\n' > g.tf
terraform fmt -diff g.tf
printf 'x = {\n\n\n a = 1\n\n\n\n b = 2\n\n}\n\n\n\ny = 1\n\n\n' > h.tf
terraform fmt -diff h.tf
printf 'x = [ for a in b : a ]\ny = {for a,b in c:a=>b if d}\nz = a&&b||c==d\nw = (1+2)*3\nv = f(a...)\nu = "${a}${b}"\nt = %s%s-X\n  ${ a }\n  %%{ if a~}\n  X\n' '<' '<' > i.tf
terraform fmt -diff i.tf
terraform fmt -write=maybe
terraform fmt -foo
