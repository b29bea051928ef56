locals {
  a = max(1 2)
  b = max(1, 2
}
