# StatefulSets: pods with names and claims of their own, in order; what they write stays
# cluster: kind
cat > db.yaml <<'X'
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: db, image: "nginx:1.29", volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
X
kubectl apply -f db.yaml
kubectl get pods -n local-path-storage | sed -E 's/[a-f0-9]{8}-[a-f0-9-]{27}/UID/; s/-[a-z0-9]{5} /-xxxxx /'
kubectl rollout status sts/db
kubectl get sts,pods
kubectl get pvc,pv | sed -E 's/[a-f0-9]{8}-[a-f0-9-]{27}/UID/g'
kubectl exec db-0 -- sh -c 'hostname > /data/who'
kubectl exec db-1 -- curl -s db-0.db
kubectl delete pod db-0
kubectl wait pod/db-0 --for=condition=Ready --timeout=30s
kubectl exec db-0 -- cat /data/who
kubectl scale sts db --replicas=3
kubectl rollout status sts/db
kubectl set image sts/db db=nginx:1.30
kubectl rollout status sts/db
kubectl rollout history sts/db
kubectl get controllerrevisions
kubectl scale sts db --replicas=1
sleep 8
kubectl get pods,pvc | sed -E 's/[a-f0-9]{8}-[a-f0-9-]{27}/UID/g'
kubectl describe sts db | sed -n '/^Events/,$p'
kubectl delete sts db
kubectl delete pvc --all
sleep 10
kubectl get pvc,pv
