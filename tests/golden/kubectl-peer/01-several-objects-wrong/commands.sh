kubectl apply -f f.yaml
kubectl create -f f.yaml
kubectl delete -f f.yaml
kubectl replace -f f.yaml
kubectl apply -f f.yaml --server-side
kubectl apply -f g.yaml
kubectl create -f g.yaml
kubectl label pods a b x=y
kubectl get pods a b
kubectl delete pods a b
kubectl label pods --all x=y; kubectl annotate pods --all x=y
kubectl annotate pods x=y
kubectl apply view-last-applied cm/ok
kubectl create cm nn --from-literal=a=b; kubectl apply view-last-applied cm/nn
kubectl create -f ''
kubectl alpha
