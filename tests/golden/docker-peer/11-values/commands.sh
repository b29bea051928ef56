docker pull -q busybox:1.36
docker create --name a --cpus 1/2 busybox:1.36 true
docker inspect -f '{{.HostConfig.NanoCpus}}' a
docker create --name b --cpus 1.5e-1 busybox:1.36 true
docker inspect -f '{{.HostConfig.NanoCpus}}' b
docker create --cpus NaN busybox:1.36 true
docker create --cpus inf busybox:1.36 true
docker create --cpus 1/0 busybox:1.36 true
docker create --cpus . busybox:1.36 true
docker create --cpus -1 busybox:1.36 true
docker create --cpus 1.23456789012 busybox:1.36 true
docker create --name c --cpus 1e9999 busybox:1.36 true
docker inspect -f '{{.HostConfig.NanoCpus}}' c
docker update --cpus 1/4 a
docker inspect -f '{{.HostConfig.NanoCpus}}' a
docker create --shm-size -1 busybox:1.36 true
docker create --memory -1 busybox:1.36 true
docker create --memory 64m --memory-swap -1 --name d busybox:1.36 true
docker inspect -f '{{.HostConfig.MemorySwap}}' d
docker create --memory 99999999999999999999g busybox:1.36 true
docker create --memory 9999999999g busybox:1.36 true
docker create --security-opt foo busybox:1.36 true
docker create --security-opt no-new-privileges --name e busybox:1.36 true
docker create --security-opt label:disable --name f busybox:1.36 true
docker inspect -f '{{.HostConfig.SecurityOpt}}' e f
docker create --network-alias x busybox:1.36 true
docker create --network bridge --network-alias x busybox:1.36 true
docker create --network host --network-alias x busybox:1.36 true
docker create --network container:a --network-alias x busybox:1.36 true
docker network create -d bridge net1 -q
docker network create net2
docker create --network net2 --network-alias x --name g busybox:1.36 true
