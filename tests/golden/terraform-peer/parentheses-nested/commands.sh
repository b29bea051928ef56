{ printf 'output "o" { value = '; printf '(%.0s' $(seq 5000); printf 1; printf ')%.0s' $(seq 5000); printf ' }\n'; } > n.tf
terraform validate
terraform plan
{ printf 'output "o" { value = '; printf '(%.0s' $(seq 50); printf 1; printf ')%.0s' $(seq 49); printf ' }\n'; } > n.tf
terraform validate
{ printf 'output "o" { value = '; printf '(%.0s' $(seq 50); printf 1; printf ')%.0s' $(seq 51); printf ' }\n'; } > n.tf
terraform validate
{ printf 'output "o" { value = '; printf '(%.0s' $(seq 50); printf '1 1'; printf ')%.0s' $(seq 50); printf ' }\n'; } > n.tf
terraform validate
{ printf 'output "o" { value = '; printf '(%.0s' $(seq 50); printf 'nope'; printf ')%.0s' $(seq 50); printf ' }\n'; } > n.tf
terraform validate
