# Undo takes the old template back under a new number; the history has a limit.
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
          image: nginx:1.28
END
kubectl apply -f w.yaml
kubectl annotate deploy w kubernetes.io/change-cause=one
kubectl rollout status deploy/w
sed -i 's/nginx:1.28/nginx:1.29/' w.yaml
kubectl apply -f w.yaml
kubectl annotate deploy w kubernetes.io/change-cause=two --overwrite
kubectl rollout status deploy/w
kubectl rollout history deploy/w
kubectl get rs --sort-by=.metadata.creationTimestamp
kubectl rollout undo deploy/w; echo $?
kubectl rollout status deploy/w
kubectl rollout history deploy/w
kubectl get rs --sort-by=.metadata.creationTimestamp
kubectl rollout undo deploy/w --to-revision=1; echo $?
kubectl rollout undo deploy/w --to-revision=3; echo $?
kubectl apply -f w.yaml; echo $?
kubectl rollout status deploy/w
kubectl rollout history deploy/w
kubectl patch deploy w -p '{"spec":{"revisionHistoryLimit":0}}'
kubectl set image deploy/w c=nginx:1.27
kubectl rollout status deploy/w
sleep 5
kubectl get rs
kubectl rollout history deploy/w
kubectl rollout undo deploy/w; echo $?
