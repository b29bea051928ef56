docker pull -q busybox:1.36
docker create --name ca --cpus 1/2 busybox:1.36 true
docker inspect -f '{{.HostConfig.NanoCpus}}' ca
docker create --name cb --cpus 1.5e-1 busybox:1.36 true
docker inspect -f '{{.HostConfig.NanoCpus}}' cb
docker create --cpus NaN busybox:1.36 true
docker create --cpus inf busybox:1.36 true
docker create --cpus 1/0 busybox:1.36 true
docker create --cpus . busybox:1.36 true
docker create --cpus -1 busybox:1.36 true
docker create --cpus 1.23456789012 busybox:1.36 true
docker create --name cc --cpus 1e9999 busybox:1.36 true
docker inspect -f '{{.HostConfig.NanoCpus}}' cc
docker update --cpus 1/4 ca
docker inspect -f '{{.HostConfig.NanoCpus}}' ca
docker create --shm-size -1 busybox:1.36 true
docker create --memory -1 busybox:1.36 true
docker create --memory 64m --memory-swap -1 --name cd busybox:1.36 true
docker inspect -f '{{.HostConfig.MemorySwap}}' cd
docker create --memory 99999999999999999999g busybox:1.36 true
docker create --memory 9999999999g busybox:1.36 true
docker create --security-opt foo busybox:1.36 true
docker create --security-opt no-new-privileges --name ce busybox:1.36 true
docker create --security-opt label:disable --name cf busybox:1.36 true
docker inspect -f '{{.HostConfig.SecurityOpt}}' ce cf
docker create --network-alias x busybox:1.36 true
docker create --network bridge --network-alias x busybox:1.36 true
docker create --network host --network-alias x busybox:1.36 true
docker create --network container:a --network-alias x busybox:1.36 true
docker network create -d bridge net1 -q
docker network create net2
docker create --network net2 --network-alias x --name cg busybox:1.36 true
