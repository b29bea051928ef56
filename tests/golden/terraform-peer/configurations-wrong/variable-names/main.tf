variable "source" {}
variable "version" {}
variable "count" {}
variable "for_each" {}
variable "providers" {}
variable "lifecycle" {}
variable "depends_on" {}
variable "locals" {}
