locals {
  a = "a "b" c"
}
