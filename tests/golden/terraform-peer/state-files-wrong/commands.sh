cat > main.tf <<'END'
resource "terraform_data" "a" {
  input = 1
}
END
terraform init > /dev/null
printf '' > terraform.tfstate
terraform plan
terraform state list
printf '{' > terraform.tfstate
terraform plan
terraform show
terraform output
terraform state list
terraform refresh
printf 'hello' > terraform.tfstate
terraform plan
printf '[]' > terraform.tfstate
terraform plan
printf '{}' > terraform.tfstate
terraform plan
printf '{"version": 5}' > terraform.tfstate
terraform plan
terraform state list
printf '{"version": 4}' > terraform.tfstate
terraform plan
printf '{"version": "4"}' > terraform.tfstate
terraform plan
printf '{"version": 3}' > terraform.tfstate
terraform plan
printf '{"version": 2}' > terraform.tfstate
terraform plan
printf '{"version": 0}' > terraform.tfstate
terraform plan
printf '{"version": -1}' > terraform.tfstate
terraform plan
printf '{"version": 4, "terraform_version": "1.99.0", "serial": 1, "lineage": "a"}' > terraform.tfstate
terraform plan
printf '{"version": 4, "terraform_version": "x", "serial": 1, "lineage": "a"}' > terraform.tfstate
terraform plan
printf '{"version": 4, "terraform_version": "1.16.4", "serial": "x", "lineage": "a"}' > terraform.tfstate
terraform plan
printf '{"version": 4, "terraform_version": "1.16.4", "serial": 1, "lineage": "a", "outputs": [], "resources": {}}' > terraform.tfstate
terraform plan
printf '{"version": 4, "terraform_version": "1.16.4", "serial": 1, "lineage": "a", "outputs": {"x": {"value": 1, "type": "what"}}, "resources": []}' > terraform.tfstate
terraform plan
printf '{"version": 4, "terraform_version": "1.16.4", "serial": 1, "lineage": "a", "outputs": {}, "resources": [{"mode": "nope", "type": "terraform_data", "name": "a", "provider": "provider[\\"terraform.io/builtin/terraform\\"]", "instances": []}]}' > terraform.tfstate
terraform plan
printf '{"version": 4, "terraform_version": "1.16.4", "serial": 1, "lineage": "a", "outputs": {}, "resources": [{"mode": "managed", "type": "terraform_data", "name": "a", "provider": "nope", "instances": []}]}' > terraform.tfstate
terraform plan
printf '{"version": 4, "terraform_version": "1.16.4", "serial": 1, "lineage": "a", "outputs": {}, "resources": [{"mode": "managed", "type": "terraform_data", "name": "1a", "provider": "provider[\\"terraform.io/builtin/terraform\\"]", "instances": [{"attributes": {"id": 1, "input": {"value": 1, "type": "number"}}}]}]}' > terraform.tfstate
terraform plan
printf '{"version": 4, "terraform_version": "1.16.4", "serial": 1, "lineage": "a", "outputs": {}, "resources": [{"mode": "managed", "type": "terraform_data", "name": "a", "provider": "provider[\\"terraform.io/builtin/terraform\\"]", "instances": [{"schema_version": 3, "attributes": {"id": "x"}}]}]}' > terraform.tfstate
terraform plan
printf '{"version": 4, "terraform_version": "1.16.4", "serial": 1, "lineage": "a", "outputs": {}, "resources": [{"mode": "managed", "type": "terraform_data", "name": "a", "provider": "provider[\\"terraform.io/builtin/terraform\\"]", "instances": [{"schema_version": 0, "attributes": {"id": "x", "nope": 1}}]}]}' > terraform.tfstate
terraform plan
terraform show
