# A Pod is asked for, looked at and removed.
# cluster: kind
kubectl apply -f - <<'END'
apiVersion: v1
kind: Pod
metadata:
  name: web-solo
spec:
  containers:
    - name: nginx
      image: nginx:1.29.0
END
kubectl wait --for=condition=Ready pod/web-solo --timeout=180s
kubectl get pod web-solo -o jsonpath='{.spec.containers[0].image}{"\n"}{.status.phase}{"\n"}{.status.podIP}{"\n"}'
kubectl get pods
kubectl delete pod web-solo
kubectl get pods
