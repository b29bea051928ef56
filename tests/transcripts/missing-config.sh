# A pod that asks for a key or a ConfigMap which is not there waits, and starts once it is.
# cluster: kind
kubectl create configmap a --from-literal=color=red
cat > pods.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: key}
spec:
  containers:
    - name: c
      image: busybox:1.37
      command: [sh, -c, 'echo "color is [$COLOR]"; sleep 3600']
      env:
        - name: COLOR
          valueFrom: {configMapKeyRef: {name: a, key: nope}}
---
apiVersion: v1
kind: Pod
metadata: {name: optional}
spec:
  containers:
    - name: c
      image: busybox:1.37
      command: [sh, -c, 'echo "color is [$COLOR]"; env | grep -c COLOR; sleep 3600']
      env:
        - name: COLOR
          valueFrom: {configMapKeyRef: {name: a, key: nope, optional: true}}
---
apiVersion: v1
kind: Pod
metadata: {name: map}
spec:
  containers:
    - name: c
      image: busybox:1.37
      command: [sleep, '3600']
      envFrom:
        - configMapRef: {name: absent}
---
apiVersion: v1
kind: Pod
metadata: {name: volume}
spec:
  containers:
    - name: c
      image: busybox:1.37
      command: [sleep, '3600']
      volumeMounts: [{name: v, mountPath: /v}]
  volumes:
    - name: v
      configMap: {name: absent}
END
kubectl apply -f pods.yaml
sleep 30
kubectl get pods
kubectl get pod key -o jsonpath='{.status.phase} {.status.containerStatuses[0].state.waiting.message}{"\n"}'
kubectl get pod map -o jsonpath='{.status.phase} {.status.containerStatuses[0].state.waiting.message}{"\n"}'
for pod in key map volume; do
  echo "$pod:"
  kubectl get events --field-selector involvedObject.name=$pod -o custom-columns=T:.type,R:.reason,C:.count,M:.message --no-headers
done
kubectl logs optional
kubectl get pod key -o jsonpath='{.metadata.uid}' > uid
kubectl patch configmap a -p '{"data":{"nope":"blue"}}'
kubectl create configmap absent --from-literal=k=v
kubectl wait --for=condition=Ready pod --all --timeout=180s
kubectl get pods
kubectl logs key
[ "$(kubectl get pod key -o jsonpath='{.metadata.uid}')" = "$(cat uid)" ] && echo the same pod
kubectl exec volume -- cat /v/k; echo
