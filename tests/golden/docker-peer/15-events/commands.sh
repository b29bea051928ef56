# wait 1.2 s
# T=$(date +%s)
docker network create n1
docker volume create data
docker run -d --name web -l app=web --network n1 -v data:/data busybox:1.36 sleep 600
docker exec web true
docker exec web sh -c 'exit 3'
docker pause web
docker unpause web
docker rename web www
docker update --restart always www
docker update --restart no www
docker network connect bridge www
docker network disconnect bridge www
docker kill -s USR1 www
docker kill -s HUP www
docker top www -o pid,comm | tail -1 | grep -c sleep
docker stop -t 1 www
docker start www
docker restart -t 0 www
docker commit www made:1
docker tag made:1 made:2
docker rmi made:2
docker rmi made:1
docker cp www:/etc/hostname h.txt
docker cp h.txt www:/tmp/h
docker export -o e.tar www
docker attach --no-stdin nosuch
docker rm -f www
docker volume rm data
docker network rm n1
docker pull busybox:1.35
docker save -o s.tar busybox:1.35
docker rmi busybox:1.35
docker load -i s.tar
docker create --name xx nosuchimage
docker create --name yy busybox:1.36 nosuch
docker start yy
docker run --rm --name zz busybox:1.36 sh -c 'exit 4'
docker container prune -f
docker image prune -f
docker volume prune -f
docker network prune -f
docker system prune -f
# wait 1 s
docker events --since $T --until 0s --format '{{.Type}} {{.Action}}'
docker events --since $T --until 0s --filter type=container --format '{{.Action}} {{json .Actor.Attributes}}' | sed 's/"execDuration":"[0-9]*",//'
docker events --since $T --until 0s --filter type=network --format '{{.Action}} {{json .Actor.Attributes}}'
docker events --since $T --until 0s --filter type=volume --format '{{.Action}} {{.Actor.ID}} {{json .Actor.Attributes}}'
docker events --since $T --until 0s --filter type=image --format '{{.Action}} {{json .Actor.Attributes}}'
docker events --since $T --until 0s --filter type=network --filter type=volume --format '{{.Type}} {{.Action}}'
docker events --since $T --until 0s --filter event=die --format '{{.Action}} {{.Actor.Attributes.exitCode}}'
docker events --since $T --until 0s --filter event=exec_die --format '{{.Action}} {{.Actor.Attributes.exitCode}}'
docker events --since $T --until 0s --filter event=exec_create --format '{{.Action}}'
docker events --since $T --until 0s --filter event='exec_create: true' --format '{{.Action}}'
docker events --since $T --until 0s --filter event=start --filter event=stop --format '{{.Action}} {{.Actor.Attributes.name}}'
docker events --since $T --until 0s --filter event=nosuch
docker events --since $T --until 0s --filter container=www --format '{{.Type}} {{.Action}}'
docker events --since $T --until 0s --filter container=www --filter container=zz --filter event=start --format '{{.Action}}'
docker events --since $T --until 0s --filter container=www --filter type=network --format '{{.Action}}'
docker events --since $T --until 0s --filter image=busybox --filter event=create --format '{{.Action}}'
docker events --since $T --until 0s --filter image=busybox:1.36 --filter event=create --format '{{.Action}}'
docker events --since $T --until 0s --filter image=busybox:1.35 --format '{{.Type}} {{.Action}}'
docker events --since $T --until 0s --filter label=app --filter event=create --format '{{.Action}}'
docker events --since $T --until 0s --filter label=app=web --filter event=create --format '{{.Action}}'
docker events --since $T --until 0s --filter label=app=x --format '{{.Action}}'
docker events --since $T --until 0s --filter network=n1 --format '{{.Type}} {{.Action}}'
docker events --since $T --until 0s --filter volume=data --format '{{.Type}} {{.Action}}'
docker events --since $T --until 0s --filter scope=local --filter event=destroy --format '{{.Type}} {{.Scope}}'
docker events --since $T --until 0s --filter scope=swarm --format '{{.Type}} {{.Scope}}'
docker events --since $T --until 0s --filter daemon=x --format '{{.Type}}'
docker events --since $T --until 0s --filter node=x --format '{{.Type}}'
docker events --since $T --until 0s --filter plugin=x --format '{{.Type}}'
docker events --since $T --until 0s --filter type=daemon --format '{{.Type}}'
docker events --since $T --until 0s --filter event=prune --format '{{.Type}} {{json .Actor}}'
docker events --since $T --until 0s --filter event=destroy --format json
docker events --since $T --until 0s --filter event=destroy
docker events --since $T --until 0s --filter event=exec_create
docker events --since $T --until 0s --filter event=kill --format '{{.ID}} {{.Status}} {{.From}}'
docker events --since $T --until 0s --filter event=kill --format 'table {{.Action}}'
docker events --since $T --until 0s --filter event=kill --format raw
docker events --since $T --until 0s --filter event=kill --format '{{.Action}} {{.Actor.Attributes.signal}}'
docker events --since 0s --until 0s
docker events --since 1h --until 1h
docker events --since 2020-01-01 --until 2020-01-02
docker events --since 2020-01-01T00:00:00Z --until 2020-01-01T00:00:01.5Z
docker events --since 1577836800 --until 1577836801
docker events --since 2020-13-45 --until 0s
docker events --since -5m --until 0s --filter event=kill --format '{{.Action}}' 2>&1 | sed 's/([0-9]*)/(N)/g'
docker events --until 2020-01-01
docker events --since $T --until 0s --filter bad
docker events --since $T --until 0s --filter type=
docker events extra
docker events --since
docker events --nosuch
# in the background: docker events --filter event=die --format '{{.Action}} {{.Actor.Attributes.name}} {{.Actor.Attributes.exitCode}}'
docker run --rm --name ev busybox:1.36 sh -c 'exit 7'
# the command from the background: wait at most 1 s, then interrupt (SIGINT)
# in the background: docker events --filter container=hc --filter event=health_status --format '{{.Action}}'
docker run -d --name hc --health-cmd 'test -f /ok' --health-interval 1s --health-retries 1 busybox:1.36 sleep 600
# wait 2 s
docker exec hc touch /ok
# wait 2 s
# the command from the background: wait at most 1 s, then interrupt (SIGINT)
docker system events --since $T --until 0s --filter container=hc --filter event=create --format '{{.Action}}'
docker rm -f hc
docker rmi busybox:1.35
