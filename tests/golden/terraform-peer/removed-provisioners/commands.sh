terraform apply -auto-approve
printf 'removed {\n from = terraform_data.a\n lifecycle {\n destroy = true\n }\n provisioner "local-exec" {\n when = destroy\n command = "echo bye ${self.input} ${each.key}"\n }\n}\n' > main.tf
terraform plan
printf 'removed {\n from = terraform_data.a\n lifecycle {\n destroy = true\n }\n provisioner "local-exec" {\n when = create\n command = "echo bye ${self.input}"\n }\n}\n' > main.tf
terraform plan
printf 'removed {\n from = terraform_data.a\n provisioner "local-exec" {\n command = "echo bye ${self.input}"\n }\n}\n' > main.tf
terraform plan
printf 'removed {\n from = terraform_data.a\n lifecycle {\n destroy = false\n }\n provisioner "local-exec" {\n when = destroy\n command = "echo bye ${self.input}"\n }\n}\n' > main.tf
terraform plan
printf 'removed {\n from = terraform_data.a\n lifecycle {\n destroy = true\n }\n provisioner "local-exec" {\n when = destroy\n command = "echo bye ${self.input}; exit 1"\n }\n}\n' > main.tf
terraform apply -auto-approve
printf 'removed {\n from = terraform_data.a\n provisioner "local-exec" {\n when = destroy\n command = "echo bye ${self.input}; exit 0"\n }\n}\n' > main.tf
terraform apply -auto-approve
