# Why a pod finds no node: a reason for each node, the first that holds.
# cluster: bare-workers
kubectl taint nodes worker-1 k=v:NoSchedule
cat > pod.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: big}
spec:
  containers:
    - name: c
      image: busybox:1.37
      command: [sleep, '3600']
      resources: {requests: {cpu: 8}}
END
kubectl apply -f pod.yaml
sleep 1
kubectl get pods -o wide
kubectl get pod big -o jsonpath='{.status.phase} {.status.conditions[0].type}={.status.conditions[0].status} {.status.conditions[0].reason}: {.status.conditions[0].message}{"\n"}'
kubectl get events --field-selector reason=FailedScheduling -o custom-columns=O:.involvedObject.name,M:.message --no-headers
# With pods on the nodes that leave too little, some that could be put out of the way.
kubectl delete pod big
for n in 2 3; do
  kubectl run fill-$n --image=busybox:1.37 --overrides='{"spec":{"nodeName":"worker-'$n'","containers":[{"name":"c","image":"busybox:1.37","resources":{"requests":{"cpu":"3"}}}]}}'
done
sleep 5
sed -e 's/cpu: 8/cpu: 2/' -e 's/big/middle/' pod.yaml | kubectl apply -f -
sleep 1
kubectl get pod middle -o jsonpath='{.status.conditions[0].message}{"\n"}'
kubectl apply -f - <<'END'
apiVersion: v1
kind: Pod
metadata: {name: picky}
spec:
  nodeSelector: {disk: ssd}
  containers:
    - name: c
      image: busybox:1.37
      command: [sleep, '3600']
END
sleep 1
kubectl get pod picky -o jsonpath='{.status.conditions[0].message}{"\n"}'
kubectl describe pod picky | sed -n '/^Node-Selectors/,$p'
kubectl label node worker-2 disk=ssd
sleep 5
kubectl get pod picky -o wide
