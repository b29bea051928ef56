locals {
  a = {
    x: 1
    y = 2,
    "z" : 3
    (local.b) = 4
    a.b = 5
  }
  b = "q"
}
