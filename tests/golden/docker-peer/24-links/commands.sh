docker pull -q busybox:1.36
docker run -d --name db -e A=1 -e POSTGRES_PASSWORD=x --expose 5432 --expose 6000/udp busybox:1.36 sleep 1000
docker run -d --name plain busybox:1.36 sleep 1000
docker run --rm --link db --name zero busybox:1.36 env
docker run --rm --link db:base --name one busybox:1.36 env
docker run -d --name many --expose 80-82 --expose 90 --expose 91/udp --expose 81/udp --expose 92/udp -e HOME=x busybox:1.36 sleep 1000
docker run --rm --link many:my-x --name thirty busybox:1.36 env
docker run --rm --link plain:p-l.ain --name two busybox:1.36 env
docker run --rm --link db:base -e BASE_NAME=mine --name three busybox:1.36 env
docker run --rm --link db --link plain --name four --hostname four busybox:1.36 sort /etc/hosts
docker run --rm --link db:base --name five --hostname five busybox:1.36 cat /etc/hosts
docker run --rm --link db:base busybox:1.36 ping -c 1 -W 1 base
docker run --rm --link db:base busybox:1.36 ping -c 1 -W 1 db
docker run --rm --link db:base busybox:1.36 ping -c 1 -W 1 other
docker run --rm --link nope busybox:1.36 true
docker run --rm --link nope:base busybox:1.36 true
docker run --rm --link db: busybox:1.36 true
docker run --rm --link :base busybox:1.36 true
docker run --rm --link a:b:c busybox:1.36 true
docker run --rm --link '' busybox:1.36 true
docker create --link db:x --link db:x --name six busybox:1.36 true
docker create --link db:x --link plain:x --name seven busybox:1.36 true
docker start seven
docker inspect -f '{{.HostConfig.Links}}' six seven
docker run -d --name web --link db:base --link db:other busybox:1.36 sleep 1000
docker inspect -f '{{range .HostConfig.Links}}{{println .}}{{end}}' web | sort
docker inspect -f '{{json .NetworkSettings.Networks.bridge.Links}}' web
docker ps --no-trunc --format '{{.Names}}'
docker ps --format '{{.Names}}'
docker exec web env | sort
docker exec web sh -c 'grep base /etc/hosts | cut -f 2'
docker rm --link web/other
docker ps --format '{{.Names}}' --filter name=db --no-trunc
docker exec web ping -c 1 -W 1 other
docker stop -t 0 db
docker exec web ping -c 1 -W 1 base
docker run --rm --link db:base --name eight busybox:1.36 true
docker restart -t 0 web
docker start db
docker restart -t 0 web
docker inspect -f '{{.State.Status}}' web
docker rm -f db
docker ps -a --format '{{.Names}}'
docker inspect -f '{{json .HostConfig.Links}}' web
docker rm --link web/base
docker rm --link /web/nothing
docker rm -f web
docker network create n
docker run -d --name db2 --network n busybox:1.36 sleep 1000
docker run --rm --network n --link db2:base busybox:1.36 ping -c 1 -W 1 base
docker run --rm --network n --link db2:base --hostname h --ip 172.18.0.9 busybox:1.36 env
docker run --rm --network n --link plain:base busybox:1.36 ping -c 1 -W 1 base
docker run -d --name web2 --network n --link db2:base busybox:1.36 sleep 1000
docker inspect -f '{{json .HostConfig.Links}} {{json .NetworkSettings.Networks.n.Links}}' web2
docker exec web2 ping -c 1 -W 1 base
docker run -d --name late busybox:1.36 sleep 1000
docker network connect --link db2:store --alias lately n late
docker exec late ping -c 1 -W 1 store
docker exec web2 ping -c 1 -W 1 lately
docker exec web2 ping -c 1 -W 1 store
docker inspect -f '{{json .NetworkSettings.Networks.n.Links}} {{json .NetworkSettings.Networks.n.Aliases}}' late
docker network connect --link nope:x n plain
docker network disconnect n plain
docker network connect --link db2 n plain
docker inspect -f '{{json .NetworkSettings.Networks.n.Links}}' plain
docker run --rm --network host --link plain busybox:1.36 true
docker run --rm --network none --link plain busybox:1.36 env
docker run --rm --network container:plain --link late busybox:1.36 true
docker inspect -f '{{range .NetworkSettings.Networks}}{{.DNSNames}}{{end}}' db2
