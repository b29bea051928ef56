# A Pod of a StatefulSet knows its full name; what hostAliases says stands in its hosts file.
# cluster: kind
kubectl apply -f - <<'END'
apiVersion: v1
kind: Service
metadata: {name: db}
spec:
  clusterIP: None
  selector: {app: db}
  ports: [{port: 80}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      hostAliases: [{ip: 10.1.2.3, hostnames: [old.example, older.example]}]
      containers: [{name: db, image: "nginx:1.29.0"}]
END
kubectl rollout status statefulset/db
kubectl exec db-0 -- hostname
kubectl exec db-0 -- hostname -f
kubectl exec db-0 -- cat /etc/hosts
