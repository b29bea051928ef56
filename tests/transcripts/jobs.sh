# Jobs of the shell end while it waits for something else.
# cluster: bare
sleep 100 & kill %1; sleep 3; echo after
sleep 2 & sleep 5; jobs; wait; echo waited
kubectl get pods -w & sleep 1; kill %1; kubectl get nodes
timeout 2 kubectl get pods -w; echo "exit $?"
