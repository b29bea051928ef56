# What an apply of a container waits for: six commands, six ends. What stopped shows in the next plan, not here.
# cluster: kind
cat > main.tf <<'TF'
terraform {
  required_providers {
    docker = {
      source  = "kreuzwerker/docker"
      version = "4.6.0"
    }
  }
}
variable "cmd" {
  type    = list(string)
  default = ["sh", "-c", "sleep 300"]
}
variable "image" {
  default = "busybox:1.36"
}
variable "wait" {
  default = false
}
variable "health" {
  type    = list(string)
  default = []
}
resource "docker_container" "web" {
  name         = "decl-l2"
  image        = var.image
  command      = var.cmd
  wait         = var.wait
  wait_timeout = 15
  dynamic "healthcheck" {
    for_each = length(var.health) > 0 ? [1] : []
    content {
      test     = var.health
      interval = "2s"
      retries  = 2
    }
  }
}
TF
terraform init -no-color
docker pull -q busybox:1.36
cat > try.sh <<'SH'
echo "######## $1"; shift
begin=$(date +%s%3N)
terraform apply -no-color -auto-approve "$@" > apply.log 2>&1; code=$?
echo "exit=$code elapsed=$((($(date +%s%3N) - begin) / 1000))s"
docker ps -a --filter name=decl-l2 --format '{{.Status}}'
grep -E '^(docker_container|Error|Apply)' apply.log
SH
cat > clean.sh <<'SH'
terraform destroy -no-color -auto-approve "$@" | tail -1
SH
sh try.sh 'exits with 1 at once' '-var=cmd=["sh","-c","exit 1"]'
sleep 3; terraform plan -no-color '-var=cmd=["sh","-c","exit 1"]'
sh clean.sh '-var=cmd=["sh","-c","exit 1"]'
sh try.sh 'exits with 1 after 8 seconds' '-var=cmd=["sh","-c","sleep 8; exit 1"]'
sleep 10; docker ps -a --filter name=decl-l2 --format '{{.Status}}'
terraform plan -no-color '-var=cmd=["sh","-c","sleep 8; exit 1"]' | grep -E 'must_run|^Plan'
sh clean.sh '-var=cmd=["sh","-c","sleep 8; exit 1"]'
sh try.sh 'waits without a check' -var=wait=true
terraform plan -no-color -var=wait=true | grep -E '^  #|^Plan'
sh clean.sh -var=wait=true
sh try.sh 'waits for a check that fails' -var=wait=true '-var=health=["CMD","false"]'
sh clean.sh -var=wait=true
sh try.sh 'waits for a check that succeeds' -var=wait=true '-var=health=["CMD","true"]'
sh clean.sh -var=wait=true
sh try.sh 'a tag that does not exist' -var=image=busybox:no-such-tag-xyz
terraform state list
