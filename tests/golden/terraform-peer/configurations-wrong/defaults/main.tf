variable "a" { 
  type = number 
  default = "x" 
}
variable "b" { 
  type = list(string) 
  default = "x" 
}
variable "c" { 
  type = object({a = string}) 
  default = {} 
}
variable "d" { 
  type = object({a = string}) 
  default = { a = [], b = 1 } 
}
variable "e" { 
  type = bool 
  default = 1 
}
variable "f" { 
  nullable = false
  default = null
}
variable "g" { 
  type = map(number)
  default = { a = "x" }
}
variable "h" { 
  default = var.g
}
variable "i" {
  sensitive = "yes"
  nullable = 1
  ephemeral = "x"
  description = 5
}
