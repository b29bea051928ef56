docker create --name ca -v v:/x busybox:1.36 true
docker inspect -f '{{json .HostConfig.Binds}} {{json .Config.Volumes}} {{json .Mounts}}' ca
docker create --name cb -v vv:/x -v /anon -v /tmp:/y:ro busybox:1.36 true
docker inspect -f '{{json .HostConfig.Binds}} {{json .Config.Volumes}}' cb
docker inspect -f '{{range .Mounts}}{{.Type}} {{.Destination}} {{.Mode}} {{.RW}} {{.Propagation}} {{.Driver}};{{end}}' ca
docker volume ls --filter name=v -q
docker create --name cc --mount type=bind,source=/tmp,target=/m,readonly --mount type=tmpfs,target=/t,tmpfs-size=1m,tmpfs-mode=700 --mount source=mv,target=/v busybox:1.36 true
docker inspect -f '{{json .HostConfig.Mounts}}' cc
docker inspect -f '{{range .Mounts}}{{.Type}} {{.Destination}} [{{.Mode}}] {{.RW}} {{.Propagation}} {{.Driver}};{{end}}' cc
docker create --name cd --tmpfs /t:size=1m --tmpfs /u busybox:1.36 true
docker inspect -f '{{json .HostConfig.Tmpfs}} {{json .Mounts}}' cd
docker create --name ce --device /dev/null --device /dev/zero:/dev/z:r busybox:1.36 true
docker inspect -f '{{json .HostConfig.Devices}}' ce
docker create --name cf --gpus all busybox:1.36 true
docker inspect -f '{{json .HostConfig.DeviceRequests}}' cf
docker create --name cg --gpus '"device=0,1","capabilities=utility"' busybox:1.36 true
docker inspect -f '{{json .HostConfig.DeviceRequests}}' cg
docker create --name ch --cap-add net_admin --cap-add SYS_TIME --cap-drop all busybox:1.36 true
docker inspect -f '{{json .HostConfig.CapAdd}} {{json .HostConfig.CapDrop}}' ch
docker create --name ci --security-opt no-new-privileges --security-opt seccomp=unconfined --security-opt label=disable busybox:1.36 true
docker inspect -f '{{json .HostConfig.SecurityOpt}}' ci
docker create --name cj --security-opt systempaths=unconfined busybox:1.36 true
docker inspect -f '{{json .HostConfig.SecurityOpt}} {{json .HostConfig.MaskedPaths}} {{json .HostConfig.ReadonlyPaths}}' cj
docker create --name ck --privileged busybox:1.36 true
docker inspect -f '{{.HostConfig.Privileged}} {{json .HostConfig.SecurityOpt}} {{json .HostConfig.MaskedPaths}} {{json .HostConfig.ReadonlyPaths}} {{.HostConfig.CgroupnsMode}}' ck
docker create --name cl --memory 100m --cpus 0.5 --pids-limit 10 --cpu-shares 512 --memory-swappiness 10 busybox:1.36 true
docker inspect -f '{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}} {{.HostConfig.CpuShares}} {{.HostConfig.MemorySwappiness}}' cl
docker create --name cm --memory-reservation 50m --memory 100m --memory-swap 200m --cpu-period 50000 --cpu-quota 25000 --cpuset-cpus 0 --cpuset-mems 0 busybox:1.36 true
docker inspect -f '{{.HostConfig.MemoryReservation}} {{.HostConfig.MemorySwap}} {{.HostConfig.CpuPeriod}} {{.HostConfig.CpuQuota}} {{.HostConfig.CpusetCpus}} {{.HostConfig.CpusetMems}}' cm
docker create --name cn --ulimit nofile=100:200 --ulimit nproc=5 busybox:1.36 true
docker inspect -f '{{json .HostConfig.Ulimits}}' cn
docker create --name co --sysctl net.ipv4.ip_forward=1 --sysctl kernel.shmmax=1000 busybox:1.36 true
docker inspect -f '{{json .HostConfig.Sysctls}}' co
docker create --name cp --dns 1.1.1.1 --dns-search ex.org --dns-option ndots:2 --dns-opt timeout:1 busybox:1.36 true
docker inspect -f '{{json .HostConfig.Dns}} {{json .HostConfig.DnsSearch}} {{json .HostConfig.DnsOptions}}' cp
docker create --name cq --add-host a:1.2.3.4 --add-host b=::1 --add-host c:host-gateway busybox:1.36 true
docker inspect -f '{{json .HostConfig.ExtraHosts}}' cq
docker create --name cr --group-add 5 --group-add audio busybox:1.36 true
docker inspect -f '{{json .HostConfig.GroupAdd}}' cr
docker create --name cs --ipc shareable --pid host --uts host --userns host --cgroupns private busybox:1.36 true
docker inspect -f '{{.HostConfig.IpcMode}} {{.HostConfig.PidMode}} {{.HostConfig.UTSMode}} {{.HostConfig.UsernsMode}} {{.HostConfig.CgroupnsMode}} {{.Config.Hostname}}' cs
docker create --name ct --ipc container:ca --pid container:ca busybox:1.36 true
docker create --name cu --log-driver none busybox:1.36 true
docker inspect -f '{{json .HostConfig.LogConfig}}' cu
docker create --name cw --log-opt max-size=1m --log-opt max-file=2 --log-opt labels=a busybox:1.36 true
docker inspect -f '{{json .HostConfig.LogConfig}}' cw
docker create --name x1 --restart on-failure busybox:1.36 true
docker create --name x2 --restart on-failure:0 busybox:1.36 true
docker create --name x3 --restart on-failure:4 busybox:1.36 true
docker inspect -f '{{json .HostConfig.RestartPolicy}}' x1 x2 x3
docker create --name y1 --health-cmd 'curl x' --health-interval 1m30s --health-timeout 2s --health-retries 4 --health-start-period 3s --health-start-interval 1s busybox:1.36 true
docker inspect -f '{{json .Config.Healthcheck}}' y1
docker create --name y2 --no-healthcheck busybox:1.36 true
docker inspect -f '{{json .Config.Healthcheck}}' y2
docker create --name z1 --label a=1 --label b --label c= --label a=2 --annotation x=y busybox:1.36 true
docker inspect -f '{{json .Config.Labels}} {{json .HostConfig.Annotations}}' z1
docker create --name z2 -e A=1 -e B= -e A=2 -e HOME=/x -e PATH=/bin busybox:1.36 true
docker inspect -f '{{json .Config.Env}}' z2 | tr , '\n' | tr -d '[]' | sort
docker create --name z3 --entrypoint '' nginx:1.25
docker create --name z4 --entrypoint 'a b' nginx:1.25 c d
docker create --name z5 nginx:1.25 c d
docker inspect -f '{{json .Config.Entrypoint}} {{json .Config.Cmd}} {{.Path}} {{json .Args}}' z4 z5
docker create --name z6 -p 80 -p 8081:81 -p 127.0.0.1::82 -p '[::1]:83:83/udp' -p 9000-9001:90-91 --expose 70 --expose 60-61/udp busybox:1.36 true
docker inspect -f '{{json .HostConfig.PortBindings}}' z6
docker inspect -f '{{json .Config.ExposedPorts}} {{json .NetworkSettings.Ports}}' z6
docker create --name z7 -P nginx:1.25
docker inspect -f '{{.HostConfig.PublishAllPorts}} {{json .HostConfig.PortBindings}}' z7
docker create --name z8 -i -t -u 5:6 -w /a/b --hostname h --domainname d.org --stop-signal SIGINT --stop-timeout 3 busybox:1.36
docker inspect -f '{{.Config.OpenStdin}} {{.Config.StdinOnce}} {{.Config.Tty}} {{.Config.AttachStdin}} {{.Config.AttachStdout}} {{.Config.AttachStderr}} {{.Config.User}} {{.Config.WorkingDir}} {{.Config.Hostname}} {{.Config.Domainname}} {{.Config.StopSignal}} {{.Config.StopTimeout}}' z8
docker create --name z9 -a stdout busybox:1.36
docker inspect -f '{{.Config.OpenStdin}} {{.Config.StdinOnce}} {{.Config.Tty}} {{.Config.AttachStdin}} {{.Config.AttachStdout}} {{.Config.AttachStderr}}' z9
docker create --name y3 --device-read-bps /dev/null:1mb --device-write-iops /dev/null:5 busybox:1.36 true
docker inspect -f '{{json .HostConfig.BlkioDeviceReadBps}} {{json .HostConfig.BlkioDeviceWriteIOps}}' y3
docker create --name y4 --oom-kill-disable --oom-score-adj 5 --memory 50m --shm-size 1g --init --read-only --rm busybox:1.36 true
docker inspect -f '{{.HostConfig.OomKillDisable}} {{.HostConfig.OomScoreAdj}} {{.HostConfig.ShmSize}} {{.HostConfig.Init}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.AutoRemove}}' y4
docker create --name y5 --network host -p 80:80 busybox:1.36 true
docker inspect -f '{{.HostConfig.NetworkMode}} {{json .HostConfig.PortBindings}}' y5
docker create --name y6 --network none busybox:1.36 true
docker inspect -f '{{.HostConfig.NetworkMode}} {{json .NetworkSettings.Networks}}' y6
docker create --name y7 --mac-address 02:42:ac:11:00:99 busybox:1.36 true
docker inspect -f '{{json .Config.MacAddress}} {{(index .NetworkSettings.Networks "bridge").MacAddress}}' y7
docker create --name y8 --link ca --link cb:bee busybox:1.36 true
docker inspect -f '{{json .HostConfig.Links}}' y8
docker create --name y9 --volumes-from cb --volumes-from ca:ro busybox:1.36 true
docker inspect -f '{{json .HostConfig.VolumesFrom}} {{range .Mounts}}{{println .Destination .RW}}{{end}}' y9 | sort
docker create --name y10 --cgroup-parent /foo --runtime runc --storage-opt a=b busybox:1.36 true
docker create --name y11 --cgroup-parent /foo --runtime io.containerd.runc.v2 busybox:1.36 true
docker inspect -f '{{.HostConfig.CgroupParent}} {{.HostConfig.Runtime}}' y11
docker create --name y12 --device-cgroup-rule 'c 42:* rmw' busybox:1.36 true
docker inspect -f '{{json .HostConfig.DeviceCgroupRules}}' y12
docker create --platform linux/amd64 --name y13 busybox:1.36 true
docker inspect -f '{{.Platform}} {{json .ImageManifestDescriptor}}' y13
docker network create n1
docker create --name y14 --network n1 --network-alias al --ip6 ::5 busybox:1.36 true
docker create --name y15 --network name=n1,alias=x,alias=y,driver-opt=a=b,mac-address=02:42:ac:11:00:01 busybox:1.36 true
docker inspect -f '{{json .NetworkSettings.Networks}}' y15
docker create --name y16 --network n1 --network bridge busybox:1.36 true
docker create --name y17 --network bridge --network n1 busybox:1.36 true
docker create --name y18 --network n1 --network n1 busybox:1.36 true
docker inspect cb
docker ps -a --format '{{.Names}}|{{.Command}}|{{.Ports}}|{{.Networks}}|{{.Labels}}'
docker ps -a --no-trunc --format '{{.Names}}|{{.Command}}|{{.Mounts}}' --filter name=cc
docker rm ca cb
