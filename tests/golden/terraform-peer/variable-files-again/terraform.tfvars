a = "from tfvars"
b = 2
