variable "f" { type = map(string, number) }
variable "g" { type = object(string) }
variable "h" { type = tuple(string) }
variable "i" { type = tuple([string, any]) }
variable "j" { type = optional(string) }
variable "k" { type = object({ a = optional(string, 1), b = optional(number, "x") }) }
variable "l" { type = 1 }
variable "m" { type = set() }
variable "n" { type = any(string) }
variable "o" { type = list }
variable "p" { type = "list" }
variable "q" { type = "map" }
variable "r" { type = "foo" }
variable "s" { type = list("string") }
