kubectl apply -f dep.yaml
kubectl apply -f dep.yaml --server-side
kubectl apply -f dep.yaml --server-side --field-manager=me
sed 's/nginx:1/nginx:2/' dep.yaml | kubectl apply --server-side --field-manager=me -f -
sed 's/nginx:1/nginx:2/; s/replicas: 0/replicas: 1/' dep.yaml | kubectl apply --server-side --field-manager=you -f -
sed 's/nginx:1/nginx:2/' dep.yaml | kubectl apply --server-side --field-manager=me --force-conflicts -f -
kubectl apply -f dep.yaml
kubectl apply -f dep.yaml --dry-run=server
kubectl apply -f dep.yaml --dry-run=client -o name
kubectl apply view-last-applied deploy/site
kubectl get deploy site -o jsonpath='{range .metadata.managedFields[*]}{.manager} {.operation}{"\n"}{end}' --show-managed-fields
kubectl diff -f dep.yaml
sed 's/nginx:1/nginx:3/; s/app: site}}/app: other}}/' dep.yaml | kubectl apply -f -
sed 's/nginx:1/nginx:3/' dep.yaml | kubectl diff -f - | grep -v -e '^---' -e '^+++' -e '^diff'
kubectl replace -f dep.yaml
kubectl create -f dep.yaml
kubectl create -f dep.yaml --save-config
kubectl apply -f sts.yaml
kubectl describe sts db | grep -v CreationTimestamp
kubectl patch sts db -p '{"spec":{"serviceName":"x"}}'
kubectl set image sts/db db=postgres:17
kubectl set env sts/db B=2 A-
kubectl get sts db -o jsonpath='{.spec.template.spec.containers[0].env}{"\n"}'
kubectl apply -f job.yaml
kubectl describe job once | grep -v -e Start -e controller-uid -e Created
kubectl patch job once -p '{"spec":{"completions":3}}'
kubectl patch job once -p '{"spec":{"template":{"spec":{"restartPolicy":"OnFailure"}}}}'
kubectl patch job once -p '{"spec":{"parallelism":-1}}'
kubectl apply -f cj.yaml
kubectl describe cj nightly
kubectl get cj
kubectl patch cj nightly -p '{"spec":{"schedule":"nope"}}'
kubectl patch cj nightly -p '{"spec":{"timeZone":"Nope/X"}}'
kubectl create job now --from=cj/nightly --dry-run=client -o yaml | grep -v uid
kubectl apply -f np.yaml
kubectl describe netpol np
kubectl get netpol
kubectl apply -f pv.yaml
kubectl describe pv disk
kubectl get pv
kubectl describe sc slow
kubectl get sc slow
kubectl patch pv disk -p '{"spec":{"capacity":{"storage":"3Gi"}}}'
kubectl patch pv disk -p '{"spec":{"hostPath":{"path":"/other"}}}'
kubectl patch sc slow -p '{"parameters":{"type":"ssd"}}'
kubectl patch sc slow -p '{"provisioner":"x/y"}'
kubectl apply -f lr.yaml
kubectl describe limits lr | sed -n 1,5p
kubectl apply -f bad1.yaml
kubectl apply -f bad2.yaml
kubectl apply -f bad3.yaml
kubectl apply -f bad4.yaml
kubectl apply -f bad5.yaml
kubectl apply -f bad6.yaml
kubectl apply -f bad7.yaml
kubectl apply -f bad8.yaml
kubectl apply -f bad3.yaml --dry-run=client
kubectl apply -f bad1.yaml --dry-run=server --validate=false
kubectl apply -f bad1.yaml --server-side
kubectl create -f bad2.yaml --validate=ignore
kubectl apply -f bad2.yaml --validate=warn
kubectl run x --image=nginx --restart=Sometimes
kubectl run 'X y' --image=nginx
kubectl run x --image=nginx --dry-run=client --overrides='{"spec":{"nodeName":"a"}}' -o jsonpath='{.spec}{"\n"}'
kubectl run x
kubectl run x --image=nginx --port=99999 --dry-run=server
kubectl run x --image=nginx --env=A --dry-run=client
kubectl run x --image=nginx --labels=a --dry-run=client
kubectl create deploy y
kubectl create deploy y --image=a --image=b --port=80 --dry-run=client -o jsonpath='{.spec.template.spec.containers}{"\n"}'
kubectl create deploy y --image=a --image=b -- cmd
kubectl create ns kube-system
kubectl create ns 'A b'
kubectl create sa default
kubectl create token default --duration=1s
kubectl create priorityclass pc --value=10 --preemption-policy=Nope
kubectl create priorityclass system-x --value=10
kubectl create priorityclass pc --value=2000000000
kubectl create svc nodeport n --tcp=80 --node-port=80
kubectl create svc clusterip n --tcp=80:x:y
kubectl create svc externalname n --external-name='bad name'
kubectl create svc loadbalancer n
kubectl auth can-i get pods --as=system:serviceaccount:default:default
kubectl auth can-i get deploy.apps/site --as=u --as-group=system:masters
kubectl auth can-i get pods,svc
kubectl auth can-i get
kubectl auth can-i nope pods
kubectl auth whoami --as=u --as-group=g -o yaml | grep -v uid
kubectl explain sts.spec.updateStrategy.rollingUpdate
kubectl explain pdb.spec.unhealthyPodEvictionPolicy
kubectl explain limits.spec.limits
kubectl explain rolebinding.subjects
kubectl explain sc --api-version=storage.k8s.io/v1 | head -20
kubectl explain deploy --api-version=apps/v2
kubectl api-resources --api-group=networking.k8s.io
kubectl api-resources --api-group=nope
kubectl api-resources -o nope
kubectl edit deploy nope
kubectl delete sts,job,cj,netpol --all
kubectl delete pv disk nope
kubectl delete -f dep.yaml --ignore-not-found
kubectl delete deploy -l app=none
kubectl delete deploy -l app=none --ignore-not-found
kubectl delete deploy --all --ignore-not-found
kubectl delete deploy
kubectl delete deploy a --all
kubectl delete pods --all -n none
