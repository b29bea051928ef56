locals {
  a = “x”
  b = "x\qy"
  c = "${x"
}
