locals {
  a = "%{ if true }x"
}
