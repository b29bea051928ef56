kubectl create ns t
kubectl apply -f d.yaml
sed 's/a: b/a: c/g' d.yaml | kubectl apply -f -
sed 's/a: b/a: c/g; s/replicas: 0/replicas: -1/' d.yaml | kubectl apply -f -
sed 's/a: b/a: c/g; s/replicas: 0/replicas: -1/' d.yaml | kubectl replace -f -
sed 's/name: c/name: C/' d.yaml | kubectl apply -f -
sed 's/image: x/image: ""/' d.yaml | kubectl apply -f -
sed 's/image: x/image: x, foo: bar/' d.yaml | kubectl apply -f -
sed 's/image: x/image: x, foo: bar/; s/replicas: 0/replicas: "0"/' d.yaml | kubectl apply -f -
sed 's/replicas: 0/replicas: zero/' d.yaml | kubectl apply -f -
sed 's/image: x/image: x, imagePullPolicy: Foo, ports: [{containerPort: 0}, {containerPort: 70000, protocol: X}]/' d.yaml | kubectl apply -f -
sed 's/image: x/image: x, resources: {limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 2, memory: foo}}/' d.yaml | kubectl apply -f -
sed 's/image: x/image: x, resources: {limits: {cpu: 1, memory: 1Gi}, requests: {cpu: 2, memory: 2Gi}}/' d.yaml | kubectl apply -f -
sed 's/image: x/image: x, env: [{name: "", value: a}, {name: A=, value: b}, {value: c}]/' d.yaml | kubectl apply -f -
sed 's/image: x/image: x, volumeMounts: [{name: v, mountPath: ""}, {name: w, mountPath: \/a}, {name: w, mountPath: \/a}]/' d.yaml | kubectl apply -f -
sed 's/image: x/image: x, livenessProbe: {}, readinessProbe: {httpGet: {path: \/}, tcpSocket: {port: 1}}, startupProbe: {exec: {command: []}, periodSeconds: -1}/' d.yaml | kubectl apply -f -
sed 's/image: x/image: x}, {name: c, image: y/' d.yaml | kubectl apply -f -
sed 's/image: x/image: x, ports: [{containerPort: 80, name: http}, {containerPort: 81, name: http}]}, {name: c, image: y, ports: [{containerPort: 80, name: UPPER}]/' d.yaml | kubectl apply -f -
sed 's/spec: {containers/spec: {restartPolicy: Never, dnsPolicy: Foo, terminationGracePeriodSeconds: -1, containers/' d.yaml | kubectl apply -f -
sed 's/spec: {containers/spec: {volumes: [{name: v}, {name: v, emptyDir: {}}, {name: w, hostPath: {path: a\/..\/b}}, {name: x, configMap: {}}], containers/' d.yaml | kubectl apply -f -
sed 's/spec: {containers/spec: {nodeSelector: {"a b": "c d"}, tolerations: [{key: a, operator: Foo}, {operator: Equal}, {key: a, effect: X}], containers/' d.yaml | kubectl apply -f -
sed 's/spec: {containers/spec: {initContainers: [{name: c, image: x}, {name: i, image: y, restartPolicy: Sometimes}], containers/' d.yaml | kubectl apply -f -
sed 's/replicas: 0/replicas: 0, strategy: {type: Foo}/' d.yaml | kubectl apply -f -
sed 's/replicas: 0/replicas: 0, strategy: {type: Recreate, rollingUpdate: {}}/' d.yaml | kubectl apply -f -
sed 's/replicas: 0/replicas: 0, strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}/' d.yaml | kubectl apply -f -
sed 's/replicas: 0/replicas: 0, strategy: {rollingUpdate: {maxSurge: 10x, maxUnavailable: 150%}}/' d.yaml | kubectl apply -f -
sed 's/replicas: 0/replicas: 0, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: 0/' d.yaml | kubectl apply -f -
sed 's/name: d,/name: d, labels: {"a_": "b!"}, annotations: {"x\/y\/z": "1"}, finalizers: [foo], ownerReferences: [{apiVersion: v1, kind: "", name: "", uid: ""}],/' d.yaml | kubectl apply -f -
sed 's/matchLabels: {a: b}/matchExpressions: [{key: a, operator: In}, {key: b, operator: Foo, values: [x]}, {key: c, operator: Exists, values: [y]}]/' d.yaml | kubectl apply -f -
sed 's/selector: {matchLabels: {a: b}}/selector: {}/' d.yaml | kubectl create -f -
sed 's/selector: {matchLabels: {a: b}}, //; s/name: d,/name: e,/' d.yaml | kubectl create -f -
kubectl apply -f s.yaml
sed 's/selector/clusterIP: 10.96.0.77, selector/' s.yaml | kubectl apply -f -
sed 's/selector/clusterIP: None, selector/' s.yaml | kubectl apply -f -
sed 's/selector/type: Foo, selector/' s.yaml | kubectl apply -f -
sed 's/selector/type: NodePort, selector/; s/name: a/name: a, nodePort: 80/' s.yaml | kubectl apply -f -
sed 's/name: a/name: a}, {port: 80, name: b/' s.yaml | kubectl apply -f -
sed 's/name: a/name: a}, {port: 81/' s.yaml | kubectl apply -f -
sed 's/name: a/name: a}, {port: 81, name: a/' s.yaml | kubectl apply -f -
sed 's/name: a/name: a, protocol: FOO, targetPort: TOO_LONG_NAME_OF_PORT/' s.yaml | kubectl apply -f -
sed 's/selector/type: ExternalName, selector/' s.yaml | kubectl apply -f -
sed 's/selector/sessionAffinity: Foo, externalTrafficPolicy: Local, ipFamilyPolicy: X, selector/' s.yaml | kubectl apply -f -
sed 's/selector/externalIPs: [a, 127.0.0.1], loadBalancerSourceRanges: [x], healthCheckNodePort: 1, selector/' s.yaml | kubectl apply -f -
sed 's/name: s/name: 1s/' s.yaml | kubectl apply -f -
sed 's/name: s/name: S_/; s/port: 80/port: 0/' s.yaml | kubectl apply -f -
kubectl apply -f p.yaml
sed 's/image: x/image: y/' p.yaml | kubectl apply -f -
sed 's/image: x/image: y, command: [a]/' p.yaml | kubectl apply -f - 2>&1 | head -5
sed 's/name: c,/name: d,/' p.yaml | kubectl apply -f - 2>&1 | head -5
sed 's/nowhere/elsewhere/' p.yaml | kubectl apply -f - 2>&1 | head -3
sed 's/image: x/image: x}, {name: e, image: z/' p.yaml | kubectl apply -f -
kubectl patch pod p -n t -p '{"spec":{"activeDeadlineSeconds":10}}'
kubectl patch pod p -n t -p '{"spec":{"activeDeadlineSeconds":20}}'
kubectl patch pod p -n t -p '{"spec":{"terminationGracePeriodSeconds":5}}' 2>&1 | head -3
kubectl patch pod p -n t -p '{"spec":{"tolerations":[{"key":"z","operator":"Exists"}]}}'
kubectl patch pod p -n t -p '{"metadata":{"uid":"x"}}'
kubectl patch pod p -n t -p '{"metadata":{"resourceVersion":"1"}}'
kubectl patch pod p -n t -p '{"metadata":{"namespace":"default"}}'
kubectl patch pod p -n t -p '{"metadata":{"deletionTimestamp":"2020-01-01T00:00:00Z"}}'
kubectl patch pod p -n t -p '{"metadata":{"creationTimestamp":null}}'
kubectl patch pod p -n t -p '{"kind":"Foo"}'
kubectl patch pod p -n t -p '{"apiVersion":"v2"}'
kubectl patch pod p -n t -p '{"status":{"phase":"Failed"}}'
kubectl patch pod p -n t --subresource=status -p '{"status":{"phase":"Foo"}}'
kubectl patch pod p -n t --subresource=resize -p '{"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"1"}}}]}}'
kubectl patch deploy d -n t --type=json -p '[{"op":"replace","path":"/spec/selector","value":{"matchLabels":{"z":"z"}}}]'
kubectl patch deploy d -n t --type=json -p '[{"op":"remove","path":"/spec/template"}]'
kubectl patch deploy d -n t --type=json -p '[{"op":"add","path":"/spec/replicas","value":"x"}]'
kubectl patch deploy d -n t --type=json -p '[{"op":"add","path":"/spec/template/spec/containers/5","value":{}}]'
kubectl patch deploy d -n t --type=json -p '[{"op":"move","path":"/spec/a"}]'
kubectl patch deploy d -n t --type=json -p '[{"op":"copy","from":"/spec/nope","path":"/spec/a"}]'
kubectl patch deploy d -n t --type=json -p '[{"path":"/spec/a"}]'
kubectl patch deploy d -n t --type=merge -p '{"spec":null}'
kubectl patch deploy d -n t -p '{"spec":{"template":{"spec":{"containers":[{"image":"z"}]}}}}'
kubectl patch deploy d -n t -p '{"spec":{"template":{"spec":{"containers":[{"name":"c","$patch":"delete"}]}}}}'
kubectl patch deploy d -n t -p '{"spec":{"template":{"spec":{"containers":[{"name":"c","$patch":"foo"}]}}}}'
kubectl patch deploy d -n t -p '{"spec":{"replicas":"x","foo":1}}'
kubectl scale deploy d -n t --replicas=1000000000000
kubectl label deploy d -n t 'a/b/c=d'
kubectl annotate deploy d -n t "a/b/c=d"
kubectl annotate deploy d -n t A_B/x=d
kubectl autoscale deploy d -n t --max=0
kubectl autoscale deploy d -n t --min=0 --max=2
kubectl autoscale deploy d -n t --max=2 --cpu-percent=0
kubectl autoscale deploy d -n t --max=2 --cpu=50%
kubectl autoscale deploy d -n t --max=3
kubectl expose deploy d -n t --port=80 --type=Foo
kubectl expose deploy d -n t --port=80 --target-port=x_y
kubectl expose deploy d -n t --port=80 --protocol=foo
kubectl expose deploy d -n t --port=80,81 --dry-run=client -o yaml
kubectl expose deploy d -n t --port=80 --session-affinity=Foo
kubectl expose deploy d -n t --port=80 --cluster-ip=foo
kubectl set image deploy/d -n t nope=x
kubectl set image deploy/d -n t c= 
kubectl set image deploy/d -n t '*=x:2'
kubectl set image deploy/d -n t c=x:2
kubectl set env deploy/d -n t 'A B=c'
kubectl set env deploy/d -n t A=b C-
kubectl set env deploy/d -n t --list
kubectl set env deploy/d -n t --from=cm/nope
kubectl set env deploy/d -n t -c nope A=b
kubectl set env deploy/d -n t 1A=b
kubectl set resources deploy/d -n t --limits=cpu=x
kubectl set resources deploy/d -n t --limits=foo=1
kubectl set resources deploy/d -n t --limits=cpu=1 --requests=cpu=2
kubectl set serviceaccount deploy/d -n t 'X Y'
kubectl rollout undo deploy/d -n t --to-revision=99
kubectl rollout pause deploy/d -n t
kubectl rollout pause deploy/d -n t
kubectl rollout restart deploy/d -n t
kubectl rollout resume deploy/d -n t
kubectl rollout resume deploy/d -n t
kubectl rollout status deploy/d -n t --timeout=1s
kubectl rollout status deploy/d -n t --revision=9 --timeout=1s
kubectl rollout history deploy/d -n t --revision=99
kubectl delete ns t --wait=false
kubectl create cm late -n t --from-literal=a=b
