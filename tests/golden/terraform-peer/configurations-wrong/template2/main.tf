locals {
  a = "%{ for x in [1] }x"
  b = "%{ fi }"
  c = "%{ endif }"
  d = "%{ else }"
  e = "${}"
  f = "%{}"
}
