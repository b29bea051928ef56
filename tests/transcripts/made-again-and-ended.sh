# cluster: bare
# What was read from the cluster can be made again.
kubectl create deployment again --image=nginx:1.29.0
kubectl get deploy again -o yaml > again.yaml
kubectl delete deploy again
kubectl apply -f again.yaml
kubectl replace --force -f again.yaml
# A deadline given later, an image changed, a toleration that runs out, a node that was never there.
kubectl run late --image=busybox:1.36 --restart=Never -- sleep 1000
kubectl run other --image=busybox:1.36 -- sleep 1000
kubectl wait --for=condition=Ready pod/late pod/other
kubectl patch pod late -p '{"spec":{"activeDeadlineSeconds":3}}'
kubectl set image pod/other other=busybox:1.37
sleep 60
kubectl get pod late other
kubectl get events --field-selector involvedObject.name=other,reason=Killing -o custom-columns=M:.message --no-headers
kubectl run guest --image=nginx:1.29.0 --overrides='{"spec":{"tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":5}]}}'
kubectl run ghost --image=nginx:1.29.0 --overrides='{"spec":{"nodeName":"nope"}}'
kubectl wait --for=condition=Ready pod/guest
kubectl taint node node-1 k=v:NoExecute
sleep 10
kubectl get pod guest
# Another of that name has its own seconds.
kubectl run guest --image=nginx:1.29.0 --overrides='{"spec":{"tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":5}]}}'
kubectl wait --for=condition=Ready pod/guest
sleep 2
kubectl get pod guest
kubectl delete pod ghost --timeout=120s
kubectl taint node node-1 k-
# Nothing new holds back what is going.
kubectl create configmap held
kubectl patch configmap held --type=merge -p '{"metadata":{"finalizers":["example.com/a"]}}'
kubectl delete configmap held --wait=false
kubectl patch configmap held --type=merge -p '{"metadata":{"finalizers":["example.com/a","example.com/b"]}}'
# Condemned by its probe with long grace, then deleted with a short one.
kubectl apply -f - <<'END'
apiVersion: v1
kind: Pod
metadata: {name: stubborn}
spec:
  terminationGracePeriodSeconds: 300
  containers:
  - name: c
    image: busybox:1.36
    command: [sh, -c, "trap '' TERM; sleep 100000"]
    livenessProbe: {exec: {command: ["false"]}, periodSeconds: 2, failureThreshold: 1}
END
kubectl wait --for=condition=Ready pod/stubborn
sleep 10
kubectl delete pod stubborn --grace-period=3 --timeout=60s
