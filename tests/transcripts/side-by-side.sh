# nodes: 3
# The same wish for two tools: one container of nginx. Kubernetes' apply returns once the wish is recorded;
# Terraform's when its provider has created the container.
cat > web.yaml <<'END'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.25
END
cat > main.tf <<'END'
terraform {
  required_providers {
    docker = {
      source = "kreuzwerker/docker"
    }
  }
}

resource "docker_container" "web" {
  name  = "web"
  image = "nginx:1.25"
}
END
terraform init > /dev/null
kubectl apply -f web.yaml; kubectl get deployment web
terraform apply -auto-approve -no-color | tail -4; docker ps --format '{{.Names}} {{.Status}}'
kubectl wait --for=condition=Available deployment/web --timeout=60s

# Both containers are stopped by somebody else. Kubernetes has started its own again before anybody asks.
kubectl exec deployment/web -- sh -c 'kill 1'; docker exec web sh -c 'kill 1'
sleep 5
kubectl get pods
docker ps -a --format '{{.Names}} {{.Status}}'

# Terraform learns of it when it compares: at the next plan.
terraform state list
terraform plan -no-color | grep must_run
terraform apply -auto-approve -no-color | tail -2; docker ps --format '{{.Names}} {{.Status}}'
