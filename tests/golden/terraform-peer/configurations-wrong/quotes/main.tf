locals {
  a = "x
}
