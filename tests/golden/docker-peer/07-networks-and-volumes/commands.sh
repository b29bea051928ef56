docker network ls
docker network ls -q
docker network ls --no-trunc
docker network create n1
docker network create n1
docker network create bridge
docker network create --driver nosuch n9
docker network create --subnet 10.9.0.0/24 --gateway 10.9.0.1 -l a=b n2
docker network create --subnet 10.9.0.0/16 n3
docker network create --subnet bad n3
docker network create --subnet 10.9.0.0 n3
docker network create --gateway 10.8.0.1 n3
docker network create --subnet 10.10.0.0/24 --gateway 10.11.0.1 n3
docker network create --subnet 10.12.0.0/24 --ip-range 10.13.0.0/28 n3
docker network create --internal --attachable n4
docker network create 'bad name'
docker network create
docker network create a b
docker network create -o com.docker.network.bridge.name=br9 n5
docker network ls
docker network ls --format json
docker network ls --format '{{.Name}} {{.Driver}} {{.Scope}} {{.IPv6}} {{.Internal}} {{.Labels}}'
docker network ls --format '{{.Nope}}'
docker network ls --format raw
docker network ls --filter driver=bridge --format '{{.Name}}'
docker network ls --filter name=n --format '{{.Name}}'
docker network ls --filter type=custom --format '{{.Name}}'
docker network ls --filter label=a --format '{{.Name}}'
docker network ls --filter dangling=true --format '{{.Name}}'
docker network ls --filter scope=local -q
docker network ls --filter nope=1
docker network ls --filter type=nope
docker network inspect n2
docker network inspect n4 -f '{{.Internal}} {{.Attachable}}'
docker run -d --name a --network n1 --network-alias db busybox:1.36 sleep 600
docker run -d --name b --network n2 --ip 10.9.0.77 busybox:1.36 sleep 600
docker run --rm --network n1 --ip 172.99.0.5 busybox:1.36 true
docker run --rm --network n2 --ip 10.8.0.5 busybox:1.36 true
docker network connect n1 b
docker network connect n1 b
docker network connect --alias x n2 a
docker network connect --ip 10.9.0.77 n2 a
docker network connect nosuch a
docker network connect n1 nosuch
docker network connect n1
docker network inspect n1 -f '{{range .Containers}}{{.Name}} {{.IPv4Address}};{{end}}'
docker exec b ping -c 1 -W 1 db
docker exec a nslookup b
docker inspect a -f '{{range $k,$v := .NetworkSettings.Networks}}{{$k}} {{$v.IPAddress}} {{$v.Aliases}};{{end}}'
docker network rm n1
docker network disconnect n1 b
docker network disconnect n1 b
docker network disconnect nosuch b
docker network disconnect -f n1 nosuch
docker network rm nosuch
docker network rm n4 nosuch n5
docker network rm bridge
docker network rm -f nosuch
docker network prune -f
docker rm -f a b
docker network prune -f
docker network prune
docker network prune -f --filter nope=1
docker volume ls
docker volume create v1
docker volume create v1
docker volume create --label a=b --name v2
docker volume create --name v2 v3
docker volume create a/b
docker volume create x
docker volume create --driver nosuch v4
docker volume create -o foo=bar v4
docker volume create -o type=tmpfs -o device=tmpfs -o o=size=1m v5
docker volume create
docker volume ls
docker volume ls -q
docker volume ls --format json
docker volume ls --format '{{.Name}} {{.Driver}} {{.Mountpoint}} {{.Labels}} {{.Label "a"}}'
docker volume ls --format '{{.Nope}}'
docker volume ls --format raw
docker volume ls --filter name=v1 -q
docker volume ls --filter label=a=b -q
docker volume ls --filter dangling=false -q
docker volume ls --filter dangling=x -q
docker volume ls --filter nope=1
docker volume inspect v2
docker volume inspect v5
docker run --rm -v v1:/d busybox:1.36 sh -c 'echo kept > /d/f'
docker run --name k -v v1:/d:ro busybox:1.36 cat /d/f
docker volume rm v1
docker volume rm nosuch
docker volume rm -f nosuch
docker volume rm v2 nosuch v5
docker volume prune -f
docker volume prune -f -a
docker volume prune
docker volume prune -a
docker volume prune -f --filter nope=1
docker rm -v k
docker volume rm v1
docker volume
docker volume nosuch
docker volume ls extra
docker network
docker network nosuch
docker network --nosuch
