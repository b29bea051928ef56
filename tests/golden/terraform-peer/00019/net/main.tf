variable "size" {
  type    = number
  default = 1
}

variable "labels" {
  type    = map(string)
  default = {}
}

resource "terraform_data" "inner" {
  count = var.size
  input = {
    index  = count.index
    labels = var.labels
  }
}

output "ids" {
  value = terraform_data.inner[*].id
}

output "labels" {
  value = var.labels
}
