docker run -d --name web -p 8080:80 -l app=web -l tier=front nginx:1.25
docker run -d --name job -l app=job busybox:1.36 sleep 600
docker run --name done busybox:1.36 sh -c 'exit 3'
docker create --name idle -v data:/data busybox:1.36
# wait 1 s
docker ps
docker ps -a
docker ps -q
docker ps -aq
docker ps -a --no-trunc
docker ps -n 2
docker ps -n -1
docker ps -n 0
docker ps -l
docker ps -a -s
docker ps -a --format table
docker ps -a --format json
docker ps -a --format '{{json .}}'
docker ps -a --format 'table {{.Names}}\t{{.Image}}\t{{.Ports}}'
docker ps -a --format '{{.ID}} {{.Names}} {{.Command}} {{.Mounts}} {{.Networks}} {{.LocalVolumes}}'
docker ps -a --format '{{.Names}} {{.Label "app"}} {{.Labels}}'
docker ps -a --format 'table {{.Names}}\t{{.Label "app"}}'
docker ps -a --format '{{.Nope}}'
docker ps -a --format '{{.Names'
docker ps -a --format '{{nope .Names}}'
docker ps -a --format '{{upper .Names}} {{lower .Image}} {{title .State}} {{truncate .Image 3}} {{pad .Names 2 3}}|'
docker ps -a --format '{{range split .Image ":"}}{{.}};{{end}}'
docker ps -a --format '{{if eq .State "running"}}up{{else}}down{{end}}'
docker ps -a --format '{{.Names | printf "%-10s|"}}{{len .Names}}'
docker ps -a --format 'raw'
docker ps -a --format ''
docker ps -a --format '{{println .Names}}'
docker ps -a -q --format '{{.Names}}'
docker ps -aq --no-trunc
docker ps --filter status=exited
docker ps --filter status=nope
docker ps --filter name=we --format '{{.Names}}'
docker ps -a --filter name=^/done$ --format '{{.Names}}'
docker ps -a --filter name='[' --format '{{.Names}}'
docker ps -a --filter label=app --format '{{.Names}}'
docker ps -a --filter label=app=web --format '{{.Names}}'
docker ps -a --filter label=app --filter label=tier --format '{{.Names}}'
docker ps -a --filter exited=3 --format '{{.Names}}'
docker ps -a --filter exited=x
docker ps -a --filter ancestor=busybox:1.36 --format '{{.Names}}'
docker ps -a --filter ancestor=nginx --format '{{.Names}}'
docker ps -a --filter since=web --format '{{.Names}}'
docker ps -a --filter before=done --format '{{.Names}}'
docker ps -a --filter before=nosuch
docker ps -a --filter volume=data --format '{{.Names}}'
docker ps -a --filter network=bridge --format '{{.Names}}'
docker ps -a --filter publish=8080 --format '{{.Names}}'
docker ps -a --filter expose=80/tcp --format '{{.Names}}'
docker ps -a --filter health=none --format '{{.Names}}'
docker ps -a --filter health=bad
docker ps -a --filter nope=1
docker ps -a --filter bad
docker ps -a --filter ''
docker ps extra
docker container ls
docker container list -q
docker ls
docker port web
docker port web 80
docker port web 80/udp
docker port web abc
docker rm -f web job done idle
