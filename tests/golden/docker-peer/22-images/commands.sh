docker pull busybox:1.35
docker images --format '{{.Repository}}:{{.Tag}}' | sort
docker images busybox --format '{{.Tag}}' | sort
docker images busybox:1.3* --format '{{.Tag}}' | sort
docker images 'busy*:1.36' --format '{{.Tag}}'
docker images docker.io/library/busybox:1.36 --format '{{.Repository}}:{{.Tag}}'
docker images --filter reference=busybox --format '{{.Tag}}' | sort
docker images --filter reference='*:1.2*' --format '{{.Tag}}' | sort
docker images --filter reference='b*' --filter reference='a*' --format '{{.Repository}}:{{.Tag}}' | sort
docker images --filter reference='['
docker images --filter reference='library/busybox' --format '{{.Tag}}' | sort
docker images --filter label=x --format '{{.Tag}}'
docker images --filter dangling=false --format '{{.Repository}}:{{.Tag}}' | sort
docker images --filter dangling=maybe
docker images --filter before=nosuch
docker images --filter since=busybox:nosuch
docker images --filter until=abc
docker images --filter x=y
docker images --format '{{.ID}} {{.Digest}} {{.SharedSize}} {{.UniqueSize}} {{.Containers}}' busybox:1.36
docker images --format 'table {{.Repository}}\t{{.Tag}}\t{{.ID}}' busybox:1.36
docker images --format '{{.Nope}}' busybox:1.36
docker images --no-trunc -q busybox:1.36
docker images --digests --format '{{.Repository}} {{.Tag}}' busybox:1.36
docker images -x
docker tag busybox:1.36 one:1
docker tag busybox:1.36 one:2
docker tag busybox:1.36 localhost:5000/a/b/c:3
docker tag busybox:1.36 reg.example.com/x
docker tag busybox:1.36 one
docker tag busybox:1.36 one:
docker tag busybox:1.36 :1
docker tag busybox:1.36 a//b
docker tag busybox:1.36 A/b
docker tag busybox:1.36 a/b:c:d
docker tag busybox:1.36 a@sha256:1234
docker tag busybox:1.36 -a
docker tag busybox:1.36 a_.b
docker tag busybox:1.36 aaaaaaaaaaaa
docker tag busybox nosuch
docker tag a b c
docker images --format '{{.Repository}}:{{.Tag}}' --filter reference='one' | sort
docker images --format '{{.Repository}}:{{.Tag}}' --filter reference='*/*' | sort
docker images --format '{{.Repository}}:{{.Tag}}' --filter reference='*/*/*' | sort
docker images --format '{{.Repository}}:{{.Tag}}' --filter reference='reg.example.com/*' | sort
docker image inspect one:1 -f '{{json .RepoTags}}'
docker image inspect one:1 one:2 nosuch -f '{{.Os}} {{.Architecture}}'
docker image inspect busybox:1.36 -f '{{json .Config.Env}} {{json .Config.Cmd}} {{json .Config.Entrypoint}} {{json .Config.Labels}} {{.DockerVersion}} {{.Author}} {{.Comment}}'
docker image inspect busybox:1.36 -f '{{.RootFS.Type}} {{len .RootFS.Layers}} {{.GraphDriver.Name}}'
docker image inspect nginx:1.25 -f '{{json .Config.ExposedPorts}} {{.Config.StopSignal}} {{json .Config.Entrypoint}} {{json .Config.Cmd}}'
docker image inspect --platform linux/amd64 busybox:1.36 -f '{{.Os}}'
docker image inspect --platform linux/arm64 busybox:1.36 -f '{{.Os}}'
docker image inspect --platform zz busybox:1.36 -f '{{.Os}}'
docker rmi one:1
docker rmi one
docker rmi one:latest one:2 nosuch
docker rmi -f nosuch
docker rmi --no-prune localhost:5000/a/b/c:3
docker run --name user busybox:1.35 true
docker rmi busybox:1.35
docker rmi -f busybox:1.35
docker ps -a --format '{{.Names}} {{.Image}}' --no-trunc
docker inspect user -f '{{.Image}} {{.Config.Image}}'
docker images -f dangling=true --format '{{.Repository}} {{.Tag}}'
docker rm user
docker image prune -f
docker pull busybox:1.35
docker run -d --name user busybox:1.35 sleep 600
docker rmi busybox:1.35
docker rmi -f busybox:1.35
docker tag busybox:1.35 other:1
docker rmi busybox:1.35
docker rmi other:1
docker rmi -f $(docker inspect user -f '{{.Image}}')
docker rm -f user
docker rmi other:1 busybox:1.35
docker rmi
docker rmi ''
docker rmi -x
docker rmi Busybox
docker rmi 'a b'
docker run --name c1 -e A=1 busybox:1.36 sh -c 'echo made > /made'
docker commit c1
docker commit c1 made
docker commit -a 'Me <me@x>' -m 'a message' c1 made:2
docker commit --pause=false c1 made:3
docker commit -c 'CMD ["a"]' -c 'ENTRYPOINT ["b"]' -c 'ENV X=y' -c 'EXPOSE 80/tcp' -c 'LABEL l=m' -c 'USER u' -c 'VOLUME /v' -c 'WORKDIR /w' -c 'STOPSIGNAL INT' -c 'HEALTHCHECK CMD true' -c 'ONBUILD RUN x' c1 made:4
docker image inspect made:4 -f '{{json .Config.Env}} {{json .Config.Entrypoint}} {{json .Config.Cmd}} {{json .Config.Healthcheck}} {{json .Config.OnBuild}} {{json .Config.Volumes}} {{.Config.StopSignal}} {{.Config.User}}'
docker image inspect made:2 -f '{{.Author}} {{.Comment}} {{json .Config.Env}} {{json .Config.Cmd}}'
docker commit -c 'nosuch x' c1 made:5
docker commit -c 'FROM x' c1 made:5
docker commit -c 'ENV' c1 made:5
docker commit -c 'EXPOSE abc' c1 made:5
docker commit -c '' c1 made:5
docker commit nosuch made:6
docker commit c1 Made
docker commit c1 made:7 extra
docker commit
docker history made:nosuch
docker history -x made:2
docker images -f dangling=true --format '{{.Repository}} {{.Tag}}'
docker images -f label=l=m --format '{{.Repository}} {{.Tag}}'
docker images -f since=busybox:1.36 -f reference=made --format '{{.Repository}}:{{.Tag}}' | sort
docker image prune -f --filter label=zz
docker image prune -f --filter until=10h
docker image prune -f --filter until=zz
docker image prune -f --filter dangling=zz
docker image prune -f --filter zz=1
docker image prune --filter dangling=true
docker image prune -f
docker rm c1
docker save -o one.tar made:2
docker save made:2 nosuch -o two.tar
docker save --platform linux/amd64 made:2 -o p.tar
docker save --platform linux/arm64 made:2 -o p.tar
docker rmi made:2
docker load -q -i one.tar
docker load -i one.tar
docker load < one.tar
docker load -i nosuch.tar
docker image rm made:latest made:2 made:3 made:4
docker image ls made
docker image nosuch
docker image history busybox:1.36 --format '{{.ID}}' -q
docker image tag busybox:1.36 t:1
docker image rm t:1 -f
docker pull
docker pull a b
docker pull -a busybox:1.36
docker pull busybox@sha256:1234
docker pull busybox:1.36@sha256:zz
docker pull -q busybox:nosuch
docker pull --disable-content-trust busybox:1.36
docker pull library/busybox:1.36
docker pull docker.io/busybox:1.36
docker pull docker.io/library/busybox:1.36
docker pull nosuch/image
docker pull BusyBox
docker pull busybox:-x
docker pull https://busybox
docker pull /busybox
docker pull busybox/
docker pull a/b/c/d:e
docker pull localhost:1/x
