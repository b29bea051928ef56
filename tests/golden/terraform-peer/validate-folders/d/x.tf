variable "q" { defult = 1 }
