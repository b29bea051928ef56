# An image tag that does not exist: apply records the wish, status tells what came of it.
# cluster: k3s
cat > l2-dep-bad.yaml <<'END'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  progressDeadlineSeconds: 20
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: busybox:no-such-tag-xyz, command: ["sleep","3600"]}]
END
kubectl apply -f l2-dep-bad.yaml; echo exit=$?
kubectl rollout status deploy/web --timeout=45s; echo exit=$?
kubectl get pods -l app=web
kubectl get deploy web -o jsonpath='{range .status.conditions[*]}{.type}={.status} reason={.reason} lastTransition={.lastTransitionTime}{"\n"}{end}'
kubectl get deploy web -o jsonpath='{.metadata.generation} {.status.observedGeneration} {.spec.progressDeadlineSeconds}{"\n"}'
kubectl get events
kubectl get rs,deploy
kubectl delete deploy web
