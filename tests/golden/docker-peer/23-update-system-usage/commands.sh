docker run -d --name uu busybox:1.36 sleep 600
docker update --cpus 1 uu
docker update --cpus 5 uu
docker update --cpus abc uu
docker update --cpu-shares 512 uu
docker update --cpu-period 50000 --cpu-quota 20000 uu
docker update --cpuset-cpus 0 uu
docker update --cpuset-cpus 9 uu
docker update --cpuset-mems 0 uu
docker update --memory 100m uu
docker update --memory 100m --memory-swap 200m uu
docker update --memory 300m uu
docker update --memory-reservation 50m uu
docker update --memory-swap -1 uu
docker update --memory 1m uu
docker update --memory abc uu
docker update --pids-limit 5 uu
docker update --pids-limit -1 uu
docker update --restart always uu
docker update --restart on-failure:3 uu
docker update --restart no:1 uu
docker update --restart always:1 uu
docker update --restart '' uu
docker update --restart nosuch uu
docker update --nosuch uu
docker update uu
docker update --memory 100m
docker update --memory 100m --memory-swap 200m uu nosuch
docker inspect uu -f '{{.HostConfig.NanoCpus}} {{.HostConfig.CpuShares}} {{.HostConfig.CpuPeriod}} {{.HostConfig.CpuQuota}} {{.HostConfig.CpusetCpus}} {{.HostConfig.Memory}} {{.HostConfig.MemorySwap}} {{.HostConfig.MemoryReservation}} {{.HostConfig.PidsLimit}} {{.HostConfig.BlkioWeight}}'
docker run -d --name auto --rm busybox:1.36 sleep 600
docker update --restart always auto
docker rm -f auto
docker run -d --name p1 -p 8085:80 busybox:1.36 sleep 600
docker run -d --name p2 -p 8085:80 busybox:1.36 sleep 600 2>\&1 | sed 's/Bind for [^ ]*:8/Bind for :8/'
docker run -d --name p3 -p 127.0.0.1:8085:80 busybox:1.36 sleep 600 2>\&1 | sed 's/Bind for [^ ]*:8/Bind for :8/'
docker run -d --name p4 -p 8085:80/udp busybox:1.36 sleep 600
docker create --name p5 -p 8085:80 busybox:1.36 sleep 600
docker start p5
docker ps -a --format '{{.Names}} {{.Status}} {{.Ports}}' --filter name=^p
docker inspect p2 -f '{{.State.Status}} {{.State.ExitCode}} {{json .NetworkSettings.Ports}}'
docker run -d --name p6 -p 8086-8088:80 busybox:1.36 sleep 600
docker run -d --name p7 -p 8090-8091:80-81 busybox:1.36 sleep 600
docker port p7
docker run -d --name p8 -p 8090:80 -p 8092:80 busybox:1.36 sleep 600 2>\&1 | sed 's/Bind for [^ ]*:8/Bind for :8/'
docker run -d --name p9 -p 8093:80 -p 8093:81 busybox:1.36 sleep 600
docker run -d --name pa -p 8094:80 -p 8095:80 busybox:1.36 sleep 600
docker port pa
docker rm -f p1
docker start p5
docker port p5
docker run --name uu busybox:1.36 true
docker create --name uu busybox:1.36 true
docker create --name /uu busybox:1.36 true
docker create --name a busybox:1.36 true
docker create --name -a busybox:1.36 true
docker create --name _ab busybox:1.36 true
docker create --name 'ab!' busybox:1.36 true
docker create --name '' busybox:1.36 true
docker create --name a/b busybox:1.36 true
docker create --name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa busybox:1.36 true
docker rm -f p2 p3 p4 p5 p6 p7 p8 p9 pa
docker info --format '{{.Containers}} {{.ContainersRunning}} {{.ContainersPaused}} {{.ContainersStopped}} {{.Images}}'
docker info --format '{{.LoggingDriver}} {{.CgroupDriver}} {{.CgroupVersion}} {{.DefaultRuntime}} {{.InitBinary}} {{.LiveRestoreEnabled}} {{.ExperimentalBuild}} {{.DockerRootDir}}'
docker info --format '{{json .Swarm}}'
docker info --format '{{json .RegistryConfig}}'
docker info --format '{{json .Warnings}} {{json .ClientErrors}} {{json .Labels}} {{json .GenericResources}}'
docker info --format '{{json .ClientInfo.Plugins}} {{.ClientInfo.Context}}'
docker info extra
docker version --format '{{.Client.Context}} {{.Server.Os}} {{.Server.Arch}} {{.Server.MinAPIVersion}} {{.Server.Experimental}}'
docker version --format '{{json .Server.Platform}} {{range .Server.Components}}{{.Name}} {{end}}'
docker version -f
docker system df --format '{{.Type}} {{.TotalCount}} {{.Active}}'
docker system df -x
docker system df extra
docker system info --format '{{.OSType}}'
docker system prune -f --filter until=1h
docker system prune -f --filter label=x
docker system prune -f --volumes --filter until=1h
docker system prune -f --filter until=abc
docker system prune extra
docker container prune -f --filter until=1h
docker container prune -f --filter until=abc
docker container prune -f --filter label=x
docker container prune extra
docker container
docker container nosuch
docker container ls extra
docker container stats --no-stream nosuch
docker container attach nosuch
docker container kill
docker container start
docker container rename a
docker container update
docker container commit nosuch
docker container create
docker container port nosuch
docker container export nosuch
docker container top nosuch
docker container diff nosuch
docker container cp a b
docker container run
docker container restart nosuch
docker container stop nosuch
docker container unpause nosuch
docker container pause nosuch
docker container wait nosuch
docker container logs nosuch
docker container inspect nosuch
docker container exec nosuch true
docker kill
docker start
docker stop
docker restart
docker rm
docker pause
docker unpause
docker rename
docker inspect --nosuch uu
docker inspect --type nosuch uu
docker inspect --type '' uu -f '{{.Name}}'
docker inspect --size uu -f '{{.SizeRootFs}}' | grep -c .
docker inspect uu -f
docker inspect uu uu -f '{{.Name}}'
docker inspect uu -f '{{json .Config.Cmd}}{{"\n"}}x'
docker inspect uu -f '{{.State.Status | printf "%s!"}}'
docker inspect uu -f '{{if .State.Running}}yes{{else}}no{{end}}'
docker inspect uu -f '{{range $i, $e := .Config.Env}}{{$i}}={{$e}} {{end}}'
docker inspect uu -f '{{.Config.Labels.x}}'
docker inspect uu -f '{{index .Config.Env 99}}'
docker inspect uu -f '{{.Config.Env.x}}'
docker inspect uu -f '{{len .Config}}'
docker inspect uu -f '{{.State.Pid}}' | grep -c '[1-9]'
docker inspect uu -f '{{.HostConfig.PortBindings}} {{.HostConfig.LogConfig}} {{.HostConfig.Ulimits}} {{.HostConfig.Devices}}'
docker inspect uu -f '{{.NetworkSettings.Networks.bridge.IPPrefixLen}} {{.NetworkSettings.Networks.nosuch}}'
docker inspect uu -f '{{println .Name}}'
docker inspect uu -f '{{eq .State.ExitCode 0}} {{lt .RestartCount 5}} {{and true false}} {{not true}}'
docker inspect uu -f '{{split .Image ":"}} {{join .Config.Cmd "-"}} {{title "abc"}} {{upper "a"}} {{lower "A"}} {{truncate "abcdef" 3}} {{pad "x" 1 2}}|'
docker inspect uu -f '{{table .Name}}'
docker inspect uu -f 'table {{.Name}}'
docker inspect uu -f json | head -3
docker inspect uu -f yaml
docker inspect uu -f ''| head -3
docker rm -f uu
docker nosuch --help
docker ps --help extra
docker run --help nosuch | head -3
docker --config /nosuch version -f '{{.Client.Os}}'
docker -H nosuch ps
docker -H tcp://nosuch ps
docker -H unix:///nosuch.sock ps
docker --host ssh://x ps --help | head -1
docker --tls ps
docker --tlsverify ps
docker -c default ps -q
docker -l debug ps -q
docker --debug=maybe ps
docker --version=maybe
docker version --help | head -4
docker -v ps
docker help ps | head -3
docker help container ls | head -3
docker ps -a -q -x
docker ps -aqx
docker ps -a=maybe
docker ps --all=false -q
docker ps --
docker ps -- x
docker run -- busybox:1.36 true
docker run --rm busybox:1.36 -- true
docker run --rm busybox:1.36 echo --rm -x
docker run --rm=false --name rf busybox:1.36 true
docker rm rf
docker run -itd --name itd busybox:1.36
docker rm -f itd
docker run --detach --rm --attach stdout busybox:1.36 true
docker run -d -a stdin busybox:1.36 true
docker run --rm -a stdout busybox:1.36 sh -c 'echo out; echo err >&2'
docker run --rm -a stderr busybox:1.36 sh -c 'echo out; echo err >&2'
docker run --rm -a stdout -a stderr busybox:1.36 sh -c 'echo out; echo err >&2'
docker run --rm --detach-keys zz busybox:1.36 true
docker run --rm --quiet busybox:1.35 true
docker rmi busybox:1.35
docker run --rm --pull always -q busybox:1.36 true
docker run --rm --pull always busybox:1.36 true
docker run --rm --pull missing nosuch:9 true
docker run --rm --sig-proxy=false busybox:1.36 true
docker run --rm --use-api-socket busybox:1.36 true
docker run --name nm --rm -d --restart no busybox:1.36 sleep 1
