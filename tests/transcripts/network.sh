# Names, Services and pods from inside: who answers, and what is said when nobody does.
# cluster: kind
kubectl create deployment web --image=nginx:1.29 --replicas=2
kubectl expose deployment web --port=80
kubectl create deployment echo --image=hashicorp/http-echo:1.0 -- /http-echo -text=hello -listen=:5678
kubectl expose deployment echo --port=80 --target-port=5678 --type=NodePort
kubectl create service clusterip nobody --tcp=80
kubectl rollout status deploy/web
kubectl rollout status deploy/echo
kubectl create ns other
kubectl run box -n other --image=busybox:1.37 -- sleep 3600
kubectl run box --image=busybox:1.37 -- sleep 3600
kubectl wait --for=condition=Ready pod/box
kubectl wait -n other --for=condition=Ready pod/box
kubectl exec box -- wget -qO- http://web | head -4
for name in web web.default web.default.svc web.default.svc.cluster.local; do
  kubectl exec box -- wget -qO- http://$name > page && grep -c Welcome page
done
kubectl exec box -n other -- wget -qO- http://web; echo $?
kubectl exec box -n other -- wget -qO- http://web.default | grep -c Welcome
kubectl exec box -- wget -qO- http://echo
kubectl exec box -- wget -qO- http://nobody; echo $?
kubectl exec box -- wget -qO- http://web/nope; echo $?
kubectl exec box -- wget -O page.html http://web
kubectl exec box -- wget -T 2 -qO- http://web:81; echo $?
kubectl exec box -- wget -qO- http://nope; echo $?
kubectl exec box -- nslookup web; echo $?
kubectl exec box -- nslookup web.default.svc.cluster.local; echo $?
kubectl exec box -- nc -zv web 80; echo $?
ip=$(kubectl get pods -l app=web -o jsonpath='{.items[0].status.podIP}')
kubectl exec box -- wget -qO- http://$ip | grep -c Welcome
kubectl exec box -- wget -qO- http://$ip:8080; echo $?
kubectl exec deploy/web -- curl -s localhost | grep -c Welcome
kubectl logs -l app=web --tail=-1 | grep -c 'GET / HTTP'
kubectl run curl --image=curlimages/curl:8.10.1 --rm -i --restart=Never -- curl -s -o /dev/null -w '%{http_code}\n' http://web
kubectl run curl --image=curlimages/curl:8.10.1 --rm -i --restart=Never -- http://nope
kubectl run curl --image=curlimages/curl:8.10.1 --rm -i --restart=Never -- -sS http://web:81 -m 2
node=$(kubectl get nodes -o jsonpath='{.items[0].status.addresses[0].address}')
curl -s http://$node:$(kubectl get svc echo -o jsonpath='{.spec.ports[0].nodePort}')
curl -s http://$ip -m 3; echo $?
kubectl scale deploy web --replicas=0
kubectl wait --for=delete pod -l app=web
kubectl exec box -- wget -qO- http://web; echo $?
# A probe that asks its own server.
kubectl apply -f - <<'END'
apiVersion: v1
kind: Pod
metadata: {name: probed}
spec:
  containers:
    - name: c
      image: nginx:1.29
      readinessProbe: {exec: {command: [curl, -fs, 'http://localhost/']}}
    - name: side
      image: busybox:1.37
      command: [sh, -c, 'sleep 5; wget -qO- http://localhost | grep title; sleep 3600']
END
kubectl wait --for=condition=Ready pod/probed --timeout=60s
sleep 5
kubectl logs probed -c side
