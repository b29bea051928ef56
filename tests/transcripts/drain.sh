# Disruption budgets, eviction, drain; a claim that no volume fits
# cluster: kind
# nodes: 3
kubectl create deploy web --image=nginx:1.29 --replicas=4
kubectl rollout status deploy/web | tail -1
kubectl create pdb web --selector=app=web --min-available=3
sleep 1
kubectl get pdb
kubectl drain kind-worker --ignore-daemonsets --timeout=120s 2>&1 | sed -E 's/-[a-z0-9]{5}\b/-xxxxx/g' | sort | uniq -c
kubectl get pods -o jsonpath='{range .items[*]}{.spec.nodeName}{"\n"}{end}' | sort | uniq -c
kubectl get pdb web -o jsonpath='{.status.currentHealthy}/{.status.desiredHealthy} of {.status.expectedPods}, {.status.disruptionsAllowed} may go{"\n"}'
kubectl patch pdb web -p '{"spec":{"minAvailable":4}}'
kubectl drain kind-worker2 --ignore-daemonsets --timeout=6s 2>&1 | grep -c 'violate the pod'
kubectl uncordon kind-worker
kubectl apply -f - <<'X'
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: odd}
spec: {storageClassName: none-such, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
X
sleep 20
kubectl describe pvc odd | tail -4
kubectl get pvc
