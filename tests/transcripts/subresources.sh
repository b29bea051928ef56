# Subresources by patch and by replace, and raw paths.
cat > crd.yaml <<'END'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.sea.example.com}
spec:
  group: sea.example.com
  scope: Namespaced
  names: {plural: boats, singular: boat, kind: Boat, shortNames: [bt], categories: [all]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.crew, statusReplicasPath: .status.crew}}
    additionalPrinterColumns:
    - {name: Crew, type: integer, jsonPath: .spec.crew}
    - {name: Port, type: string, jsonPath: .spec.port, priority: 1}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [crew]
            x-kubernetes-validations:
            - {rule: "self.crew <= self.seats", message: "more crew than seats"}
            properties:
              crew: {type: integer, minimum: 1, maximum: 12}
              seats: {type: integer, default: 6}
              port: {type: string, enum: [kobe, osaka]}
              tags: {type: array, items: {type: string, pattern: "^[a-z]+$"}, maxItems: 2}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {crew: {type: integer}}}
END
cat > boat.yaml <<'END'
apiVersion: sea.example.com/v1
kind: Boat
metadata: {name: maru}
spec: {crew: 2, port: kobe}
END
cat > z.yaml <<'END'
apiVersion: v1
kind: Pod
metadata: {name: z}
spec:
  terminationGracePeriodSeconds: 1
  containers:
  - name: c
    image: busybox:1.36
    command: [sleep, "3600"]
    resizePolicy: [{resourceName: cpu, restartPolicy: NotRequired}, {resourceName: memory, restartPolicy: RestartContainer}]
    resources: {requests: {cpu: 100m, memory: 32Mi}, limits: {cpu: 200m, memory: 64Mi}}
END
kubectl apply -f crd.yaml
sleep 2
kubectl apply -f boat.yaml
kubectl patch boat maru --subresource=status --type=merge -p '{"status":{"crew":2},"spec":{"crew":50}}'
kubectl get boat maru -o jsonpath='{.spec.crew} {.status.crew} {.metadata.generation}{"\n"}'
kubectl apply -f z.yaml
kubectl wait --for=condition=Ready pod/z
kubectl get pod z -o yaml | sed 's/cpu: 100m/cpu: 120m/' > f.yaml
kubectl replace -f f.yaml --subresource resize
kubectl get pod z -o jsonpath='{.spec.containers[0].resources.requests.cpu}{"\n"}'
kubectl get boat maru -o json > b.json
kubectl replace --raw /apis/sea.example.com/v1/namespaces/default/boats/maru -f b.json | head -c 80; echo
kubectl replace --raw /apis -f nope.json
