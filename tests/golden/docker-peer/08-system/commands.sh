docker version --format '{{.Server.Version}} {{.Server.APIVersion}}'
docker version --format '{{.Nope}}'
docker version --format '{{.Nope'
docker version --format '{{.Server.Nope}}'
docker version -f json | grep -c Server
docker version
docker version extra
docker info --format '{{.ServerVersion}} {{.Driver}} {{.NCPU}} {{.Containers}}'
docker info --format '{{.Nope}}'
docker info --format '{{.Nope'
docker info --format '{{json .Plugins}} {{.SecurityOptions}}'
docker info -f '{{json .Swarm.LocalNodeState}} {{.OSType}} {{.Architecture}}'
docker info | grep -v -e Kernel -e Name:
docker run -d --name web -p 8080:80 nginx:1.25
docker run --name gone busybox:1.36 sh -c 'echo 1 > /f'
docker volume create data
docker network create n1
docker system df | sed s/13.68MB/13.67MB/g
docker system df --format '{{.Type}} {{.TotalCount}} {{.Active}} {{.Size}} {{.Reclaimable}}' | sed s/13.68MB/13.67MB/g
docker system df --format json | sed s/13.68MB/13.67MB/g
docker system df -v | sed s/10.67MB/10.66MB/
docker stats --no-stream --format '{{.Name}} {{.PIDs}}'
docker stats --no-stream nosuch
docker stats --no-stream gone
docker stats --no-stream --format '{{.Nope}}'
docker stats --no-stream -a --format '{{.Name}} {{.MemUsage}}'
docker top web -o pid,ppid,comm
docker top web -o user,cmd
docker events --since 1h --until 0s
docker events --since 1h --until 0s --filter type=container --format '{{.Action}} {{.Actor.Attributes.name}}'
docker events --since 1h --until 0s --filter event=create --format '{{json .}}'
docker events --since 1h --until 0s --filter container=web --format '{{.Status}} {{.ID}} {{.From}}'
docker events --since 1h --until 0s --filter type=nope
docker events --since 1h --until 0s --filter nope=1
docker events --since 1h --until 0s --format '{{.Nope}}'
docker events --since 1h --until 0s --format '{{.Nope'
docker events --since nonsense
docker events --until nonsense
# in the background: docker events --filter type=container --format '{{.Action}} {{.Actor.Attributes.name}}'
docker run --rm --name ev busybox:1.36 true
# the command from the background: wait at most 1 s, then interrupt (SIGINT)
docker system prune
docker system prune -f
docker system prune -f -a --volumes
docker system prune -f --filter nope=1
docker system prune --filter until=x
docker system
docker system nosuch
docker system info --format '{{.Name}}'
docker rm -f web
docker --version
docker -v
docker nosuch
docker --nosuch
docker -Z
docker help nosuch
docker nosuch --help
docker ps --help
docker run --help
docker login --help
docker search
docker logout
docker
docker help
docker --help ps
docker help run
docker container
docker container nosuch
docker -H tcp://127.0.0.1:1 ps
docker --context nosuch ps
docker --log-level bad ps
docker -D version --format '{{.Client.Os}}'
