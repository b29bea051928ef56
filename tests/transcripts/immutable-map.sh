# A ConfigMap that is immutable keeps its data until it is deleted.
# cluster: kind
cat > a.yaml <<'END'
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {k: one}
immutable: true
END
kubectl apply -f a.yaml
sed 's/one/two/' a.yaml > two.yaml
kubectl apply -f two.yaml; echo $?
sed 's/true/false/' a.yaml > mutable.yaml
kubectl apply -f mutable.yaml; echo $?
grep -v immutable a.yaml | kubectl apply -f -; echo $?
kubectl label configmap a colour=red; echo $?
kubectl get configmap a -o jsonpath='{.data} {.immutable} {.metadata.labels}{"\n"}'
kubectl delete configmap a
kubectl create -f two.yaml; echo $?
kubectl get configmap a -o jsonpath='{.data}{"\n"}'
kubectl create secret generic s --from-literal=p=x --dry-run=client -o yaml | sed '$a immutable: true' | kubectl apply -f -
kubectl patch secret s -p '{"stringData":{"p":"y"}}'; echo $?
kubectl patch secret s -p '{"immutable":false}'; echo $?
