# DaemonSets: one pod on every node that fits, replaced node by node; and those of a fresh kind cluster
# cluster: kind
# nodes: 3
kubectl get daemonset -A
kubectl get pods -n kube-system -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName,BY:.metadata.ownerReferences[0].kind | sed -E 's/-[a-z0-9]{5} /-xxxxx /'
kubectl delete pod -n kube-system kube-scheduler-kind-control-plane
kubectl get pod -n kube-system kube-scheduler-kind-control-plane
cat > agent.yaml <<'X'
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: agent, image: "nginx:1.29"}]
X
kubectl apply -f agent.yaml
kubectl rollout status ds/agent
kubectl get ds agent -o wide
kubectl patch ds agent -p '{"spec":{"template":{"spec":{"tolerations":[{"operator":"Exists"}]}}}}'
kubectl rollout status ds/agent | uniq
kubectl get pods -l app=agent -o jsonpath='{range .items[*]}{.spec.nodeName}{"\n"}{end}' | sort
kubectl rollout history ds/agent
kubectl rollout undo ds/agent 2>/dev/null
sleep 5
kubectl get ds agent
kubectl label node kind-worker agent=no
kubectl patch ds agent -p '{"spec":{"template":{"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"agent","operator":"DoesNotExist"}]}]}}}}}}}'
sleep 5
kubectl get ds agent
kubectl describe ds agent | sed -n '/^Events/,$p' | sed -E 's/agent-[a-z0-9]{5}/agent-xxxxx/'
kubectl delete ds agent
