docker run -d --name web -p 8080:80 nginx:1.25
docker run -d --name box busybox:1.36 sh -c 'sleep 600'
docker top box -eo user,comm
docker top box -eo comm,args
docker top box -o comm
docker top box -o nosuch
docker top
docker stats --no-stream --format '{{.Name}} {{.Container}} {{.ID}}' web box
docker stats --no-stream --format '{{.Name}} {{.Nope}}' box
docker stats --no-stream nosuch box --format '{{.Name}}'
docker stats --no-stream --format json nosuch
docker stats --no-stream --format 'table {{.Name}}' box
docker stats --no-stream --no-trunc --format '{{.ID}}' box
docker stats --no-stream -a --format '{{.Name}} {{.PIDs}}'
docker stats --no-stream --format '{{.Name' box
docker stats --nosuch
docker port web
docker port web 80
docker port web 80/tcp
docker port web 80/udp
docker port web 81
docker port web abc
docker port box
docker port web 80 81
docker port
docker diff web nosuch
docker diff
docker exec box sh -c 'echo 1 > /new; mkdir -p /d/e; echo 2 > /d/e/f; rm /etc/group; echo x >> /etc/passwd'
docker diff box | sort
docker exec box sh -c 'rm -r /d; rm /new'
docker diff box | sort
mkdir -p dir/sub; echo a > dir/a; echo b > dir/sub/b; ln -s a dir/link
docker cp dir box:/tmp
docker exec box find /tmp/dir | sort
docker cp dir/ box:/tmp/copy
docker exec box find /tmp/copy | sort
docker cp dir/. box:/tmp/copy2/
docker exec box mkdir /tmp/copy2
docker cp dir/. box:/tmp/copy2/
docker exec box find /tmp/copy2 | sort
docker cp dir/a box:/tmp/newname
docker exec box cat /tmp/newname
docker cp dir/a box:/tmp/nodir/
docker cp dir/a box:/tmp/nodir/x
docker cp dir/a box:/tmp/dir
docker cp dir box:/tmp/newname
docker cp dir/a box:
docker cp dir/a :/tmp
docker cp dir/a box:relative
docker exec box ls /relative
docker cp box:/tmp/dir out
find out | sort
docker cp box:/tmp/dir out
find out | sort
docker cp box:/tmp/dir/. out2
find out2 | sort
docker cp box:/tmp/dir/link l1; ls -l l1 | cut -c1
docker cp -L box:/tmp/dir/link l2; cat l2
docker cp -a box:/tmp/dir/a l3; cat l3
docker cp -q box:/tmp/dir/a l4; cat l4
docker cp box:/tmp/dir/a nosuch/
docker cp box:/tmp/dir/a nosuch/x
docker cp box:/tmp/dir dir/a
docker cp box:/tmp/nosuch x
docker cp box:/etc/passwd/x x
docker cp nosuch:/x x
docker cp dir/nosuch box:/tmp
docker cp dir/a nosuch:/tmp
docker cp box:/a web:/b
docker cp dir/a dir/b
docker cp - box:/tmp
docker cp box:/tmp/dir/a - | tar tf -
docker cp box:/tmp/dir - | tar tf - | sed s,/$,, | sort
tar cf - dir | docker cp - box:/opt
tar cf - dir | docker cp - box:/srv/nosuch
tar cf - dir | docker cp - box:/etc/passwd
echo notar | docker cp - box:/tmp
docker cp box:/proc/1/comm c; cat c
docker cp box:/tmp/dir/a dir; ls dir
docker cp
docker cp a b c
docker cp -x a b
docker cp --follow-link=maybe a b
docker create --name ro --read-only busybox:1.36 sleep 600
docker cp dir/a ro:/tmp/a
docker start ro
docker cp dir/a ro:/tmp/a
docker exec ro touch /tmp/b
docker run -d --name vol -v v1:/v -v w1:/w:ro busybox:1.36 sleep 600
docker cp dir/a vol:/v/a
docker exec vol cat /v/a
docker cp dir/a vol:/w/a
docker cp vol:/v/a -  | tar tf -
docker export box | tar tf - tmp/newname
docker export -o box.tar box; tar tf box.tar tmp/newname
docker export -o /nosuch/x box
docker rm -f web box ro vol
