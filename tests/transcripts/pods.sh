# Pods: events, grace, images that cannot be pulled, restarts, hooks, immutable fields, environment.
# cluster: kind
kubectl create ns t
kubectl config set-context --current --namespace=t
kubectl create -f - <<'END'
apiVersion: v1
kind: Pod
metadata: {name: none}
spec: {containers: []}
END
kubectl run plain --image=registry.k8s.io/pause:3.10
kubectl wait --for=condition=Ready pod/plain
kubectl get events --field-selector involvedObject.name=plain -o jsonpath='{range .items[*]}{.reportingComponent}{.source.component} {.reason}{"\n"}{end}'
kubectl delete pod plain --grace-period=0 --force
sleep 2
kubectl get events --field-selector involvedObject.name=plain -o jsonpath='{range .items[*]}{.reportingComponent}{.source.component} {.reason} {.message}{"\n"}{end}'
kubectl run slow --image=busybox:1.37 -- sleep 3600
kubectl wait --for=condition=Ready pod/slow
kubectl delete pod slow --grace-period=1 --wait=false
kubectl get pod slow -o jsonpath='{.metadata.deletionGracePeriodSeconds} {.metadata.deletionTimestamp}{"\n"}'
sleep 5
kubectl get pod slow
kubectl run nowhere --image=busybox:1.37 --overrides='{"spec":{"nodeName":"no-such-node"}}'
kubectl run badimage --image=nginx:no-such-tag
kubectl run failing --image=busybox:1.37 -- sh -c 'exit 1'
kubectl run done --image=busybox:1.37 --restart=OnFailure -- true
kubectl create -f - <<'END'
apiVersion: v1
kind: Pod
metadata: {name: hook}
spec:
  containers:
    - name: c
      image: busybox:1.37
      command: [sleep, '3600']
      lifecycle: {postStart: {exec: {command: [touch, /tmp/started]}}}
END
kubectl wait --for=condition=Ready pod/hook
kubectl exec hook -- ls -1 /tmp
sleep 20
kubectl get pods
kubectl get pod done -o jsonpath='{.status.phase} {.status.containerStatuses[0].restartCount} {.status.containerStatuses[0].state.terminated.exitCode}{"\n"}'
kubectl get pod failing -o jsonpath='{.status.phase} {.status.containerStatuses[0].restartCount}{"\n"}'
kubectl get events --field-selector involvedObject.name=failing -o custom-columns=R:.reason,C:.count,M:.message
kubectl get pod badimage -o jsonpath='{.status.containerStatuses[0].state.waiting}{"\n"}'
kubectl get events --field-selector involvedObject.name=badimage -o custom-columns=R:.reason,C:.count,M:.message
kubectl patch pod hook -p '{"spec":{"nodeName":"other"}}'
kubectl patch pod hook -p '{"spec":{"hostNetwork":true}}'
kubectl create service clusterip env-link --tcp=8083:80 --clusterip=10.96.7.7
kubectl create -f - <<'END'
apiVersion: v1
kind: Pod
metadata: {name: env}
spec:
  containers:
    - name: c
      image: busybox:1.37
      command: [sh, -c, 'env | grep ENV_LINK | sort; echo $SUM; sleep 3600']
      env: [{name: SUM, value: "$(ENV_LINK_SERVICE_HOST):$(ENV_LINK_SERVICE_PORT) $(NOPE) $$(X)"}]
END
kubectl wait --for=condition=Ready pod/env
kubectl logs env
