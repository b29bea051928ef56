# cluster: kind
# What a node runs of its own has nobody to be shown under once its Node is gone; its mirrors do not come back.
kubectl get pods -n kube-system -o name | grep -c control-plane
kubectl delete node kind-control-plane
sleep 300
kubectl get nodes
kubectl get pods -n kube-system -o name | grep -c control-plane
