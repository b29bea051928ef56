# What section 12.02 finds was left by sections that are held back: a Deployment created, applied by the server and
# brought down to three replicas by an autoscaler, with a Service and a pod of the same name.
cat > w.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata: {name: w}
spec:
  replicas: 5
  selector: {matchLabels: {app: w}}
  template:
    metadata: {labels: {app: w}}
    spec: {terminationGracePeriodSeconds: 1, containers: [{name: c, image: "nginx:1", args: [nginx, -g, daemon off;], env: [{name: A, value: "1"}, {name: B, value: "2"}]}]}
EOF
cat > w2.yaml <<'EOF'
apiVersion: apps/v1
kind: Deployment
metadata: {name: w}
spec:
  selector: {matchLabels: {app: w}}
  template:
    metadata: {labels: {app: w}}
    spec: {terminationGracePeriodSeconds: 1, containers: [{name: c, image: "nginx:1", env: [{name: A, value: "1"}]}]}
EOF
kubectl create -f w.yaml
kubectl apply -f w2.yaml
kubectl apply --server-side -f w.yaml --force-conflicts
kubectl label deploy w app=w tier=a
kubectl expose deploy w --port=80
kubectl run w --image=nginx:1
kubectl autoscale deploy w --max=3
sleep 7
