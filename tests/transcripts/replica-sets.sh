# ReplicaSets: defaults, ownership, adoption and release, restarts in place, deletion in the foreground.
# cluster: kind
kubectl create ns t
kubectl config set-context --current --namespace=t
cat > rs.yaml <<'END'
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: r}
spec:
  replicas: 2
  selector: {matchLabels: {app: r}}
  template:
    metadata: {labels: {app: r}}
    spec: {containers: [{name: c, image: registry.k8s.io/pause:3.10}]}
END
grep -v replicas: rs.yaml | kubectl create -f - -o jsonpath='{.spec.replicas}{"\n"}'
kubectl delete rs r
sed 's/replicas: 2/replicas: -1/' rs.yaml | kubectl create -f -
kubectl create -f rs.yaml
kubectl patch rs r --subresource=status --type=merge -p '{"spec":{"replicas":9},"status":{"replicas":2,"conditions":[{"type":"X","status":"True"}]}}'
kubectl get rs r -o jsonpath='{.spec.replicas} {.status.conditions[*].type}{"\n"}'
sleep 5
kubectl get rs r
kubectl get pods -o jsonpath='{range .items[*]}{range .metadata.ownerReferences[*]}{.apiVersion} {.kind} {.name} {.controller}{"\n"}{end}{end}'
first=$(kubectl get pods -o jsonpath='{.items[0].metadata.name}')
kubectl label pod $first app=other --overwrite
sleep 5
kubectl get pods -L app
kubectl get pod $first -o jsonpath='[{.metadata.ownerReferences}]{"\n"}'
kubectl delete rs r
kubectl delete pods --all
kubectl run orphan --image=registry.k8s.io/pause:3.10 --labels=app=r
sed 's/replicas: 2/replicas: 1/' rs.yaml | kubectl create -f -
sleep 3
kubectl get pods
kubectl get pod orphan -o jsonpath='{.metadata.ownerReferences[0].name} {.metadata.ownerReferences[0].controller}{"\n"}'
kubectl patch pod orphan --type=merge -p '{"metadata":{"finalizers":["example.com/hold"]}}'
kubectl delete rs r --cascade=foreground --wait=false
sleep 40
kubectl get rs r -o jsonpath='{.metadata.finalizers} {.metadata.deletionTimestamp}{"\n"}'
kubectl get pod orphan -o jsonpath='{.metadata.finalizers} {.metadata.deletionTimestamp}{"\n"}'
kubectl patch pod orphan --type=merge -p '{"metadata":{"finalizers":null}}'
sleep 2
kubectl get rs,pods
kubectl create -f - <<'END'
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: l}
spec:
  replicas: 2
  selector: {matchLabels: {app: l}}
  template:
    metadata: {labels: {app: l}}
    spec: 
      terminationGracePeriodSeconds: 1
      containers:
        - name: c
          image: busybox:1.37
          command: [sleep, '3600']
          livenessProbe: {exec: {command: ['false']}, periodSeconds: 1, failureThreshold: 1}
END
sleep 4
kubectl get pods -o jsonpath='{.items[*].metadata.uid}' > before
sleep 20
kubectl get pods -o jsonpath='{.items[*].metadata.uid}' > after
[ "$(cat before)" = "$(cat after)" ] && echo the same pods
kubectl get pods
