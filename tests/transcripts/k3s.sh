# What stands on a fresh k3s cluster, and a Service of type LoadBalancer
# cluster: k3s
kubectl get nodes -o wide
kubectl get all -A | sed -E 's/-[a-z0-9]{5} /-xxxxx /'
kubectl create deploy web --image=nginx:1.29
kubectl rollout status deploy/web | tail -1
kubectl expose deploy web --port=8081 --target-port=80 --type=LoadBalancer
sleep 5
kubectl get svc web
kubectl get pods -A -l svccontroller.k3s.cattle.io/svcname=web -o jsonpath='{.items[*].spec.containers[*].name}{"\n"}'
kubectl run box --image=busybox:1.36 --restart=Never -- sleep 1000
kubectl wait pod/box --for=condition=Ready --timeout=30s
kubectl exec box -- wget -qO- 172.18.0.2:8081 | grep title
kubectl create service loadbalancer taken --tcp=80:80
sleep 3
kubectl get svc taken
kubectl get pods -n kube-system -l svccontroller.k3s.cattle.io/svcname=taken -o jsonpath='{.items[0].status.conditions[0].message}{"\n"}'
kubectl get ingressclass
