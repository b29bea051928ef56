# An image that cannot be pulled: what apply says, and what rollout status says.
# cluster: kind
# nodes: 3
cat > w.yaml <<'END'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: w
spec:
  replicas: 4
  progressDeadlineSeconds: 60
  selector:
    matchLabels: {app: w}
  template:
    metadata:
      labels: {app: w}
    spec:
      containers:
        - name: c
          image: nginx:1.29
END
kubectl apply -f w.yaml
kubectl rollout status deploy/w
sed -i 's/nginx:1.29/nginx:no-such-tag/' w.yaml
kubectl apply -f w.yaml; echo $?
kubectl rollout status deploy/w --timeout=5s; echo $?
kubectl rollout status deploy/w --timeout=20m; echo $?
kubectl get deploy,rs,pods
kubectl get deploy w -o jsonpath='{range .status.conditions[*]}{.type} {.status} {.reason} {.message}{"\n"}{end}'
