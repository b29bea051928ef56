# Numbers and truth values where the API wants text.
# cluster: kind
kubectl create -f - <<'END'
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {port: 8080}
END
echo $?
kubectl create -f - <<'END'
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - name: c
      image: busybox:1.37
      env:
        - {name: A, value: "yes"}
        - {name: B, value: true}
END
echo $?
kubectl apply -f - <<'END'
apiVersion: v1
kind: Secret
metadata: {name: s}
data: {p: "not base64!"}
END
echo $?
kubectl get configmap a
kubectl get pods,secrets
kubectl apply -f - <<'END'
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {p: x}
END
echo $?
kubectl get secret s -o jsonpath='{.data} [{.stringData}] {.type}{"\n"}'
