# A container's life: run, looked at, stopped, removed; restarts by policy, a health check, ports and names in conflict.
# cluster: kind
docker run --name greet busybox:1.36 echo hello
docker ps
docker run -d --name web -p 8080:80 nginx:1.29.0 >/dev/null
docker ps --format '{{.Names}} {{.Status}} {{.Ports}}'
curl -s localhost:8080 | grep title
docker run -d --name web nginx:1.29.0 2>&1 | sed 's/"[0-9a-f]*"/"ID"/'
docker run -d --name two -p 8080:80 nginx:1.29.0 2>&1 | sed 's/[0-9a-f]\{64\}/ID/'
docker ps -a --format 'table {{.Names}}\t{{.Status}}'
docker stop web
docker inspect -f '{{.State.Status}} {{.State.ExitCode}}' web
docker run -d --name loop --restart on-failure:2 busybox:1.36 sh -c 'echo try; exit 3' >/dev/null
sleep 3
docker inspect -f '{{.State.Status}} {{.State.ExitCode}} {{.RestartCount}}' loop
docker logs loop
docker run -d --name sick --health-cmd 'exit 1' --health-interval 1s --health-retries 2 busybox:1.36 sleep 300 >/dev/null
sleep 4
docker ps --filter health=unhealthy --format '{{.Names}} {{.Status}}'
docker run --rm busybox:1.36 nosuch
docker network create net >/dev/null
docker run -d --name db --network net busybox:1.36 sleep 300 >/dev/null
docker run --rm --network net busybox:1.36 ping -c 1 db
docker run --rm -v data:/data busybox:1.36 sh -c 'echo kept > /data/file'
docker run --rm -v data:/data busybox:1.36 cat /data/file
mkdir -p site && echo page > site/index.html
docker run --rm -v "$PWD/site":/site busybox:1.36 sh -c 'cat /site/index.html; echo new > /site/more.html'
cat site/more.html
docker rm -f web two loop sick db greet
docker volume rm data
docker network rm net
docker ps -a
