kubectl get deployments.v1beta1.apps
kubectl get deployments.v1.apps
kubectl get deploy.v2.apps
kubectl get deploy.ap
kubectl get deployments.ap
kubectl get deploy.apps
kubectl get cm.v1
kubectl get cm.v2
kubectl get cm.foo
kubectl get configmaps.v2
kubectl get deploy.v1.ap
kubectl get deployments.v1.ap
kubectl get ns.v1.
kubectl get hpa.v1.autoscaling
kubectl get hpa.v2.autoscaling
kubectl get hpa.v3.autoscaling
kubectl get ev.events.k8s.io
kubectl get ev.v1
kubectl get deploy/x deploy.apps/y deployments.v1.apps/z
kubectl get ns default -o go-template='{{index .metadata "a"}}|{{index .metadata.foo "b"}}'
kubectl get ns default -o go-template='{{index .metadata "a" "b" "c"}}'
kubectl get ns default -o go-template='{{slice .metadata.foo 1}}'
kubectl get ns default -o go-template='{{.metadata.foo.bar.baz}}'
kubectl get ns default -o go-template='{{call .metadata}}'
kubectl get ns default -o go-template='{{printf "%d %s %q %v %x" .metadata.name 1 2 nil true}}'
kubectl get ns default -o go-template='{{base64decode "aGk="}}|{{base64decode "!"}}'
kubectl get ns default -o go-template='{{eq 1 "a"}}'
kubectl get ns default -o go-template='{{lt 1 2}} {{and 1 0}} {{or "" "x"}} {{not 1}} {{html "<"}} {{js "a\"b"}} {{urlquery "a b"}} {{print 1 2 "x"}} {{println "a" 1}}'
kubectl get ns default -o go-template='{{range $i, $e := .spec.finalizers}}{{$i}}={{$e}}{{else}}none{{end}}{{with .metadata.nope}}x{{else}}y{{end}}{{"\n"}}'
kubectl get ns default -o go-template='{{range .spec.finalizers}}{{break}}{{end}}{{define "T"}}t{{.}}{{end}}{{template "T" .metadata.name}}{{template "N"}}'
kubectl get ns default -o go-template='{{if}}{{end}}'
kubectl get ns default -o go-template='{{end}}'
kubectl get ns default -o go-template='{{range .x}}'
kubectl get ns default -o go-template='{{ "a }}'
kubectl get ns default -o go-template='{{ $x }}'
kubectl get ns default -o go-template='{{.metadata.name | printf "%s-%s" "a" | len}}'
kubectl get ns default -o jsonpath='{.metadata.name}{"\t"}{.status.phase}{"\n"}'
kubectl get ns default -o jsonpath='{.metadata["name"]}'
kubectl get ns default -o jsonpath="{.metadata.labels.kubernetes\.io/metadata\.name}"
kubectl get ns default -o jsonpath='{.metadata.nope.deeper}'
kubectl get ns default -o jsonpath='{.spec.finalizers[1]}'
kubectl get ns default -o jsonpath='{.spec.finalizers[-1]} {.spec.finalizers[0:1]} {.spec.finalizers[::2]} {.spec.finalizers[*]}'
kubectl get ns -o jsonpath='{.items[?(@.metadata.name=="default")].metadata.name}'
kubectl get ns -o jsonpath='{.items[?(@.metadata.name=~"d.*")].metadata.name}'
kubectl get ns -o jsonpath='{.items[?(@.metadata.name!="default")].metadata.name}'
kubectl get ns -o jsonpath='{range .items[*]}{@.metadata.name}{","}{end}'
kubectl get ns -o jsonpath='{.items[0,1].metadata.name}'
kubectl get ns -o jsonpath="{['items'][0]['metadata']['name']}"
kubectl get ns -o jsonpath='{.items[?(@.spec)].metadata.name} {.items[?(@.nope)].metadata.name}'
kubectl get ns -o jsonpath='{.items[?(@.metadata.name > "e")].metadata.name}'
kubectl get ns -o jsonpath='{$.items[0].metadata.name}{$}' --allow-missing-template-keys=false
kubectl get ns default -o jsonpath='{.nope}' --allow-missing-template-keys=false
kubectl get ns default -o jsonpath='{.metadata.name'
kubectl get ns default -o jsonpath='{.metadata.name}}'
kubectl get ns default -o jsonpath='{{.metadata.name}'
kubectl get ns default -o jsonpath='{.a[}'
kubectl get ns default -o jsonpath='{.a[abc]}'
kubectl get ns default -o jsonpath='{.a[1:2:0]}'
kubectl get ns default -o jsonpath='{"unterminated}'
kubectl get ns default -o jsonpath='{end}'
kubectl get ns default -o jsonpath='{1}{true}{.5}'
kubectl get ns default -o jsonpath-as-json='{.metadata.name}'
kubectl get ns default -o jsonpath-file=nofile
kubectl get ns default -o custom-columns-file=nofile
kubectl get ns default -o go-template-file=nofile
kubectl get ns default -o template
kubectl get ns default -o jsonpath
kubectl get ns default -o jsonpath=
kubectl get ns default -o go-template
kubectl get ns default -o custom-columns=N:.metadata.name,X:.metadata.nope,L:.metadata.labels,F:.spec.finalizers[*]
kubectl get ns default -o custom-columns=N:metadata.name --no-headers
kubectl get ns default -o custom-columns=N:{.metadata.name}
kubectl get ns default -o custom-columns=N:{.metadata.name
kubectl get ns default -o custom-columns=:.metadata.name
kubectl get ns default -o custom-columns=N:.metadata.name,
kubectl get ns --sort-by=.metadata.creationTimestamp -o name
kubectl get ns --sort-by=metadata.name -o name
kubectl get ns --sort-by='{.metadata.name}' -o name
kubectl get ns --sort-by='.spec.finalizers' -o name
kubectl get ns --sort-by='.metadata.labels' -o name
kubectl get ns --sort-by='.metadata.name[' -o name
kubectl get ns -l kubernetes.io/metadata.name=default -o name
kubectl get ns -l 'kubernetes.io/metadata.name in (default,kube-system)' -o name
kubectl get ns -l 'kubernetes.io/metadata.name notin (default)' -o name
kubectl get ns -l '!kubernetes.io/metadata.name' -o name
kubectl get ns -l 'a>1,b<2'
kubectl get ns -l 'a>x'
kubectl get ns -l 'a in'
kubectl get ns -l 'a in ()'
kubectl get ns -l ','
kubectl get ns -l 'a,,b'
kubectl get ns -l 'a b'
kubectl get ns -l 'a/b/c=d'
kubectl get ns -l 'x=y z'
kubectl get ns --field-selector='metadata.name==default' -o name
kubectl get ns --field-selector='metadata.name in (a)' -o name
kubectl get ns --field-selector='a'
kubectl get ns --field-selector='status.phase=Active,metadata.name!=default' -o name
kubectl get secrets --field-selector=type=Opaque
kubectl get events --field-selector=reason=x,involvedObject.kind=Pod
kubectl get nodes --field-selector=spec.unschedulable=true
kubectl get nodes --field-selector=status.phase=x
kubectl get pods --field-selector=spec.nodeName=a,status.podIP=1,spec.restartPolicy=Always,spec.schedulerName=x,spec.serviceAccountName=y,status.nominatedNodeName=z,spec.hostNetwork=true
kubectl get rs --field-selector=status.replicas=0
kubectl get jobs --field-selector=status.successful=1
kubectl get deploy --field-selector=metadata.namespace=default
kubectl get svc --field-selector=spec.type=ClusterIP,spec.clusterIP=10.96.0.1 -o name
kubectl get crd --field-selector=spec.scope=a
