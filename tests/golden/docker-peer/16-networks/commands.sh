docker network create
docker network create --driver bridge --subnet 10.20.0.0/24 --ip-range 10.20.0.128/25 --gateway 10.20.0.1 --aux-address host=10.20.0.2 --label a=b --opt com.docker.network.bridge.enable_icc=true n1
docker network inspect n1
docker network create --internal n2
docker network inspect n2
docker network create n3
docker network create --attachable --label x=y --label z n4
docker network inspect n4 -f '{{.Attachable}} {{json .Labels}} {{json .Options}}'
docker network create --driver host h1
docker network create --driver none h2
docker network create --driver null h2
docker network create --driver overlay o1
docker network create --ingress in1
docker network create --scope swarm s1
docker network create --scope nosuch s2
docker network create --config-only c1
docker network create --config-from c1 c2
docker network create --config-from nosuch c3
docker network inspect c1 -f '{{.ConfigOnly}} {{json .ConfigFrom}}'
docker network create --ipam-driver nosuch p1
docker network create --ipam-opt foo=bar p2
docker network create --subnet 10.20.0.0/25 p3
docker network create --subnet 10.21.0.0/24 --subnet 10.22.0.0/24 p4
docker network create --subnet 10.21.0.5/24 p5
docker network inspect p5 -f '{{json .IPAM.Config}}'
docker network create --subnet 10.23.0.0/33 p6
docker network create --subnet 10.23.0.0/32 p7
docker network create --subnet 10.23.0.0/31 p8
docker network create --subnet 10.23.1.0/30 p9
docker network create --subnet 10.24.0.0/24 --gateway abc q1
docker network create --subnet 10.24.0.0/24 --gateway 10.25.0.1 q2
docker network create --subnet 10.24.0.0/24 --ip-range 10.24.0.0/16 q3
docker network create --subnet 10.24.0.0/24 --ip-range abc q4
docker network create --ip-range 10.24.0.0/24 q5
docker network create --subnet 10.24.0.0/24 --aux-address foo q6
docker network create --subnet 10.24.0.0/24 --aux-address a=10.99.0.1 q7
docker network create --aux-address a=10.99.0.1 q8
docker network create --gateway 10.99.0.1 q9
docker network create --opt foo r1
docker network create --opt com.docker.network.bridge.name=docker0 r2
docker network create --opt com.docker.network.driver.mtu=abc r3
docker network create --opt com.docker.network.driver.mtu=1400 r4
docker network inspect r4 -f '{{json .Options}}'
docker network create --label '' r5
docker network create --label =x r6
docker network create host
docker network create none
docker network create default
docker network create a:b
docker network create -x
docker network create ''
docker network create ' '
docker network create _x
docker network create .x
docker network create x
docker network ls --format '{{.Name}} {{.Driver}} {{.Scope}} {{.IPv4}} {{.IPv6}} {{.Internal}}'
docker network ls --filter driver=null --format '{{.Name}}'
docker network ls --filter driver=nosuch --format '{{.Name}}'
docker network ls --filter type=builtin --format '{{.Name}}'
docker network ls --filter type=custom --format '{{.Name}}'
docker network ls --filter label=x=y --format '{{.Name}} {{.Label "x"}}'
docker network ls --filter label=x=q --format '{{.Name}}'
docker network ls --filter name=^n1$ --format '{{.Name}}'
docker network ls --filter name=host --filter name=none --format '{{.Name}}'
docker network ls --filter id=zz
docker network ls --filter scope=swarm
docker network ls --filter scope=nosuch
docker network ls --filter dangling=false --format '{{.Name}}'
docker network ls --filter dangling=maybe
docker network ls --filter bad
docker network ls --format 'table {{.Name}}\t{{.Driver}}'
docker network ls --format '{{.CreatedAt}}' --filter name=n4
docker network ls --format '{{json .}}' --filter name=n1
docker network ls -q --no-trunc --filter name=n4
docker network ls extra
docker network list -q --filter name=nosuch
docker run -d --name ca --network n1 --network-alias db --network-alias store busybox:1.36 sleep 600
docker run -d --name cb --network n1 --ip 10.20.0.50 --mac-address 02:42:ac:11:00:77 --hostname bee busybox:1.36 sleep 600
docker run -d --name cc busybox:1.36 sleep 600
docker run -d --name cd --network container:cc busybox:1.36 sleep 600
docker run -d --name ce --network host busybox:1.36 sleep 600
docker run -d --name cf --network none busybox:1.36 sleep 600
docker inspect ca -f '{{json .NetworkSettings.Networks.n1.Aliases}} {{json .NetworkSettings.Networks.n1.DNSNames}} {{.NetworkSettings.Networks.n1.IPAddress}} {{.NetworkSettings.IPAddress}}'
docker inspect cb -f '{{json .NetworkSettings.Networks}}'
docker inspect cd -f '{{json .NetworkSettings.Networks}} {{.HostConfig.NetworkMode}} {{.Config.Hostname}}'
docker inspect ce -f '{{json .NetworkSettings.Networks}}'
docker inspect cf -f '{{json .NetworkSettings.Networks}}'
docker network inspect host -f '{{len .Containers}} {{json .IPAM}}'
docker network inspect none -f '{{len .Containers}} {{json .IPAM}} {{json .Options}}'
docker network inspect bridge -f '{{json .Options}} {{json .IPAM}}'
docker exec ca ping -c 1 -W 1 cb
docker exec ca ping -c 1 -W 1 bee
docker exec ca ping -c 1 -W 1 nosuch
docker exec cb ping -c 1 -W 1 store
docker exec cc ping -c 1 -W 1 ca
docker exec cd hostname
docker exec cf ping -c 1 -W 1 10.20.0.50
docker exec cb cat /etc/hosts
docker exec cd cat /etc/hosts
docker exec cf cat /etc/hosts
docker run --rm --network n1 --ip 10.20.0.50 busybox:1.36 true
docker run --rm --network n1 --ip 10.20.0.1 busybox:1.36 true
docker run --rm --network n1 --ip 10.20.0.2 busybox:1.36 true
docker run --rm --network n1 --ip 10.20.0.0 busybox:1.36 true
docker run --rm --network n1 --ip 10.30.0.1 busybox:1.36 true
docker run --rm --network n2 --ip 172.20.0.9 busybox:1.36 true
docker run --rm --network bridge --ip 172.17.0.9 busybox:1.36 true
docker run --rm --network host --ip 172.17.0.9 busybox:1.36 true
docker run --rm --network none --ip 172.17.0.9 busybox:1.36 true
docker run --rm --network c1 busybox:1.36 true
docker network connect n2 ca
docker network connect n2 ca
docker network connect --ip 1.2.3.4 n2 cc
docker network connect --ip abc n2 cc
docker network connect --alias q --alias r --driver-opt a=b n2 cc
docker inspect cc -f '{{json .NetworkSettings.Networks.n2}}'
docker network connect n1 cd
docker network connect n1 ce
docker network connect host cc
docker network connect none cc
docker network connect n1 cf
docker network connect bridge cf
docker network connect bridge ca
docker network connect --alias x bridge cb
docker network connect --link ca:al n1 cc
docker exec cc cat /etc/hosts
docker exec cc ping -c 1 -W 1 al
docker network connect
docker network connect n1
docker network connect n1 ca cb
docker network connect '' ca
docker network connect n1 ''
docker network disconnect n2 ca
docker network disconnect n2 ca
docker network disconnect n2 nosuch
docker network disconnect host ce
docker network disconnect none cf
docker network disconnect bridge cd
docker network disconnect -f n1 cb
docker network disconnect
docker network rm n2 nosuch
docker network rm
docker network rm ''
docker network rm host none
docker network rm -f n9
docker stop -t 0 ca
docker network rm n1
docker start ca
docker inspect ca -f '{{.State.Status}} {{.State.ExitCode}} {{.State.Error}}'
docker create --name cg --network n4 busybox:1.36 sleep 600
docker network rm n4
docker start cg
docker ps -a --filter name=cg --format '{{.Names}} {{.Status}}'
docker network inspect n2 n3 nosuch -f '{{.Name}}'
docker network inspect -v n3 -f '{{.Name}}'
docker network inspect
docker network inspect ''
docker network prune -f --filter label=a
docker network prune -f --filter label!=a | sort
docker network prune -f --filter until=1h
docker network prune -f --filter until=abc
docker network prune -f --filter dangling=true
docker network prune extra
docker rm -f ca cb cc cd ce cf cg
docker network prune -f | sort
docker network ls --format '{{.Name}}'
