# A namespace that is being deleted, and a node without a kubelet.
# cluster: kind
kubectl create ns gone
kubectl create configmap a -n gone
kubectl patch configmap a -n gone --type=merge -p '{"metadata":{"finalizers":["example.com/hold"]}}'
kubectl delete ns gone --wait=false
kubectl delete ns gone --wait=false
kubectl get ns gone
kubectl patch configmap a -n gone --type=merge -p '{"metadata":{"finalizers":null}}'
kubectl wait --for=delete ns/gone --timeout=60s; kubectl get ns gone
kubectl create -f - <<'END'
apiVersion: v1
kind: Node
metadata: {name: by-hand}
END
kubectl label node by-hand rack=7
kubectl get nodes -l rack=7
kubectl get node by-hand -o json | sed 's/"rack": "7"/"rack": "8"/' | kubectl replace -f -
kubectl get nodes -L rack
kubectl delete node by-hand
kubectl get nodes
kubectl create -f - <<'END'
apiVersion: v1
kind: Pod
metadata: {name: x, namespace: no-such}
spec: {containers: [{name: c, image: nginx}]}
END
