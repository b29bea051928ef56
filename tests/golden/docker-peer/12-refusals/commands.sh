docker create --name t1 --tmpfs foo busybox:1.36 true
docker create --name t2 --tmpfs foo/bar:size=1m busybox:1.36 true
docker create --name t3 --tmpfs / busybox:1.36 true
docker create --name t4 --tmpfs /t:nosuch busybox:1.36 true
docker run --rm --tmpfs /t:size=abc busybox:1.36 true
docker create --name t5 --tmpfs /t:size=1m,mode=1777 busybox:1.36 true
docker create --name t6 --tmpfs /t --tmpfs /t busybox:1.36 true
docker create --name t7 --tmpfs '' busybox:1.36 true
docker create --name d1 --device /dev/nosuch busybox:1.36 true
docker start d1
docker run --rm --device /dev/nosuch busybox:1.36 true
docker run --rm --device /dev/null busybox:1.36 ls /dev/null
docker run --rm --device /dev/null:/dev/other busybox:1.36 ls /dev/other
docker create --device /dev/null:/dev/other:zz busybox:1.36 true
docker create --device /dev/null:rw busybox:1.36 true
docker create --device rel busybox:1.36 true
docker create --device /dev/null:rel busybox:1.36 true
docker create --device /a:/b:r:w busybox:1.36 true
docker create --device '' busybox:1.36 true
docker create --name l1 --link zz busybox:1.36 true
docker create --name l2 --link zz:alias busybox:1.36 true
docker create --link a:b:c busybox:1.36 true
docker create --link '' busybox:1.36 true
docker create --link : busybox:1.36 true
docker create --name g1 --gpus all busybox:1.36 true
docker start g1
docker run --rm --gpus all busybox:1.36 true
docker run --rm --gpus 2 busybox:1.36 true
docker create --gpus abc busybox:1.36 true
docker create --gpus device=0 busybox:1.36 true
docker create --gpus '' busybox:1.36 true
docker create --cpuset-cpus 99 busybox:1.36 true
docker create --cpuset-cpus 0-1 busybox:1.36 true
docker create --cpuset-cpus abc busybox:1.36 true
docker create --cpuset-cpus 1-0 busybox:1.36 true
docker create --cpuset-cpus 0,9 busybox:1.36 true
docker create --cpuset-mems 9 busybox:1.36 true
docker create --cpuset-mems abc busybox:1.36 true
docker create --isolation hyperv busybox:1.36 true
docker create --isolation process busybox:1.36 true
docker create --isolation default busybox:1.36 true
docker create --isolation zz busybox:1.36 true
docker create --name ga --group-add nosuch busybox:1.36 true
docker start ga
docker run --rm --group-add nosuch busybox:1.36 true
docker run --rm --group-add 1234 busybox:1.36 true
docker run --rm --group-add nogroup busybox:1.36 true
docker run --rm --group-add '' busybox:1.36 true
docker run --rm --platform zz/qq busybox:1.36 true
docker run --rm --platform linux/amd64 busybox:1.36 true
docker run --rm --platform linux/arm64 busybox:1.36 true
docker run --rm --platform linux/zz busybox:1.36 true
docker run --rm --platform zz busybox:1.36 true
docker run --rm --platform windows busybox:1.36 true
docker run --rm --platform linux busybox:1.36 true
docker run --rm --platform 'a b' busybox:1.36 true
docker run --rm --platform a/b/c/d busybox:1.36 true
docker create --platform linux/arm64 busybox:1.36 true
docker pull --platform linux/arm64 busybox:1.36
docker pull --platform zz/qq busybox:1.36
docker pull --platform a/b/c/d busybox:1.36
docker run --rm --network container:zz busybox:1.36 true
docker create --network container:zz busybox:1.36 true
docker run --rm --network container:zz busybox:1.35 true
docker run --rm --network container: busybox:1.36 true
docker run --rm --pid container:zz busybox:1.36 true
docker run --rm --ipc container:zz busybox:1.36 true
docker run --rm --pid container: busybox:1.36 true
docker run --rm --ipc container: busybox:1.36 true
docker run --rm --uts container:zz busybox:1.36 true
docker run --rm --uts host --hostname a busybox:1.36 true
docker run --rm --network host --hostname a busybox:1.36 hostname
docker run --rm --network container:zz --hostname a busybox:1.36 true
docker run --rm --network container:zz -p 80:80 busybox:1.36 true
docker run --rm --network container:zz --dns 1.1.1.1 busybox:1.36 true
docker run --rm --network container:zz --add-host a:1.1.1.1 busybox:1.36 true
docker run --rm --network container:zz --mac-address 02:42:ac:11:00:99 busybox:1.36 true
docker run --rm --network container:zz --expose 80 busybox:1.36 true
docker run --rm --network container:zz --link a:b busybox:1.36 true
docker run --rm --network host --link a:b busybox:1.36 true
docker run --rm --network none -p 80:80 busybox:1.36 true
docker run --rm --volumes-from zz busybox:1.36 true
docker run --rm --volumes-from zz:qq busybox:1.36 true
docker run --rm --volumes-from '' busybox:1.36 true
docker create --security-opt foo busybox:1.36 true
docker create --security-opt seccomp=nosuch.json busybox:1.36 true
docker create --security-opt no-new-privileges busybox:1.36 true
docker create --security-opt no-new-privileges=maybe busybox:1.36 true
docker create --security-opt label=zz busybox:1.36 true
docker create --security-opt apparmor=zz busybox:1.36 true
docker create --security-opt foo=bar busybox:1.36 true
docker create --security-opt seccomp=unconfined busybox:1.36 true
docker create --security-opt systempaths=unconfined busybox:1.36 true
docker create --storage-opt size=1G busybox:1.36 true
docker create --storage-opt foo=1 busybox:1.36 true
docker create --storage-opt foo busybox:1.36 true
docker create --sysctl kernel.nosuch=1 busybox:1.36 true
docker create --name s1 --sysctl net.nosuch=1 busybox:1.36 true
docker start s1
docker create --network host --sysctl net.ipv4.ip_forward=1 busybox:1.36 true
docker create --ipc host --sysctl kernel.shmmax=1 busybox:1.36 true
docker create --ulimit nosuch=1 busybox:1.36 true
docker create --ulimit nofile=-1 busybox:1.36 true
docker create --ulimit nofile=a busybox:1.36 true
docker create --ulimit nofile= busybox:1.36 true
docker create --ulimit nofile=1:2:3 busybox:1.36 true
docker create --device-cgroup-rule foo busybox:1.36 true
docker create --device-cgroup-rule 'c 1:3 mr' busybox:1.36 true
docker create --device-read-bps foo busybox:1.36 true
docker create --device-read-bps /dev/null:abc busybox:1.36 true
docker create --device-read-iops /dev/null:abc busybox:1.36 true
docker create --device-read-bps dev:1mb busybox:1.36 true
docker create --device-write-bps /dev/nosuch:1mb busybox:1.36 true
docker create --blkio-weight-device foo busybox:1.36 true
docker create --blkio-weight-device /dev/null:5 busybox:1.36 true
docker create --memory-swappiness 200 busybox:1.36 true
docker create --memory-swappiness -2 busybox:1.36 true
docker create --kernel-memory 1m busybox:1.36 true
docker create --kernel-memory 100m busybox:1.36 true
docker create --memory-reservation 1m busybox:1.36 true
docker create --memory 10m --memory-reservation 20m busybox:1.36 true
docker create --memory -1 busybox:1.36 true
docker create --memory 0 busybox:1.36 true
docker create --memory '' busybox:1.36 true
docker create --memory 10m --memory-swap 5m busybox:1.36 true
docker create --memory-swap -1 busybox:1.36 true
docker create --shm-size -1 busybox:1.36 true
docker create --shm-size 0 busybox:1.36 true
docker create --pids-limit -1 busybox:1.36 true
docker create --pids-limit -5 busybox:1.36 true
docker create --cpu-shares -1 busybox:1.36 true
docker create --cpu-shares 0 busybox:1.36 true
docker create --cpu-period 1 busybox:1.36 true
docker create --cpu-period 100000 --cpu-quota 1 busybox:1.36 true
docker create --cpu-quota -5 busybox:1.36 true
docker create --cpus 1 --cpu-quota 50000 busybox:1.36 true
docker create --cpus 1 --cpu-period 50000 busybox:1.36 true
docker create --cpus -1 busybox:1.36 true
docker create --cpus 0 busybox:1.36 true
docker create --cpus 0.001 busybox:1.36 true
docker create --cpu-rt-runtime 5 busybox:1.36 true
docker create --cpu-count 1 busybox:1.36 true
docker create --io-maxbandwidth 1m busybox:1.36 true
docker create --oom-kill-disable busybox:1.36 true
docker create --oom-score-adj -1001 busybox:1.36 true
docker create --stop-timeout -5 busybox:1.36 true
docker create --stop-timeout abc busybox:1.36 true
docker create --stop-signal 99 busybox:1.36 true
docker create --stop-signal '' busybox:1.36 true
docker create --health-cmd '' busybox:1.36 true
docker create --health-timeout 1ns busybox:1.36 true
docker create --health-interval 1us busybox:1.36 true
docker create --health-interval abc busybox:1.36 true
docker create --health-start-period -1s busybox:1.36 true
docker create --health-start-interval 1us busybox:1.36 true
docker create --health-retries abc busybox:1.36 true
docker create --no-healthcheck --health-cmd true busybox:1.36 true
docker create --restart on-failure:-1 busybox:1.36 true
docker create --restart no:3 busybox:1.36 true
docker create --restart '' busybox:1.36 true
docker create --restart always:x busybox:1.36 true
docker create --restart unless-stopped:2 busybox:1.36 true
docker create --restart on-failure:1:2 busybox:1.36 true
docker create --userns host busybox:1.36 true
docker create --cgroup-parent rel busybox:1.36 true
docker create --domainname 'bad name' busybox:1.36 true
docker create --hostname 'bad name' busybox:1.36 true
docker create --hostname aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa busybox:1.36 true
docker create --workdir rel busybox:1.36 true
docker create --user 'a b' busybox:1.36 true
docker run --rm --user 99999999999 busybox:1.36 true
docker run --rm --user root:nosuch busybox:1.36 true
docker run --rm --user :nogroup busybox:1.36 true
docker run --rm --user -1 busybox:1.36 true
docker create --log-driver json-file --log-opt max-size=abc busybox:1.36 true
docker create --log-opt max-size=10m --log-opt max-file=0 busybox:1.36 true
docker create --log-opt max-file=3 busybox:1.36 true
docker create --log-opt max-size=-5 busybox:1.36 true
docker create --log-opt mode=zz busybox:1.36 true
docker create --log-driver none --log-opt foo=bar busybox:1.36 true
docker create --log-driver local --log-opt foo=bar busybox:1.36 true
docker create --log-driver syslog --log-opt foo=bar busybox:1.36 true
docker create --label-file nosuch busybox:1.36 true
docker create --annotation foo busybox:1.36 true
docker create --annotation =x busybox:1.36 true
docker create --mac-address 02:42:ac:11:00:99:00 busybox:1.36 true
docker create --ip 10.0.0.256 busybox:1.36 true
docker create --ip6 zz busybox:1.36 true
docker create --link-local-ip 1.2.3 busybox:1.36 true
docker create --network-alias a busybox:1.36 true
docker create --cap-add CAP_NOPE busybox:1.36 true
docker create --cap-drop nope busybox:1.36 true
docker create --cap-add all --cap-drop net_admin busybox:1.36 true
docker create --privileged --cap-add nope busybox:1.36 true
docker create --entrypoint nosuch busybox:1.36
docker create --pull nope busybox:1.36
docker create --attach nope busybox:1.36
docker create --publish-all=maybe busybox:1.36
docker create --cidfile /nosuch/id busybox:1.36 true
docker create --init=zz busybox:1.36 true
docker create --mount type=tmpfs busybox:1.36 true
docker create --mount type=tmpfs,target=rel busybox:1.36 true
docker create --mount type=tmpfs,target=/x,source=a busybox:1.36 true
docker create --mount type=tmpfs,target=/x,tmpfs-size=abc busybox:1.36 true
docker create --mount type=tmpfs,target=/x,tmpfs-mode=999 busybox:1.36 true
docker create --mount type=bind,target=/x busybox:1.36 true
docker create --mount type=bind,source=rel,target=/x busybox:1.36 true
docker create --mount type=bind,source=/tmp,target=/x,bind-propagation=zz busybox:1.36 true
docker create --mount type=bind,source=/tmp,target=/x,volume-nocopy=true busybox:1.36 true
docker create --mount type=volume,source=v,target=/x,bind-propagation=rprivate busybox:1.36 true
docker create --mount type=volume,source=a/b,target=/x busybox:1.36 true
docker create --mount type=volume,source=v,target=rel busybox:1.36 true
docker create --mount type=volume,source=v,target=/ busybox:1.36 true
docker create --mount type=volume,target=/x,tmpfs-size=1m busybox:1.36 true
docker create --mount type=volume,source=v,target=/x,volume-driver=nosuch busybox:1.36 true
docker create --mount type=npipe,source=a,target=/x busybox:1.36 true
docker create --mount type=cluster,source=a,target=/x busybox:1.36 true
docker create --mount type=image,source=nosuch:1,target=/x busybox:1.36 true
docker create --mount type=image,target=/x busybox:1.36 true
docker create --mount '' busybox:1.36 true
docker create --mount type=volume,target=/x,readonly=2 busybox:1.36 true
docker create --mount type=volume,target=/x --mount type=tmpfs,target=/x busybox:1.36 true
docker create -v /x --mount type=tmpfs,target=/x busybox:1.36 true
docker create -v a:/x -v b:/x busybox:1.36 true
docker create -v a:/x -v /tmp:/x busybox:1.36 true
docker create --tmpfs /x -v a:/x busybox:1.36 true
docker create -v a:/x:ro,rw busybox:1.36 true
docker create -v a:/x:nocopy,nocopy busybox:1.36 true
docker create -v /tmp:/x:nocopy busybox:1.36 true
docker create -v a:/x:rshared busybox:1.36 true
docker create -v a:/x:z,Z busybox:1.36 true
docker create -v /tmp:/x:shared,slave busybox:1.36 true
docker create -v rel/path:/x busybox:1.36 true
docker create -v ./rel:/x busybox:1.36 true
docker create -v x:/y busybox:1.36 true
docker create -v : busybox:1.36 true
docker create -v v: busybox:1.36 true
docker create -v :/x busybox:1.36 true
docker create -v / busybox:1.36 true
docker create -v rel busybox:1.36 true
docker create --volume-driver nosuch -v a1:/x busybox:1.36 true
docker volume ls -q
