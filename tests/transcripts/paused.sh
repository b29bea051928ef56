# A paused Deployment scales, but does not roll.
# cluster: kind
# nodes: 3
cat > w.yaml <<'END'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: w
spec:
  replicas: 3
  selector:
    matchLabels: {app: w}
  template:
    metadata:
      labels: {app: w}
    spec:
      containers:
        - name: c
          image: nginx:1.28
END
kubectl apply -f w.yaml
kubectl rollout status deploy/w --timeout=10m | tail -1
kubectl rollout pause deploy/w
kubectl set image deploy/w c=nginx:1.29
kubectl scale deploy/w --replicas=5
kubectl rollout status deploy/w --timeout=5s; echo $?
kubectl get pods -o jsonpath='{range .items[*]}{.spec.containers[0].image}{"\n"}{end}'
kubectl get rs
kubectl rollout undo deploy/w; echo $?
kubectl rollout restart deploy/w; echo $?
kubectl rollout pause deploy/w; echo $?
kubectl get deploy w -o jsonpath='{range .status.conditions[*]}{.type} {.status} {.reason} {.message}{"\n"}{end}'
kubectl rollout resume deploy/w
kubectl rollout status deploy/w --timeout=10m | tail -1
kubectl get rs
kubectl rollout history deploy/w
kubectl rollout resume deploy/w; echo $?
