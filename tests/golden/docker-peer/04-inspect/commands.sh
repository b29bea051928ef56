docker run -d --name web -p 8080:80 -e A=1 --health-cmd true --health-interval 5s nginx:1.25
# wait 7 s
docker volume create data
docker network create appnet
docker inspect nosuch
docker inspect nosuch web -f '{{.Name}}'
docker inspect -f '{{.Name}} {{.State.Status}} {{.Config.Image}}' web
docker inspect -f '{{json .Config.Env}}' web | sed s/1.25.0/1.25/
docker inspect -f '{{json .Config.Healthcheck}}' web
docker inspect -f '{{json .NetworkSettings.Ports}}' web
docker inspect -f '{{range $k, $v := .NetworkSettings.Networks}}{{$k}}={{$v.IPAddress}} {{end}}' web
docker inspect -f '{{index .Config.Cmd 0}} {{len .Config.Env}}' web
docker inspect -f '{{.Config.Cmd}} {{.Config.ExposedPorts}}' web
docker inspect -f '{{.HostConfig.RestartPolicy}} {{.HostConfig.NetworkMode}} {{.HostConfig.Binds}}' web
docker inspect -f '{{.Nope}}' web
docker inspect -f '{{.State.Nope}}' web
docker inspect -f '{{.Name' web
docker inspect -f '{{index .Config.Cmd 9}}' web
docker inspect -f '{{nope}}' web
docker inspect -f '{{.Config.Cmd.X}}' web
docker inspect -f '{{join .Config.Cmd ","}}' web
docker inspect -f '{{printf "%q %v %d" .Name .State.Running .State.ExitCode}}' web
docker inspect -f '{{with .State.Health}}{{.Status}}{{end}}' web
docker inspect -f json data
docker inspect data
docker inspect appnet
docker inspect nginx:1.25 | sed 's/=1.25.0/=1.25/; s/"Size": [0-9]*/"Size": 1/'
docker inspect web | sed s/=1.25.0/=1.25/
docker inspect --type container data
docker inspect --type volume web
docker inspect --type network web
docker inspect --type image web
docker inspect --type nope web
docker inspect -s -f '{{.SizeRw}}' web
docker inspect
docker inspect ''
docker container inspect nosuch
docker container inspect web -f '{{.Id}}'
docker image inspect nosuch
docker image inspect nginx:1.25 -f '{{.Id}} {{.RepoTags}} {{.Architecture}}'
docker image inspect nginx:1.25 busybox:1.36 -f '{{.RepoTags}}'
docker network inspect nosuch
docker network inspect bridge
docker network inspect host none -f '{{.Name}} {{.Driver}} {{.Id}}'
docker volume inspect nosuch
docker volume inspect data
docker volume inspect data nosuch -f '{{.Name}}'
docker inspect web -f '{{.Created}} {{.Image}} {{.Platform}}'
docker inspect web -f '{{json .Mounts}} {{json .Config.Labels}}'
docker inspect web -f '{{.Config.StopSignal}} {{.Config.StopTimeout}} {{.HostConfig.Init}}'
docker rm -f web
docker volume rm data
docker network rm appnet
