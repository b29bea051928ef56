variable "n" { default = 1 }
resource "terraform_data" "a" { 
  input = {
    list = [1, var.n, { deep = [true, null, "x\ny", { z = var.n }] }]
    map = { k = "v${var.n}", "odd key" = [], empty = {} }
    text = <<-EOT
      line ${var.n}
      other
    EOT
    json = jsonencode({ a = var.n, b = [1, 2] })
    set = toset(["a", "b${var.n}"])
    num = 1.5
    nul = null
  }
}
output "o" { value = terraform_data.a.output }
