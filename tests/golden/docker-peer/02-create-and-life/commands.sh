docker create --name c1 busybox:1.36 sh -c 'echo started; exec sleep 600'
docker create --name c1 busybox:1.36 true
docker create nosuch:1
docker create --name 'bad name' busybox:1.36
docker create -v ::: busybox:1.36
docker create -p 99999:1 busybox:1.36
docker create --pull sometimes busybox:1.36
docker create --env-file nosuch busybox:1.36
docker create
docker ps
docker ps -a
docker start c1
docker start c1
docker start nosuch
docker start c1 nosuch other
docker ps
docker logs c1
docker top c1 -o pid,comm | grep -c sleep
docker top nosuch
docker stop -t 0 c1
docker stop c1
docker stop nosuch
docker stop -t abc c1
docker ps -a --format '{{.Names}} {{.Status}}'
docker start -a nosuch
docker restart -t 0 c1
docker restart nosuch
docker pause c1
docker pause c1
docker ps --format '{{.Names}} {{.State}} {{.Status}}'
docker exec c1 true
docker unpause c1
docker unpause c1
docker pause nosuch
docker kill -s USR9 c1
docker kill nosuch
docker rename c1 c2
docker rename c2 c2
docker rename nosuch c3
docker rename c2 'bad name'
docker rename c2 ''
docker rm c2
docker update --memory 64m c2
docker update --restart nosuch c2
docker update --restart on-failure:x c2
docker update c2
docker update --memory 1m c2
docker update --memory 64m --memory-swap 64m c2
docker inspect -f '{{.HostConfig.Memory}} {{.HostConfig.RestartPolicy.Name}}' c2
docker kill c2
docker kill c2
docker wait c2
docker wait nosuch
docker top c2
docker attach c2
docker attach nosuch
docker port c2
docker port nosuch
docker diff c2
docker diff nosuch
docker rm c2
docker rm c2
docker rm -f c2
docker rm -f nosuch other
docker rm ''
docker container rm nosuch
docker run -d --name w busybox:1.36 sh -c 'sleep 2; exit 3'
docker wait w
docker start -a w
docker run -d --name w2 --rm busybox:1.36 sh -c 'sleep 1; exit 4'
docker wait w2
docker run --name e1 busybox:1.36 nosuchcmd
docker ps -a --format '{{.Names}}: {{.Status}}'
docker start e1
docker inspect -f '{{.State.ExitCode}} {{.State.Error}}' e1
docker container prune -f
docker container prune -f
docker container prune
docker container prune -f --filter nosuch=1
docker container prune -f --filter bad
