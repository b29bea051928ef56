docker images
docker images -q
docker images --no-trunc
docker images --digests
docker images busybox
docker images busybox:1.36
docker images nosuch
docker images 'b*'
docker images --format '{{.Repository}}:{{.Tag}} {{.ID}} {{.Size}}'
docker images --format json busybox:1.36
docker images --format 'table {{.Repository}}\t{{.Tag}}'
docker images --format '{{.Nope}}'
docker images --format '{{.Nope'
docker images --format raw busybox:1.36
docker images --format '{{.Digest}} {{.CreatedAt}} {{.Containers}}' busybox:1.36
docker images --filter dangling=true
docker images --filter reference='nginx:1.2*' --format '{{.Tag}}'
docker images --filter nope=1
docker images --filter bad
docker images --filter since=nosuch
docker images --filter before=busybox:1.36 --format '{{.Repository}}:{{.Tag}}'
docker images a b
docker images -a
docker pull busybox:1.35
docker pull busybox:1.35
docker pull -q busybox:1.35
docker pull nosuch
docker pull busybox:nosuch
docker pull Busybox
docker pull 'bad name'
docker pull ''
docker pull
docker pull localhost:1/x
docker tag busybox:1.36 mine:v1
docker tag nosuch mine:v2
docker tag busybox:1.36 Bad:Name
docker tag busybox:1.36 ''
docker tag busybox:1.36
docker images mine
docker rmi mine:v1
docker rmi mine:v1
docker rmi -f mine:v1
docker rmi nosuch busybox:1.35
docker run -d --name u busybox:1.37 sleep 600
docker rmi busybox:1.37
docker rmi -f busybox:1.37
docker rm -f u
docker rmi ''
docker history busybox:1.36
docker history -q busybox:1.36
docker history --no-trunc --format '{{.CreatedBy}} {{.Size}}' busybox:1.36
docker history -H=false busybox:1.36 | sed s/3012042/3012000/
docker history --format json busybox:1.36
docker history nosuch
docker history
docker image ls -q busybox:1.36
docker image prune -f
docker image prune -f -a --filter until=10h | grep tagged: | grep -v sha | sort
docker image prune
docker run --name base busybox:1.36 sh -c 'echo 1 > /made'
docker commit base made:1
docker commit -m hello -a me base made:2
docker commit -c 'CMD ["cat","/made"]' base made:3
docker commit -c 'FOO bar' base made:4
docker commit -c 'RUN x' base made:4
docker commit -c 'ENV A=1 B=2' -c 'LABEL x=y' -c 'EXPOSE 80' -c 'WORKDIR /tmp' -c 'USER nobody' base made:4
docker image inspect made:4 -f '{{.Config.Env}} {{.Config.Labels}} {{.Config.WorkingDir}} {{.Config.User}} {{.Config.ExposedPorts}}'
docker commit nosuch
docker commit base Bad
docker history made:2
docker run --rm made:1 cat /made
docker run --rm made:3
docker images made --format '{{.Tag}}' | sort
docker save -o x.tar made:1
docker rmi made:1
docker load -i x.tar
docker load -i nosuch.tar
docker save nosuch
docker save -o /nosuch/x.tar made:1
docker save
docker run --rm made:1 cat /made
docker export base > e.tar; echo $?
docker export -o e.tar base; tar tf e.tar made
docker export nosuch
docker rm base
docker rmi made:1 made:2 made:3 made:4
docker image
docker image nosuch
docker image rm nosuch
docker image inspect
