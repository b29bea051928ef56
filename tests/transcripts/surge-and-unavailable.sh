# A rolling update never has more pods than the surge allows, nor fewer than may be unavailable.
# cluster: kind
# nodes: 3
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
kubectl rollout status deploy/w --timeout=10m | tail -1
for n in 1 5 10; do
  kubectl scale deploy/w --replicas=$n
  kubectl rollout status deploy/w | tail -1
  image=$(kubectl get deploy w -o jsonpath='{.spec.template.spec.containers[0].image}')
  if [ "$image" = nginx:1.28 ]; then image=nginx:1.29; else image=nginx:1.28; fi
  kubectl set image deploy/w c=$image
  most=0 least=99
  for i in $(seq 40); do
    all=$(kubectl get deploy w -o jsonpath='{.status.replicas}')
    ready=$(kubectl get deploy w -o jsonpath='{.status.availableReplicas}')
    if [ "${all:-0}" -gt $most ]; then most=$all; fi
    if [ "${ready:-0}" -lt $least ]; then least=${ready:-0}; fi
    sleep 0.5
  done
  echo "$n replicas: at most $most pods, at least $least available"
  kubectl rollout status deploy/w | tail -1
done
kubectl patch deploy w -p '{"spec":{"replicas":2,"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":"1%"}}}}'
kubectl rollout status deploy/w --timeout=10m | tail -1
kubectl get rs -w --no-headers -o custom-columns=N:.metadata.name,SPEC:.spec.replicas > rs &
kubectl set image deploy/w c=nginx:1.27
kubectl rollout status deploy/w
uniq rs
kubectl patch deploy w -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":0,"maxUnavailable":0}}}}'
