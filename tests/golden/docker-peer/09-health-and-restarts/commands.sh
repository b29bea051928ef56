docker run -d --name ok --health-cmd 'test -f /ready' --health-interval 1s --health-retries 2 --health-timeout 2s busybox:1.36 sleep 600
docker ps --format '{{.Names}} {{.Status}}'
docker inspect -f '{{.State.Health.Status}} {{.State.Health.FailingStreak}} {{len .State.Health.Log}}' ok
# wait 3 s
docker ps --format '{{.Names}} {{.Status}}'
docker exec ok touch /ready
# wait 2 s
docker ps --format '{{.Names}} {{.Status}}'
docker ps --filter health=healthy --format '{{.Names}}'
docker inspect -f '{{.State.Health.Status}} {{.State.Health.FailingStreak}}' ok
docker run -d --name again --restart on-failure:2 busybox:1.36 sh -c 'echo try; exit 1'
# wait 3 s
docker ps -a --filter name=again --format '{{.Names}} {{.Status}}'
docker inspect -f '{{.RestartCount}} {{.State.ExitCode}}' again
docker logs again
docker run -d --name loop --restart always busybox:1.36 sh -c 'sleep 0.1; exit 2'
# wait 4 s
docker inspect -f '{{.State.Restarting}} {{.State.Status}}' loop
docker stop -t 0 loop
docker run -d --name slow --stop-timeout 1 busybox:1.36 sh -c 'trap "" TERM; sleep 600 & wait; sleep 600'
docker stop slow
docker inspect -f '{{.State.ExitCode}}' slow
docker run -d --name none --no-healthcheck busybox:1.36 sleep 600
docker inspect -f '{{json .Config.Healthcheck}} {{json .State.Health}}' none
docker rm -f ok again loop slow none
