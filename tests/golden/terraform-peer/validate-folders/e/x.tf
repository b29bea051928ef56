module "m" { source = "./n" }
