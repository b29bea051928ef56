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

# What getent knows, the order of a container's variables, and kill.
kubectl run deb --image=debian:12 --env=B=2 --env=A=1 --env=PATH=/usr/bin:/bin --command -- sleep 1000
kubectl wait pod/deb --for=condition=Ready --timeout=60s
kubectl exec deb -- getent hosts kubernetes
kubectl exec deb -- getent hosts nowhere
kubectl exec deb -- getent passwd root
kubectl exec deb -- getent nothing
kubectl exec deb -- env
kubectl exec deb -- sh -c 'kill -SEGV x; echo $?; sh -c "kill -SEGV \$\$"; echo $?'
kubectl get pod deb -o wide --no-headers | awk '{print $1,$2,$3}' | column -t
printf 'a:b:c\nlong:x\n' | column -t -s:
for type in strategic merge json; do kubectl patch pod deb --type=$type -p '{bad'; done
