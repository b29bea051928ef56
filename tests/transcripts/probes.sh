# Probes: what makes a container ready, started or restarted.
# cluster: kind
probe() { # name, probes
  kubectl create -f - <<END
apiVersion: v1
kind: Pod
metadata: {name: $1}
spec:
  containers:
    - name: c
      image: nginx:1.29
$2
END
}
show() { kubectl get pod $1 -o jsonpath='{.metadata.name} {.status.phase} started={.status.containerStatuses[0].started} ready={.status.containerStatuses[0].ready} restarts={.status.containerStatuses[0].restartCount} {.status.conditions[?(@.type=="Ready")].status} {.status.conditions[?(@.type=="ContainersReady")].status}{"\n"}'; }
probe p1 ''
probe p2 '      readinessProbe: {httpGet: {port: 80, path: /no-such-page}, periodSeconds: 1, failureThreshold: 1}'
probe p3 '      readinessProbe: {exec: {command: [no-such-command]}, periodSeconds: 1, failureThreshold: 1}'
probe p4 '      startupProbe: {exec: {command: [cat, /tmp/ok]}, initialDelaySeconds: 1, periodSeconds: 1, failureThreshold: 60}
      readinessProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 1}'
probe p5 '      livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 1, failureThreshold: 1}'
sleep 15
for p in p1 p2 p3 p4 p5; do show $p; done
kubectl exec p4 -- touch /tmp/ok
sleep 3
show p4
for p in p2 p3; do kubectl get events --field-selector involvedObject.name=$p,reason=Unhealthy -o jsonpath='{.items[0].message}{"\n"}' | sed 's/exec "[0-9a-f]*"/exec ID/'; done
cat > slow.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: slow-starter}
spec:
  terminationGracePeriodSeconds: 2
  containers:
    - name: c
      image: nginx:1.29
      command: [sh, -c, 'sleep 30; exec nginx -g "daemon off;"']
      livenessProbe: {tcpSocket: {port: 80}, periodSeconds: 5}
END
kubectl apply -f slow.yaml
sleep 45
kubectl get pod slow-starter
kubectl get events --field-selector involvedObject.name=slow-starter -o custom-columns=R:.reason,C:.count,M:.message
echo '      startupProbe: {tcpSocket: {port: 80}, periodSeconds: 5, failureThreshold: 12}' >> slow.yaml
kubectl replace --force -f slow.yaml
sleep 45
kubectl get pod slow-starter
