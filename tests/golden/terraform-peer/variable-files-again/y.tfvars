a = "y"
z = 1
