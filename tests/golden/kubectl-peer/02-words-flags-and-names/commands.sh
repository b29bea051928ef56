kubectl create deployment web --image=nginx --dry-run=client -o yaml
kubectl create deployment web --image=nginx --replicas=x
kubectl create deployment web
kubectl create deployment
kubectl create deployment web --image=nginx --image=redis --dry-run=client -o yaml
kubectl create deployment web --image=nginx --image=redis -- sleep 1
kubectl create deployment web --image=nginx --port=99999
kubectl create deployment web --image=
kubectl create deployment Web --image=nginx
kubectl create job j2
kubectl create job j2 --from=cronjob/x
kubectl create job j2 --from=deploy/x
kubectl create cronjob c --image=busybox --schedule="* * * *"
kubectl create cronjob c --image=busybox
kubectl create cronjob c --image=busybox --schedule="*/5 * * * *" --restart=Always
kubectl create cronjob c --image=busybox --schedule="*/5 * * * *" -o yaml --dry-run=client
kubectl create service clusterip s --tcp=80
kubectl create service clusterip s2 --tcp=80:x
kubectl create service clusterip s2 --tcp=80:99999
kubectl create service clusterip s2 --tcp=a:80
kubectl create service clusterip s2 --clusterip=None
kubectl create service nodeport s3 --tcp=80 --node-port=80
kubectl create service nodeport s3
kubectl create service externalname s4 --external-name=
kubectl create service externalname s4 --external-name=UP_per
kubectl create service loadbalancer s5 --tcp=5678:8080 --dry-run=client -o json
kubectl create service
kubectl create service foo
kubectl create configmap c1 --from-literal=a
kubectl create configmap c1 --from-literal==b
kubectl create configmap c1 --from-literal=a=b --from-literal=a=c
kubectl create configmap c1 --from-file=nofile
kubectl create configmap c1 --from-env-file=nofile
kubectl create configmap c1 --from-literal='bad key=b'
kubectl create configmap
kubectl create secret
kubectl create secret generic
kubectl create secret generic s1 --from-literal=a=b --type=kubernetes.io/tls
kubectl create secret tls t --cert=nofile --key=nofile
kubectl create secret docker-registry r --docker-server=x
kubectl create secret docker-registry r --docker-username=u --docker-password=p
kubectl create ns A
kubectl create ns default
kubectl create quota q --hard=cpu=x
kubectl create quota q --hard=cpu
kubectl create quota q --hard=foo=1
kubectl create quota q --hard=pods=1 --scopes=Foo
kubectl create quota q2 --hard=pods=1,cpu=2 --scopes=BestEffort
kubectl create priorityclass p --value=2000000000
kubectl create priorityclass p --value=x
kubectl create priorityclass p --value=10 --preemption-policy=Foo
kubectl create priorityclass system-foo --value=10
kubectl create pdb p --selector=a=b
kubectl create pdb p --min-available=1
kubectl create pdb p --selector=a=b --min-available=1 --max-unavailable=1
kubectl create pdb p --selector=a=b --min-available=x
kubectl create pdb p --selector=a=b --min-available=150%
kubectl create role r --verb=get
kubectl create role r --verb=foo --resource=pods
kubectl create role r --verb=get --resource=foos
kubectl create role r --verb=get --resource=pods,deployments.apps --resource-name=a -o yaml --dry-run=client
kubectl create clusterrole r --verb=get --non-resource-url=foo
kubectl create clusterrole r --verb=post --non-resource-url=/foo
kubectl create clusterrole r --aggregation-rule=a=b --verb=get
kubectl create rolebinding b --role=a --clusterrole=b
kubectl create rolebinding b --role=a
kubectl create rolebinding b --role=a --serviceaccount=x
kubectl create rolebinding b --role=a --user=u --group=g --serviceaccount=a:b -o yaml --dry-run=client
kubectl create clusterrolebinding b --user=u
kubectl create ingress i
kubectl create ingress i --rule=foo
kubectl create ingress i --rule="foo.com/=svc"
kubectl create ingress i --rule="foo.com/*=svc:80,tls=s" --class=c --dry-run=client -o yaml
kubectl create ingress i --default-backend=svc
kubectl create sa s --dry-run=server
kubectl create foo
kubectl create -f nofile.yaml
kubectl create
kubectl run
kubectl run p
kubectl run p --image=
kubectl run p --image=nginx --restart=Sometimes
kubectl run p --image=nginx --port=x
kubectl run p --image=nginx --overrides='{bad'
kubectl run p --image=nginx --overrides='{"spec":{"foo":1}}'
kubectl run p --image=nginx --rm
kubectl run p --image=nginx -it --dry-run=client
kubectl run p --image=nginx --image-pull-policy=Foo
kubectl run p --image=nginx --command --dry-run=client -o yaml -- a b
kubectl get foo
kubectl get pods,foo
kubectl get pods/a foo/b
kubectl get pods a/b
kubectl get pod/a b
kubectl get
kubectl get pods -o foo
kubectl get pods -o custom-columns
kubectl get pods -o custom-columns=
kubectl get pods -o custom-columns=A
kubectl get pods -o custom-columns=A:
kubectl get pods -o custom-columns=A:.x[
kubectl get pods -o jsonpath={.x
kubectl get pods -o jsonpath={.x[}
kubectl get pods -o jsonpath='{.items[*}'
kubectl get pods -o jsonpath='{range .items}'
kubectl get pods -o jsonpath='{.items[0].a}'
kubectl get pods -o go-template='{{.x'
kubectl get pods -o go-template='{{foo}}'
kubectl get ns default -o go-template='{{index .metadata.labels "a" "b"}}'
kubectl get ns default -o go-template='{{printf "%d" .metadata.name}}'
kubectl get ns default -o go-template='{{len .metadata}}{{"\n"}}{{.metadata.foo}}'
kubectl get ns --sort-by=.metadata.foo
kubectl get ns --sort-by={.metadata.name
kubectl get pods -l 'a in b'
kubectl get pods -l 'a==b,c!=d,!e,f in (g,h)'
kubectl get pods -l '-a'
kubectl get pods -l 'a=b c'
kubectl get pods --field-selector=foo=bar
kubectl get pods --field-selector=metadata.name=a,status.phase!=b
kubectl get cm --field-selector=status.phase=b
kubectl get pods -A a
kubectl get pods -n nosuch
kubectl get ns default other
kubectl get pods --output-watch-events
kubectl get ns -o name
kubectl get deploy.v1.apps
kubectl get deploy.v1beta1.apps
kubectl get pods.foo
kubectl events --for=foo
kubectl events --types=Foo
kubectl describe
kubectl describe foo
kubectl describe pod x
kubectl describe ns/default x
kubectl delete
kubectl delete pods
kubectl delete pod x --now --grace-period=5
kubectl delete pod x --force --grace-period=5
kubectl delete pod x --ignore-not-found
kubectl delete pod x --cascade=foo
kubectl delete pod x -o yaml
kubectl delete pod x -o name
kubectl delete pods --field-selector=a=b
kubectl delete -f nofile
kubectl delete --raw /x
kubectl scale
kubectl scale deploy web
kubectl scale deploy web --replicas=-1
kubectl scale deploy nosuch --replicas=1
kubectl scale --replicas=1
kubectl scale pod x --replicas=1
kubectl scale deploy web --replicas=1 --current-replicas=x
kubectl rollout
kubectl rollout status
kubectl rollout status pod/x
kubectl rollout status deploy/x
kubectl rollout history deploy/x
kubectl rollout undo
kubectl rollout undo deploy/x --to-revision=-1
kubectl rollout restart
kubectl rollout restart cm/x
kubectl rollout pause pod/x
kubectl rollout foo
kubectl wait
kubectl wait pod/x
kubectl wait pod/x --for=foo
kubectl wait pod/x --for=condition=
kubectl wait pod/x --for=condition=Ready --timeout=0s
kubectl wait pod/x --for=delete
kubectl wait pod/x --for=jsonpath=x
kubectl wait pod/x --for=jsonpath='{.x}'
kubectl wait --for=create pod/x --timeout=1s
kubectl wait pods --for=condition=Ready
kubectl wait --all --for=condition=Ready
kubectl expose
kubectl expose pod x
kubectl expose deploy web
kubectl expose deploy web --port=x
kubectl expose cm kube-root-ca.crt --port=80
kubectl expose svc kubernetes --port=80 --name=k2
kubectl autoscale deploy web
kubectl autoscale deploy web --max=3
kubectl autoscale deploy web --max=1 --min=3
kubectl autoscale deploy nosuch --max=1
kubectl logs
kubectl logs x
kubectl logs x -c a --all-containers
kubectl logs x --tail=-2
kubectl logs x --since=1h --since-time=2020-01-01T00:00:00Z
kubectl logs -l a=b
kubectl logs x y
kubectl logs x --since=foo
kubectl logs deploy/x
kubectl logs cm/x
kubectl exec
kubectl exec x
kubectl exec x --
kubectl exec x -- ls
kubectl exec x ls
kubectl attach
kubectl attach x
kubectl cp
kubectl cp a b
kubectl cp a:/b c:/d
kubectl port-forward
kubectl cordon
kubectl cordon x
kubectl taint
kubectl taint nodes
kubectl taint nodes x
kubectl taint nodes x a=b
kubectl taint nodes x a=b:Foo
kubectl taint nodes x a=b:NoSchedule
kubectl taint pods x a=b:NoSchedule
kubectl taint nodes x a:NoSchedule a:NoSchedule
kubectl taint nodes x a:NoSchedule-  a:NoSchedule
kubectl label
kubectl label ns
kubectl label ns default
kubectl label ns default a
kubectl label ns default a=b=c
kubectl label ns default a=b a-
kubectl label ns default 'a b=c'
kubectl label ns default a='b c'
kubectl label ns default x=y
kubectl label ns default x=z
kubectl label ns default x=y
kubectl label ns default x=z --overwrite
kubectl label ns default nothere-
kubectl label ns default x- --dry-run=client
kubectl label ns default x- --list
kubectl label ns default x-
kubectl label ns default --list
kubectl label --all a=b
kubectl label ns --all -l a=b c=d
kubectl label ns default a=b --resource-version=1
kubectl label ns nosuch a=b
kubectl annotate ns default
kubectl annotate ns default a=b
kubectl annotate ns default a=c
kubectl annotate ns default a- b-
kubectl annotate ns default 'a b=c'
kubectl annotate ns default --list
kubectl annotate --all a=b
kubectl patch
kubectl patch ns default
kubectl patch ns default -p '{bad'
kubectl patch ns default -p 'a: b'
kubectl patch ns default -p '[]'
kubectl patch ns default --type=foo -p '{}'
kubectl patch ns default --type=json -p '{}'
kubectl patch ns default --type=json -p '[{"op":"foo"}]'
kubectl patch ns default --type=json -p '[{"op":"remove","path":"/x"}]'
kubectl patch ns default --type=json -p '[{"op":"test","path":"/metadata/name","value":"x"}]'
kubectl patch ns default --type=json -p '[{"op":"add","path":"x","value":"x"}]'
kubectl patch ns default --type=json -p '[{"op":"replace","path":"/metadata/labels/foo","value":"x"}]'
kubectl patch ns default -p '{}'
kubectl patch ns default -p '{"spec":{"foo":1}}'
kubectl patch ns default -p '{"metadata":{"name":"x"}}'
kubectl patch ns default -p '{"metadata":{"labels":1}}'
kubectl patch ns default -p '{"metadata":{"labels":{"a":1}}}'
kubectl patch ns default -p '{"metadata":{"labels":{"q":"r"}}}'
kubectl patch ns default -p '{"metadata":{"labels":{"q":"r"}}}'
kubectl patch ns nosuch -p '{}'
kubectl patch ns default --subresource=foo -p '{}'
kubectl patch ns default -p '{}' --patch-file=x
kubectl set
kubectl set image
kubectl set image deploy/web
kubectl set image deploy/web a
kubectl set image deploy/web a=b
kubectl set image deploy web a=b
kubectl set env
kubectl set env deploy/x A=b
kubectl set env deploy/x
kubectl set resources deploy/x
kubectl set resources deploy/x --limits=cpu=1
kubectl set resources deploy/x --limits=cpu
kubectl set sa deploy/x
kubectl set serviceaccount deploy/x y
kubectl set selector svc/x
kubectl set selector svc/x a=b
kubectl set subject rolebinding x
kubectl set foo
kubectl auth
kubectl auth can-i
kubectl auth can-i get
kubectl auth can-i get pods
kubectl auth can-i get foos
kubectl auth can-i foo pods
kubectl auth can-i get pods --as=bob
kubectl auth can-i get /foo
kubectl auth can-i get pods x y
kubectl auth can-i --list --as=bob
kubectl auth reconcile
kubectl certificate
kubectl certificate approve
kubectl certificate approve x
kubectl config
kubectl config foo
kubectl config get-contexts nosuch
kubectl config use-context nosuch
kubectl config use-context
kubectl config set
kubectl config set a
kubectl config set a b
kubectl config set contexts.x.namespace y
kubectl config set-context
kubectl config set-context --current
kubectl config get-users
kubectl config get-clusters x
kubectl api-resources --verbs=foo
kubectl api-resources --api-group=foo
kubectl api-resources --sort-by=foo
kubectl api-resources -o foo
kubectl api-resources x
kubectl api-versions x
kubectl explain
kubectl explain foo
kubectl explain pod.foo
kubectl explain pod.spec.foo
kubectl explain pods a
kubectl explain pod --api-version=foo/v1
kubectl explain pod --output=foo
kubectl foo
kubectl gte
kubectl get pods --foo
kubectl get pods -z
kubectl get pods -n
kubectl --foo
kubectl options x
kubectl diff
kubectl diff -f nofile
kubectl edit
kubectl edit ns nosuch
kubectl replace
kubectl replace -f nofile
kubectl replace --raw=/x
kubectl apply
kubectl apply x
kubectl apply -f nofile
kubectl apply --prune
kubectl apply view-last-applied
kubectl apply view-last-applied ns/default
kubectl apply set-last-applied
kubectl apply edit-last-applied
kubectl debug
kubectl debug x
kubectl debug x --image=a
kubectl debug node/x --image=a
