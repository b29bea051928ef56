# What section 10.01 finds was left by a section that is held back: a StatefulSet that has been scaled down and up, and
# whose first pod and claim have been deleted.
kubectl apply -f - <<'EOF'
apiVersion: v1
kind: Service
metadata: {name: s}
spec: {clusterIP: None, selector: {app: s}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: s}
spec:
  serviceName: s
  replicas: 2
  selector: {matchLabels: {app: s}}
  template:
    metadata: {labels: {app: s}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: c, image: "nginx:1", volumeMounts: [{name: data, mountPath: /data}]}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
EOF
kubectl rollout status sts/s
sleep 5
kubectl scale sts s --replicas=1
sleep 5
kubectl scale sts s --replicas=2
sleep 5
kubectl delete pvc data-s-0 --wait=false
kubectl delete pod s-0
sleep 4
