kubectl apply -f v.yaml
kubectl apply -f v2.yaml
kubectl apply -f v3.yaml
kubectl apply -f v4.yaml
kubectl apply -f v5.yaml
kubectl create -f v5.yaml
kubectl apply -f v5.yaml --validate=false
kubectl create -f v5.yaml --validate=false
kubectl delete -f v5.yaml
kubectl get -f v5.yaml
kubectl apply -f v6.yaml
kubectl apply -f v6.yaml --validate=false
kubectl create -f v6.yaml --validate=false
kubectl create -f v6.yaml
kubectl delete -f v6.yaml
kubectl diff -f v6.yaml
kubectl replace -f v6.yaml
kubectl get widgets
kubectl apply -f crd.yaml
sleep 2
kubectl get widgets
kubectl get wd
kubectl api-resources --api-group=shop.example.com
kubectl get apiservices v1.shop.example.com
kubectl delete -f crd.yaml
sleep 2
kubectl get widgets
kubectl get widget a
kubectl get wd
kubectl describe widgets
kubectl delete widgets --all
kubectl explain widgets
kubectl api-resources --api-group=shop.example.com
kubectl get widgets
kubectl get apiservices v1.shop.example.com
kubectl get servicecidr kubernetes -o jsonpath='{.status.conditions[0].message} {.metadata.finalizers}{"\n"}'
kubectl get apiservices -o custom-columns=N:.metadata.name,P:.spec.groupPriorityMinimum,V:.spec.versionPriority,S:.status.conditions[0].reason
kubectl get flowschemas -o custom-columns=N:.metadata.name,S:.status.conditions[0].reason,M:.status.conditions[0].message
kubectl get --raw '/readyz?verbose'
kubectl get --raw '/livez?verbose'
kubectl get --raw '/readyz/informer-sync'
kubectl create cm a --from-literal=x=1
kubectl create job j1 --image=busybox:1.36
kubectl create job j2 --from=job/j1
kubectl create job j2 --from=cm/a
kubectl get cm a -o go-template='{{printf "%s" 1}} {{printf "%d" "a"}} {{printf "%s %s" "a"}} {{printf "%d" 1 2}} {{printf "%z" 1}} {{printf "%T" 1}} {{printf "%s" (len "abc")}}{{"\n"}}'
kubectl plugin
kubectl get --raw /api/v1/namespaces/default/configmaps/a | sed -E 's/"(uid|resourceVersion|creationTimestamp|time)":"[^"]*"//g'
kubectl get --raw /api/v1/namespaces/default | sed -E 's/"(uid|resourceVersion|creationTimestamp|time)":"[^"]*"//g'
kubectl patch cm a --type=json -p '[{"op":"replace","path":"/data","value":"many"}]' 2>&1 | sed -E 's/\\"(uid|resourceVersion|creationTimestamp|time)\\":\\"[^"]*\\"//g'
kubectl patch cm a --type=json -p '[{"op":"replace","path":"/metadata/labels","value":"many"}]' 2>&1 | sed -E 's/\\"(uid|resourceVersion|creationTimestamp|time)\\":\\"[^"]*\\"//g'
