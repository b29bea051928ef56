docker volume create --label a=b --label c --opt type=tmpfs --opt device=tmpfs --opt o=size=10m v1
docker volume inspect v1
docker volume create --driver local v2
docker volume create v2
docker volume create --label z=1 v2
docker volume create --opt type=nfs v2
docker volume create --opt type=nfs v3
docker volume create --opt o=size=10m v4
docker volume create --opt device=/tmp --opt o=bind --opt type=none v5
docker volume create --opt device=/nosuch --opt o=bind --opt type=none v6
docker run --rm -v v5:/x busybox:1.36 true
docker run --rm -v v6:/x busybox:1.36 true
docker volume create --opt size=10m v7
docker volume create --opt foo v8
docker volume create --opt =foo v8
docker volume create ab
docker volume create a
docker volume create _ab
docker volume create -- -ab
docker volume create 'a b'
docker volume create aä
docker volume create a b
docker volume create --name n1
docker volume create --name n1 n2
docker volume create --label '' l1
docker volume create --label =x l1
docker volume create --driver '' d1
docker volume create --driver nosuch d2
docker volume ls
docker volume ls --format '{{.Name}} {{.Driver}} {{.Scope}} {{.Mountpoint}} {{.Labels}} {{.Size}} {{.Links}} {{.Status}} {{.Availability}} {{.Group}}'
docker volume ls --format '{{json .}}' --filter name=v2
docker volume ls --format 'table {{.Name}}\t{{.Label "a"}}'
docker volume ls --filter name=v -q
docker volume ls --filter name=^v1$ -q
docker volume ls --filter name=v1 --filter name=v2 -q
docker volume ls --filter driver=local -q
docker volume ls --filter driver=nosuch -q
docker volume ls --filter label=a -q
docker volume ls --filter label=a=b -q
docker volume ls --filter label=a=x -q
docker volume ls --filter label!=a -q
docker volume ls --filter dangling=true -q
docker volume ls --filter dangling=1 -q
docker volume ls --filter dangling=no -q
docker volume ls --filter bad
docker volume ls --filter until=1h
docker volume list -q
docker volume inspect v2 nosuch v5 -f '{{.Name}}'
docker volume inspect v2 -f '{{json .}}'
docker volume inspect v2 -f '{{.Nope}}'
docker volume inspect
docker volume inspect ''
docker run --name k1 -v v2:/d busybox:1.36 sh -c 'echo one > /d/f'
docker run --name k2 -v v2:/d:ro -v /anon busybox:1.36 sh -c 'cat /d/f; echo 2 > /d/f'
docker run --rm --volumes-from k2 busybox:1.36 sh -c 'ls -d /anon; cat /d/f; echo 3 > /d/f'
docker run --rm --volumes-from k1:ro busybox:1.36 sh -c 'echo 3 > /d/f'
docker run --rm -v v2:/d:nocopy busybox:1.36 cat /d/f
docker run --rm --mount source=v2,target=/d,readonly busybox:1.36 sh -c 'echo 3 > /d/f'
docker run --rm --mount source=v2,target=/d,volume-subpath=sub busybox:1.36 true
docker run --rm --mount source=v2,target=/d,volume-subpath=../x busybox:1.36 true
docker run --rm --mount source=mnew,target=/d,volume-label=q=r,volume-nocopy busybox:1.36 true
docker volume inspect mnew -f '{{json .Labels}}'
docker run --rm -v nv:/etc/nginx busybox:1.36 ls /etc/nginx
docker run --rm -v nv2:/usr/share/nginx/html nginx:1.25 ls /usr/share/nginx/html/index.html | grep -v Configuration
docker run --rm -v nv2:/q busybox:1.36 ls /q/index.html
docker run --rm --entrypoint ls -v nv3:/usr/share/nginx/html:nocopy nginx:1.25 /usr/share/nginx/html
docker run --rm -v v2:/d/e/f busybox:1.36 ls /d/e/f
docker run --rm -v v2:/bin/sh busybox:1.36 true
mkdir -p here/sub; echo hi > here/f
docker run --rm -v ./here:/h busybox:1.36 ls /h
docker run --rm -v "$PWD/here":/h:ro busybox:1.36 sh -c 'cat /h/f; echo 2 > /h/f'
docker run --rm -v "$PWD/here/f":/f busybox:1.36 cat /f
docker run --rm -v "$PWD/made":/m busybox:1.36 ls -d /m; ls -d made
docker run --rm -v ./here/f:/bin busybox:1.36 true
docker run --rm --mount type=bind,source=./here,target=/h busybox:1.36 ls /h
docker run --rm --mount type=bind,source="$PWD"/nosuch,target=/h busybox:1.36 ls /h
docker run --rm --mount type=bind,source="$PWD"/here/f,target=/x/y busybox:1.36 cat /x/y
docker run --rm --tmpfs /t:size=1m busybox:1.36 sh -c 'mount | grep " /t "'
docker run --rm --mount type=tmpfs,target=/t busybox:1.36 sh -c 'echo x > /t/x; cat /t/x'
docker volume rm v2
docker volume rm -f v2
docker rm k1
docker volume rm v2
docker rm -v k2
docker volume rm v2
docker volume rm
docker volume rm ''
docker volume rm nosuch1 nosuch2
docker volume rm v1 nosuch v3
docker volume prune
docker volume prune -f
docker volume prune -f --filter label=a
docker volume prune -f --filter label!=a --filter all=true | grep -v Total | sort
docker volume prune -fa --filter label=nosuch
docker volume prune -f --filter until=1h
docker volume prune -f --filter dangling=true
docker volume prune extra
docker volume prune -af | grep -v Total | sort
docker volume ls -q

