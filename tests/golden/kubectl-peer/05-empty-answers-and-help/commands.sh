kubectl apply -f p.yaml
kubectl rollout status deploy
kubectl rollout history deploy
kubectl rollout undo deploy
kubectl rollout restart deploy
kubectl rollout pause deploy
kubectl get ns default -ojson=foo
kubectl get ns default -o=name=x
kubectl get ns default -o yaml=x
kubectl get ns default -o wide=x
kubectl get ns default -o json=
kubectl get deployments.v1.
kubectl get deployments.v1.apps
kubectl get pods.v1.
kubectl help get foo 2>&1 | head -3
kubectl help foo 2>&1 | head -3
kubectl help create foo 2>&1 | head -3
kubectl help create deployment foo 2>&1 | head -3
