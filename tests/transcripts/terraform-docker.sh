# Terraform and the Docker Engine: a whole stack is made, changed, stopped behind Terraform's back, adopted, destroyed.
# cluster: kind
cat > main.tf <<'TF'
terraform {
  required_providers {
    docker = {
      source  = "kreuzwerker/docker"
      version = "~> 4.6"
    }
  }
}
variable "mode" {
  default = "demo"
}
resource "docker_network" "net" {
  name = "app-net"
}
resource "docker_volume" "data" {
  name = "app-data"
}
resource "docker_image" "nginx" {
  name         = "nginx:1.27"
  keep_locally = true
}
resource "docker_container" "web" {
  name    = "app-web"
  image   = docker_image.nginx.image_id
  restart = "unless-stopped"
  env     = ["MODE=${var.mode}"]
  networks_advanced {
    name    = docker_network.net.name
    aliases = ["web"]
  }
  volumes {
    volume_name    = docker_volume.data.name
    container_path = "/data"
  }
  ports {
    internal = 80
    external = 8080
  }
  labels {
    label = "team"
    value = "a"
  }
  upload {
    file    = "/usr/share/nginx/html/index.html"
    content = "made by terraform\n"
  }
}
output "url" {
  value = "http://localhost:${docker_container.web.ports[0].external}"
}
output "ip" {
  value = docker_container.web.network_data[0].ip_address
}
TF
terraform init -no-color | head -6
terraform plan -no-color
terraform apply -no-color -auto-approve | grep -vE '^ |^$'
docker ps
curl -s localhost:8080
terraform plan -no-color -detailed-exitcode; echo $?
terraform state list
terraform state show -no-color docker_network.net

# Another environment is another container.
terraform apply -no-color -auto-approve -var mode=live | grep -E 'forces|must be|^docker|^Apply'
docker exec app-web sh -c 'echo $MODE'

# What Docker did on its own shows as drift.
docker stop app-web
terraform plan -no-color | grep -E 'forces|must be|must_run|^Note|ip_address|^Plan'
docker start app-web
docker rename app-web other
terraform plan -no-color -refresh-only | grep -E '^Note|has changed|name |^No'
docker rename other app-web

# A container made by hand is adopted, and replaced all the same: its environment is never read.
docker run -d --name by-hand busybox:1.36 sleep 300
cat > hand.tf <<'TF'
resource "docker_container" "hand" {
  name    = "by-hand"
  image   = "busybox:1.36"
  command = ["sleep", "300"]
}
TF
terraform import -no-color -var mode=live docker_container.hand $(docker inspect by-hand --format '{{.Id}}')
terraform plan -no-color -var mode=live | grep -E 'forces|must be|^Plan'
rm hand.tf

# What cannot be.
cat > bad.tf <<'TF'
resource "docker_container" "twin" {
  name  = "app-web"
  image = docker_image.nginx.image_id
}
resource "docker_container" "port" {
  name  = "port"
  image = docker_image.nginx.image_id
  ports {
    internal = 80
    external = 8080
  }
}
TF
terraform apply -no-color -auto-approve -var mode=live 2>&1 | sed -n '/^docker_container.*Destroying/,$p'
rm bad.tf
docker run -d --name guest --network app-net -v app-data:/d busybox:1.36 sleep 300
terraform destroy -no-color -auto-approve 2>&1 | grep -E '^docker_.*(Destr|Still)|^Error'
docker rm -f guest
terraform destroy -no-color -auto-approve | tail -8
docker ps -a
docker volume ls
docker network ls
