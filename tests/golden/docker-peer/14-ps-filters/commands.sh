docker network create n1
docker volume create data
docker run -d --name web -p 8080:80 -p 127.0.0.1:9090:90/udp -l app=web -l tier=front -e A=1 --network n1 -v data:/data nginx:1.25
docker run -d --name job -l app=job --health-cmd true --health-interval 1s busybox:1.36 sleep 600
docker run -d --name sick --health-cmd false --health-interval 1s --health-retries 1 busybox:1.36 sleep 600
docker run --name done -l app=web busybox:1.36 sh -c 'exit 3'
docker run --name done2 busybox:1.37 true
docker create --name idle -v data:/data --expose 99 busybox:1.36
docker run -d --name held busybox:1.36 sleep 600
docker pause held
# wait 3 s
docker ps
docker ps -a --format 'table {{.Names}}\t{{.State}}\t{{.Status}}\t{{.Size}}'
docker ps -a --filter status=paused --format '{{.Names}} {{.Status}} {{.State}}'
docker ps --filter status=created --format '{{.Names}}'
docker ps --filter status=created --filter status=exited --format '{{.Names}}'
docker ps --filter status=running --format '{{.Names}}'
docker ps -a --filter status=dead
docker ps -a --filter status=removing
docker ps -a --filter status=RUNNING
docker ps -a --filter health=healthy --format '{{.Names}} {{.Status}}'
docker ps -a --filter health=unhealthy --format '{{.Names}} {{.Status}}'
docker ps -a --filter health=starting --format '{{.Names}}'
docker ps -a --filter health=none --format '{{.Names}}'
docker ps -a --filter exited=0 --format '{{.Names}}'
docker ps -a --filter exited=0 --filter exited=3 --format '{{.Names}}'
docker ps --filter exited=3 --format '{{.Names}}'
docker ps -a --filter label=app=web --format '{{.Names}}'
docker ps -a --filter label=app=web --filter label=tier --format '{{.Names}}'
docker ps -a --filter label=app=web --filter label=app=job --format '{{.Names}}'
docker ps -a --filter label= --format '{{.Names}}'
docker ps -a --filter label!=app --format '{{.Names}}'
docker ps -a --filter name=do --filter name=job --format '{{.Names}}'
docker ps -a --filter name=^do.*2$ --format '{{.Names}}'
docker ps -a --filter name=/web --format '{{.Names}}'
docker ps -a --filter name=WEB --format '{{.Names}}'
docker ps -a --filter name=' ' --format '{{.Names}}'
docker ps -a --filter ancestor=busybox --format '{{.Names}}'
docker ps -a --filter ancestor=busybox:1.37 --format '{{.Names}}'
docker ps -a --filter ancestor=busybox:1.37 --filter ancestor=nginx:1.25 --format '{{.Names}}'
docker ps -a --filter ancestor=nosuch --format '{{.Names}}'
docker ps -a --filter volume=data --format '{{.Names}}'
docker ps -a --filter volume=/data --format '{{.Names}}'
docker ps -a --filter volume=dat --format '{{.Names}}'
docker ps -a --filter volume=nosuch --format '{{.Names}}'
docker ps -a --filter network=n1 --format '{{.Names}}'
docker ps -a --filter network=nosuch --format '{{.Names}}'
docker ps -a --filter network=n1 --filter network=bridge --format '{{.Names}}'
docker ps -a --filter publish=8080/tcp --format '{{.Names}}'
docker ps -a --filter publish=80 --format '{{.Names}}'
docker ps -a --filter publish=8000-9000 --format '{{.Names}}'
docker ps -a --filter publish=9090/udp --format '{{.Names}}'
docker ps -a --filter publish=9090 --format '{{.Names}}'
docker ps -a --filter publish=abc
docker ps -a --filter publish=8080/xyz
docker ps -a --filter publish=9-8
docker ps -a --filter expose=80 --format '{{.Names}}'
docker ps -a --filter expose=99/tcp --format '{{.Names}}'
docker ps -a --filter expose=1-100 --format '{{.Names}}'
docker ps -a --filter expose=abc
docker ps -a --filter before=done2 --format '{{.Names}}'
docker ps -a --filter since=done --format '{{.Names}}'
docker ps -a --filter since=done --filter before=held --format '{{.Names}}'
docker ps -a --filter since=nosuch
docker ps --filter since=done --format '{{.Names}}'
docker ps -a --filter before=web --filter before=done --format '{{.Names}}'
docker ps -a --filter id=zz
docker ps -a --filter is-task=false --format '{{.Names}}'
docker ps -a --filter is-task=true --format '{{.Names}}'
docker ps -a --filter is-task=maybe
docker ps -a --filter isolation=default --format '{{.Names}}'
docker ps -a --filter isolation=hyperv --format '{{.Names}}'
docker ps -a --filter until=1h
docker ps -a --filter =x
docker ps -a --filter x=
docker ps -n 3 --format '{{.Names}}'
docker ps -n 3 --filter name=web --format '{{.Names}}'
docker ps -l --format '{{.Names}}'
docker ps -l -q --no-trunc
docker ps -n abc
docker ps --last=2 --format '{{.Names}}'
docker ps --no-trunc=false --format '{{.Image}}' -l
docker ps --size --format '{{.Names}} {{.Size}}' --filter name=web
docker ps -a --format '{{.Names}} {{.RunningFor}} {{.CreatedAt}}' --filter name=job
docker ps -a --format '{{.Ports}}' --filter name=web
docker ps -a --format '{{.Names}} {{.Mounts}} {{.LocalVolumes}} {{.Networks}}'
docker ps -a --format '{{json .Labels}} {{json .Ports}}' --filter name=web
docker ps -a --format '{{.Platform}}' --filter name=web
docker ps -a --format 'table' --filter name=nosuch
docker ps -a --format 'table {{.Names}}' --filter name=nosuch
docker ps -a --format '{{.Names}}' --filter name=nosuch
docker ps -aq --filter name=nosuch
docker ps -a --format 'table {{.Names}} {{.Image}}'
docker ps -a --format 'table {{upper .Names}}\t{{.Label "app"}}\t{{.Label "tier"}}'
docker ps -a --format '{{.Names}}\t{{.Image}}\n'
docker ps -a --format 'table {{json .Names}}'
docker ps -a --format table{{.Names}}
docker ps -a --format 'json {{.Names}}'
docker ps -a --format '{{.names}}'
docker ps -a --format '{{.Label}}'
docker ps -a --format '{{ .Names }}{{ "\t" }}{{ .ID | len }}'
docker ps -a --format '{{with .Label "tier"}}{{.}}{{else}}none{{end}}'
docker ps -a --format '{{$x := .Names}}{{$x}}{{/* comment */}}'
docker ps -a --format '{{range $i, $e := split .Names ""}}{{if lt $i 2}}{{$e}}{{end}}{{end}}'
docker ps -a --format '{{printf "%5s|%-8s|%q|%v|%d" .Names .State .Image .Names 5}}'
docker ps -a --format '{{print .Names 1 2 "x"}} {{html "<a>"}} {{urlquery "a b"}} {{js "a"}}'
docker ps -a --format '{{template "x"}}'
docker ps -a --format '{{define "x"}}X{{end}}{{template "x"}}{{.Names}}'
docker ps -a --format '{{if}}{{end}}'
docker ps -a --format '{{end}}'
docker ps -a --format '{{.Names.Foo}}'
docker ps -a --format '{{.Names | nope}}'
docker ps -a --format '{{join (split .Image ":") "/"}} {{title .Names}}' --filter name=web
docker ps --orphans
docker ps --filter
docker ps --format
docker rename web www
docker ps --filter name=w --format '{{.Names}}'
docker rm -f www job sick done done2 idle held
