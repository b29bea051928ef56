# Deployments: validation, adoption, rollouts, restarts, a rollout that is stuck, pods that are deleted.
# cluster: kind
kubectl create ns t
kubectl config set-context --current --namespace=t
cat > d.yaml <<'END'
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  replicas: 2
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec: {containers: [{name: c, image: nginx:1.28}]}
END
sed 's/replicas: 2/replicas: -1/' d.yaml | kubectl create -f -
sed 's/replicas: 2/minReadySeconds: 10\n  progressDeadlineSeconds: 10/' d.yaml | kubectl create -f -
sed -e 's/kind: Deployment/kind: ReplicaSet/' -e 's/name: d}/name: made-by-hand, labels: {app: d}}/' -e 's/replicas: 2/replicas: 0/' d.yaml | kubectl create -f -
kubectl create -f d.yaml
kubectl rollout status deploy/d | tail -1
kubectl get rs
kubectl get pods -o custom-columns=IMAGE:.spec.containers[0].image,OWNER:.metadata.ownerReferences[0].kind
kubectl get rs made-by-hand -o jsonpath='{.metadata.ownerReferences[0].kind} {.metadata.ownerReferences[0].name} {.metadata.labels}{"\n"}'
kubectl get pods -o jsonpath='{.items[*].metadata.uid}' | tr ' ' '\n' | sort > before
kubectl set image deploy/d c=nginx:1.29
kubectl rollout status deploy/d | tail -1
kubectl get pods -o jsonpath='{.items[*].metadata.uid}' | tr ' ' '\n' | sort > after
cat before after | sort | uniq -d | wc -l
kubectl get pods -o custom-columns=IMAGE:.spec.containers[0].image
kubectl rollout restart deploy/d
kubectl rollout status deploy/d | tail -1
kubectl get rs
kubectl patch deploy d --subresource=status --type=merge -p '{"spec":{"replicas":9},"status":{"collisionCount":3}}'
kubectl get deploy d -o jsonpath='{.spec.replicas} {.status.collisionCount}{"\n"}'
kubectl patch deploy d --type=merge -p '{"spec":{"replicas":4,"strategy":{"rollingUpdate":{"maxSurge":"50%","maxUnavailable":0}}}}'
kubectl rollout status deploy/d | tail -1
kubectl set image deploy/d c=nginx:no-such-tag
sleep 30
kubectl get rs
kubectl rollout undo deploy/d
kubectl rollout status deploy/d | tail -1
sleep 10
for n in 1 2; do
  p=$(kubectl get pods -o jsonpath='{.items[0].metadata.name}')
  if [ $n = 1 ]; then kubectl delete pod $p; else kubectl delete pod $p --force --grace-period=0; fi
  sleep 5
  kubectl get pods
done
