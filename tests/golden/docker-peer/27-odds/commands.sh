docker pull -q busybox:1.36
docker run -d --name web busybox:1.36 sh -c 'echo one; echo two >&2; sleep 1; echo three; sleep 1000'
docker exec web sh -c 'kill $$; echo no'
docker exec web sh -c 'kill -9 $$'
docker exec web sh -c 'kill -INT $$; echo after'
docker exec web sh -c 'kill -HUP $$; echo after'
docker exec web sh -c 'kill 1; echo $?'
docker exec web sh -c 'kill -9 1; echo $?'
docker exec web sh -c 'kill 9999; echo $?'
docker exec web sh -c 'kill nope; echo $?'
docker exec web sh -c 'exit 7'
docker exec web sh -c 'trap "echo bye" EXIT; exit 3'
docker exec web sh -c 'trap "echo got" TERM; kill $$; echo on'
docker exec web nosuch
docker exec web /etc
docker exec web ''
docker exec web
docker exec
docker exec nope true
docker exec -u nope web true
docker exec -u 7 web id -u
docker exec -w /nosuch web pwd
docker exec -w etc web pwd
docker exec -w /tmp web pwd
docker exec -e A=1 -e B web env
docker exec --env-file nosuch web true
docker exec -d web sleep 50
docker exec -d web nosuch
docker exec -it web true
docker exec -t web echo x
docker exec -i web cat </dev/null
echo hello | docker exec -i web cat
echo hello | docker exec web cat
docker exec --privileged web true
docker exec --detach-keys zz web true
docker exec --nope web true
# wait 2 s
docker logs web
docker logs -n 1 web
docker logs --tail 0 web
docker logs --tail=-1 web
docker logs --tail abc web
docker logs --tail all web
docker logs --since 1h web
docker logs --since 0s web
docker logs --until 1h web
docker logs --since abc web
docker logs --since 2020-01-01 --until 2020-01-02 web
docker logs --since 2020-13-01 web
docker logs --until 2099-01-01T00:00:00 --tail 1 web
docker logs --since 5m --until 1h web
docker logs -t web | cut -c 31-
docker logs --details web
docker logs nope
docker logs
docker logs web box
docker logs --nope web
docker pause web
docker pause web
docker exec web true
docker stop -t 1 nope
docker top web | wc -l
docker top web aux | head -n 1
docker top nope
docker unpause web
docker unpause web
docker top web -o nope
docker rename web web2
docker rename web2 web2
docker rename web2 'b d'
docker rename web2 ''
docker rename nope c
docker rename web2
docker rename web2 /web
docker wait nope
docker wait
docker run -d --name fin busybox:1.36 sh -c 'sleep 1; exit 4'
docker wait fin
docker wait fin web nope fin >/dev/null & sleep 1; docker kill web; wait; echo
docker wait fin fin
docker kill fin
docker kill -s NOPE fin
docker kill -s 99 fin
docker start web
docker kill -s 0 web
docker kill -s USR1 nope web
docker kill --signal sigwinch web
docker kill --signal RTMIN+3 web
docker kill
docker stop web -t 0
docker stop -t abc web
docker stop --signal NOPE web
docker start nope
docker start -a nope web
docker start -ai fin
docker start -a fin; echo $?
docker start fin fin
docker restart -t 0 fin nope
docker attach nope
docker attach fin
docker attach --sig-proxy=false --no-stdin fin
docker diff fin
docker diff nope
docker run --name dir busybox:1.36 sh -c 'mkdir /n; echo x > /n/f; rm /etc/group; echo y >> /etc/passwd; ln -s f /n/l'
docker diff dir | sort -k 2
docker cp dir:/n/f -  | wc -c
docker cp dir:/n/f ./f; cat f
docker cp dir:/n . && ls n
docker cp dir:/n/. ./m && ls m
docker cp dir:/nosuch .
docker cp nope:/x .
docker cp dir:/n/f /nosuch/dir/
docker cp dir:/n/f ./nosuch/f
docker cp nosuch dir:/
docker cp ./f dir:/nosuch/
docker cp ./f dir:/nosuch/f
docker cp ./f dir:/n/g; docker start -a dir; docker cp dir:/n/g - | tar tf -
docker cp ./n dir:/n/f
docker cp ./f dir:/n
docker cp web:/x dir:/x
docker cp ./f ./g
docker cp dir:/n/f
docker cp -q ./f dir:/tmp/
docker cp -a ./f dir:/tmp
docker cp dir: .
docker cp :/x .
docker cp ./f dir:/etc/passwd/x
docker stats --no-stream nope
docker stats --no-stream --format '{{.Name}}'
docker stats --no-stream --format '{{.Name}}' web dir
docker stats --no-stream --all --format '{{.Name}} {{.PIDs}}' | sort
docker port web
docker port web 80
docker port nope
docker port web abc
docker update web
docker update --memory 5m web
docker update --memory 10m --memory-swap 20m web
docker update --cpus 2 --restart always web dir
docker update --restart nope web
docker update --cpu-shares abc web
docker update nope --cpus 1
docker update
docker update --nope web
docker rm
docker rm nope
docker rm -f nope
docker rm web nope dir
docker rm -f web nope; echo $?
docker container prune -f | sed 's/[0-9a-f]\{64\}/ID/'
docker container prune --filter nope=1 -f
docker container prune --filter nope -f
docker container prune --filter until=abc -f
docker container prune x
docker image prune -f
docker image prune --filter nope=1 -f
docker image prune --filter dangling=maybe -f
docker network prune -f
docker network prune --filter until=24h -f
docker volume prune -f
docker volume prune --filter all=maybe -f
docker volume prune --filter until=1h -f
docker volume prune --all -f --filter label=zz
docker system prune -f
docker system prune -f --volumes --filter until=1h
docker system prune -f --filter label=x
docker system prune x
docker system df x
docker container inspect nope
docker image inspect nope
docker network inspect nope
docker volume inspect nope
docker network inspect
docker volume inspect
docker image rm nope
docker rmi
docker rmi nope busybox:9
docker tag busybox:1.36
docker tag nope x
docker tag busybox:1.36 'X Y'
docker tag busybox:1.36 UP:1
docker tag busybox:1.36 a/b:c:d
docker history nope
docker save nope
docker load -i nosuch
docker export nope
docker commit nope
docker container
docker container nope
docker container ls nope
docker image nope
docker network nope
docker volume nope x
docker nope
docker --nope
docker -v x
docker ps x
docker images web box
docker pull
docker pull 'X Y'
docker pull busybox:1.36:1
docker pull -a busybox:1.36
docker volume create web box
docker volume create --driver nope v
docker volume create 'a b'
docker volume create web
docker volume create -d local -o nope=1 zz
docker volume create -o type=tmpfs zz
docker volume create --opt abc zz
docker volume rm nope
docker volume rm -f nope
docker network create
docker network create web box
docker network create --subnet nope n
docker network create --subnet 10.0.0.1/24 n
docker network create --gateway 10.0.0.1 n
docker network create --ip-range 10.0.0.0/24 n
docker network create --subnet 10.1.0.0/16 --subnet 10.2.0.0/16 n
docker network create --aux-address a=10.0.0.5 n
docker network create --opt nope n1
docker network rm nope
docker network connect nope web
docker network connect bridge nope
docker network disconnect bridge nope
docker network connect
docker events --since abc
docker events --until abc --since 1h
docker events --filter nope --until 0s
docker events x
docker version x
docker info x
