# CronJobs: Jobs by the clock
# cluster: bare
kubectl create cronjob tick --image=busybox:1.36 --schedule='*/2 * * * *' -- sh -c 'date; sleep 150'
kubectl patch cronjob tick -p '{"spec":{"concurrencyPolicy":"Forbid","timeZone":"Asia/Tokyo"}}'
sleep 125
kubectl get cronjob,jobs
sleep 240
kubectl get cronjob,jobs
kubectl describe cronjob tick | sed -n '/^Events/,$p'
kubectl get jobs -o jsonpath='{range .items[*]}{.metadata.annotations.batch\.kubernetes\.io/cronjob-scheduled-timestamp}{"\n"}{end}'
kubectl patch cronjob tick -p '{"spec":{"suspend":true}}'
sleep 300
kubectl get cronjob,jobs
kubectl delete cronjob tick
sleep 2
kubectl get jobs,pods
