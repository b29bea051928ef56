# The selector of a Deployment does not change, and its template has to match it.
# cluster: kind
cat > w.yaml <<'END'
apiVersion: apps/v1
kind: Deployment
metadata:
  name: w
spec:
  replicas: 1
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
sed 's/app: w}/app: w, v: x}/' w.yaml > v.yaml
kubectl apply -f v.yaml; echo $?
kubectl get deploy w -o jsonpath='{.spec.template.metadata.labels} {.metadata.generation}{"\n"}'
sed -e 's/name: w/name: z/' -e 's/labels: {app: w}/labels: {app: other}/' w.yaml > z.yaml
kubectl apply -f z.yaml; echo $?
kubectl get deploy
