kubectl create deploy web --image=nginx:1 --replicas=2
kubectl set image deploy/web nginx=nginx:2
kubectl set resources deploy/web -c nginx --limits=cpu=200m,memory=64Mi
kubectl set env deploy/web A=b
kubectl set env deploy/web --list
kubectl set image deploy/web nope=x
kubectl set serviceaccount deploy/web nope
kubectl set selector svc/nope a=b
kubectl expose deploy web --port=80 --target-port=http
kubectl expose deploy web --port=80 --name=bad_name
kubectl expose deploy web
kubectl create ingress i2 --rule=nope
kubectl create quota q --hard=pods=3,cpu=1 --scopes=BestEffort
kubectl create quota q --hard=pods=3,requests.storage=1Gi
kubectl describe quota q
kubectl create quota q2 --hard=pods=x
kubectl create pdb p --selector=app=web --min-available=1
kubectl create pdb p2 --selector=app=web
kubectl create pdb p2 --selector=app=web --min-available=1 --max-unavailable=1
kubectl create pdb p2 --min-available=1
kubectl autoscale deploy web --min=3 --max=2
kubectl autoscale deploy web --max=5 --cpu=80%
kubectl get hpa web -o jsonpath='{.spec}{"\n"}'
kubectl create role r --verb=get,list --resource=pods,deploy --resource-name=x
kubectl create role r --verb=get --resource=pods/log,deployments.apps/scale
kubectl describe role r
kubectl create rolebinding rb --role=r --user=bob --group=dev --serviceaccount=default:default
kubectl describe rolebinding rb
kubectl create rolebinding rb2 --role=r --clusterrole=view
kubectl create rolebinding rb2 --role=r --serviceaccount=x
kubectl create clusterrole cr --verb=get --non-resource-url=/healthz
kubectl create clusterrole cr2 --aggregation-rule="a=b"
kubectl describe clusterrole cr
kubectl auth can-i get pods --as=bob
kubectl auth can-i create pods --as=bob
kubectl auth can-i get pods/log --as=bob
kubectl auth can-i get /healthz --as=bob
kubectl auth can-i '*' '*' --as=bob
kubectl auth can-i list nodes --as=bob
kubectl auth can-i get pods --subresource=log --as=bob
kubectl auth can-i get widgets
kubectl auth can-i --list --as=bob
kubectl auth can-i --list --as=system:serviceaccount:default:default | head -5
kubectl get pods --as=eve
kubectl create cm c --from-literal=a=1 --as=eve
kubectl create secret generic s --from-literal=a=1 --type=kubernetes.io/tls
kubectl create secret generic s --from-literal=a=1
kubectl create secret docker-registry d --docker-server=x --docker-username=u --docker-password=p
kubectl get secret d -o jsonpath='{.data}{"\n"}'
kubectl describe secret s d
kubectl create secret tls t --cert=/dev/null --key=/dev/null
kubectl create cm c --from-literal=a=1 --from-literal=a=2
kubectl create cm c --from-literal=a
kubectl create cm c --from-file=/none
kubectl create cm c --from-literal=a/b=1
kubectl create cm c --from-literal=a=1 --dry-run=server -o yaml | grep -v -e uid -e Time
kubectl create cm c --from-literal=a=1 --immutable
kubectl create cm c --from-literal=a=1
kubectl patch cm c -p '{"data":{"b":"2"}}'
kubectl patch cm c --type=merge -p '{"data":{"b":null}}'
kubectl patch cm c --type=json -p '[{"op":"add","path":"/data/x","value":"y"},{"op":"test","path":"/data/a","value":"z"}]'
kubectl patch cm c --type=json -p '[{"op":"remove","path":"/data/none"}]'
kubectl patch cm c --type=json -p '{"a":1}'
kubectl patch cm c -p 'nope'
kubectl patch cm c -p '{"data":{"b":3}}'
kubectl patch deploy web -p '{"spec":{"replicas":"x"}}'
kubectl patch deploy web --subresource=scale -p '{"spec":{"replicas":1}}' --type=merge
kubectl patch deploy web --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/3/image","value":"y"}]'
kubectl patch deploy web --type=strategic -p '{"spec":{"template":{"spec":{"containers":[{"image":"x"}]}}}}'
kubectl patch svc web -p '{"spec":{"type":"NodePort"}}'
kubectl patch svc web -p '{"spec":{"clusterIP":"1.2.3.4"}}'
kubectl patch pvc x -p '{}'
kubectl label deploy web a=b a-
kubectl label deploy web app=x
kubectl label deploy web app=x --overwrite --resource-version=1
kubectl label deploy web 'a b=c'
kubectl annotate deploy web a=b
kubectl annotate deploy web a=c
kubectl annotate deploy web a-
kubectl scale deploy web --replicas=-1
kubectl scale deploy web --current-replicas=7 --replicas=2
kubectl scale deploy web --replicas=2
kubectl scale deploy/web deploy/nope --replicas=2
kubectl rollout history deploy/web
kubectl rollout undo deploy/web --to-revision=9
kubectl rollout undo deploy/web --dry-run=client
kubectl rollout restart deploy/web
kubectl rollout pause deploy/web
kubectl rollout pause deploy/web
kubectl rollout restart deploy/web
kubectl rollout resume deploy/web
kubectl rollout status deploy/web --watch=false
kubectl explain deploy.spec.strategy
kubectl explain pod.spec.containers.resources --recursive
kubectl explain hpa.spec.metrics | head -20
kubectl explain cronjob.spec.timeZone
kubectl explain ing.spec.rules.http.paths.pathType
kubectl explain pod.spec.nope
kubectl explain netpol.spec.ingress.from
kubectl explain pvc.spec.resources
kubectl explain nope
kubectl api-resources --namespaced=false -o name | head -20
kubectl api-resources --verbs=list,patch --sort-by=kind --no-headers | head -10
kubectl api-resources -o wide | head -8
kubectl api-resources --categories=all
kubectl api-versions | tail -5
kubectl get deploy web -o custom-columns=N:.metadata.name,I:.spec.template.spec.containers[*].image,X:.none
kubectl get events --field-selector=reason=none
kubectl get deploy,svc -o name
kubectl get deploy/web svc/web -o name
kubectl get deploy web svc/web
kubectl get nope
kubectl get deploy nope
kubectl get deploy -l 'app in (web,x),!none' -o name
kubectl get deploy -l 'app=!x'
kubectl get pods --field-selector=spec.none=x
kubectl delete deploy web --dry-run=client
kubectl delete deploy web --dry-run=server
kubectl delete deploy,svc web
