docker pull -q busybox:1.36
docker run -d --name web busybox:1.36 sleep 1000
docker run --rm --user 1000 busybox:1.36 id
docker run --rm --user 1000:2000 busybox:1.36 id
docker run --rm --user nobody:mail busybox:1.36 id
docker run --rm --user 0 --group-add 5 --group-add mail busybox:1.36 id
docker run --rm --user nosuch busybox:1.36 id
docker run --rm --workdir /a/b busybox:1.36 pwd
docker run --rm -w /etc busybox:1.36 sh -c 'ls -d passwd; echo $PWD'
docker run --rm -w /etc/passwd busybox:1.36 pwd
docker run --rm -w 'a b' busybox:1.36 pwd
docker run --rm -w /a/../b busybox:1.36 pwd
docker run --rm --entrypoint echo busybox:1.36 web box
docker run --rm --entrypoint '' busybox:1.36 echo c
docker run --rm --entrypoint 'echo d' busybox:1.36
docker run --rm --entrypoint nosuch busybox:1.36 web
docker run --rm --entrypoint /etc/passwd busybox:1.36 web
docker run --rm --entrypoint /etc busybox:1.36 web
docker run --rm busybox:1.36 ''
docker run --rm busybox:1.36 ./x
docker run --rm busybox:1.36 'a b'
docker run --rm -e A -e B= -e C=1 -e D=a=b -e 'E=x y' busybox:1.36 sh -c 'env | grep "^[A-E]=" | sort'
A=5 docker run --rm -e A busybox:1.36 sh -c 'echo "[$A]"'
docker run --rm -e =x busybox:1.36 env
docker run --rm -e '' busybox:1.36 env
docker run --rm -e 'a b=c' busybox:1.36 true
printf 'A=1\n# c\n\nB=x y\n C=3\nD\nE="q"\n' > ok.env; docker run --rm --env-file ok.env busybox:1.36 sh -c 'env | sort'
printf 'A B=1\n' > bad.env; docker run --rm --env-file bad.env busybox:1.36 env
printf '=1\n' > bad2.env; docker run --rm --env-file bad2.env busybox:1.36 env
printf 'A=1\nA=2\n' > two.env; docker run --rm --env-file two.env -e A=3 busybox:1.36 sh -c 'echo $A'
docker run --rm --env-file nosuch busybox:1.36 env
docker run --rm --env-file . busybox:1.36 env
printf 'a=1\n# c\nb\nc=x y\n' > l.txt; docker create --name la --label-file l.txt -l a=2 busybox:1.36; docker inspect -f '{{json .Config.Labels}}' la
printf 'a b=1\n' > lbad.txt; docker create --label-file lbad.txt busybox:1.36
docker create --label-file . busybox:1.36
docker create --name lb -l =x -l y= -l z busybox:1.36
docker create --name lc -l '' busybox:1.36
docker create --name bad/name busybox:1.36
docker create --name -x busybox:1.36
docker create --name x busybox:1.36
docker create --name '' busybox:1.36 >/dev/null; echo $?
docker create --name web busybox:1.36 2>&1 | sed 's/"[0-9a-f]\{64\}"/ID/'
docker create --memory 4m busybox:1.36
docker create --memory 6m --name ma busybox:1.36
docker create --memory 1e3m busybox:1.36
docker create --memory 6291456.5 busybox:1.36
docker create --memory 0.01g --name mb busybox:1.36
docker create --memory 10MiB --name mc busybox:1.36
docker create --memory '10 m' --name md busybox:1.36
docker create --memory 10mm busybox:1.36
docker create --memory 8e busybox:1.36
docker inspect -f '{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}}' ma mb mc md
docker create --shm-size 1k --name sa busybox:1.36
docker create --shm-size abc busybox:1.36
docker create --shm-size 99999999999999g busybox:1.36
docker inspect -f '{{.HostConfig.ShmSize}}' sa
docker run --rm --read-only busybox:1.36 touch /x
docker run --rm --read-only --tmpfs /t busybox:1.36 touch /t/x
docker run --rm -v /data:ro busybox:1.36 touch /data/x
docker run --rm -v vol:/data:ro busybox:1.36 touch /data/x
docker run --rm --ulimit nofile=300:200 busybox:1.36 true
docker run --rm --ulimit nproc=5 --ulimit core=0 busybox:1.36 true
docker create --ulimit nofile busybox:1.36
docker run --rm --cpus 0.5 --cpuset-cpus 0 busybox:1.36 true
docker run --rm --add-host web:1.2.3.4 --add-host b=::1 --add-host 'c=[::2]' --hostname h busybox:1.36 cat /etc/hosts
docker run --rm --add-host web busybox:1.36 true
docker run --rm --add-host web:nope busybox:1.36 true
docker run --rm --add-host web:1.2.3 busybox:1.36 true
docker run --rm --add-host :1.2.3.4 busybox:1.36 true
docker run --rm --add-host x:host-gateway busybox:1.36 sh -c 'grep x$ /etc/hosts'
docker run --rm --dns 8.8.8.8 --dns-search a.b --dns-option ndots:2 busybox:1.36 cat /etc/resolv.conf
docker run --rm --dns nope busybox:1.36 true
docker run --rm -p 8081:80 -p 8081:81 --name pz busybox:1.36 true
docker run -d --name pb -p 127.0.0.1:8082:80 busybox:1.36 sleep 100
docker run --rm -p 8082:80 --name py busybox:1.36 true
docker run --rm -p 8082:80/udp busybox:1.36 true
docker port pb
docker run --rm -p 127.0.0.2:8082:80 busybox:1.36 true
docker create -p 80:80:80:80 busybox:1.36
docker create -p abc busybox:1.36
docker create -p 80:abc busybox:1.36
docker create -p 65536 busybox:1.36
docker create -p 0 busybox:1.36
docker create -p 1-3:1-2 busybox:1.36
docker create -p 3-1 busybox:1.36
docker create -p 80/foo busybox:1.36
docker create -p 80/ busybox:1.36
docker create -p '' busybox:1.36
docker create -p : busybox:1.36
docker create -p :80 --name pc busybox:1.36
docker create -p 1.2.3:80:80 busybox:1.36
docker create -p '[::1]:80:80' --name pd busybox:1.36
docker create -p ::1:80:80 busybox:1.36
docker create -p 1.2.3.4::80 --name pe busybox:1.36
docker create -p 8000-8002:80 --name pf busybox:1.36
docker create -p published=80,target=90 busybox:1.36
docker create -p published=80,target=90,protocol=udp,mode=host --name pg busybox:1.36
docker inspect -f '{{json .HostConfig.PortBindings}}' pc pd pe pf pg
docker run --rm --mac-address zz busybox:1.36 true
docker run --rm --init busybox:1.36 sh -c 'ps | head -n 2'
docker run --rm --hostname a.b busybox:1.36 hostname
docker run --rm --hostname web --domainname b.c --name dn busybox:1.36 sh -c 'hostname; grep b.c /etc/hosts | cut -f 2'
docker run --rm --network container:web busybox:1.36 hostname | wc -c
docker run --rm --ipc private --pid host --uts host busybox:1.36 true
docker run --rm --pid nope busybox:1.36 true
docker run --rm --ipc nope busybox:1.36 true
docker run --rm --uts nope busybox:1.36 true
docker run --rm --cgroupns nope busybox:1.36 true
docker run --rm --userns nope busybox:1.36 true
docker run --rm --network nope busybox:1.36 true
docker run --rm --network '' busybox:1.36 true
docker run --rm --network name=bridge busybox:1.36 true
docker run --rm --network name=bridge,alias=x busybox:1.36 true
docker run --rm --network name=bridge,foo=x busybox:1.36 true
docker run --rm --network alias=x busybox:1.36 true
docker run --rm --restart always busybox:1.36 true
docker run --restart nope busybox:1.36 true
docker create --restart on-failure:abc busybox:1.36
docker create --restart on-failure: --name ra busybox:1.36
docker create --restart :3 busybox:1.36
docker inspect -f '{{json .HostConfig.RestartPolicy}}' ra
docker create --health-cmd 'exit 1' --health-interval 500us busybox:1.36
docker create --health-cmd 'exit 1' --health-interval -1s busybox:1.36
docker create --health-cmd 'exit 1' --health-retries -1 busybox:1.36
docker create --health-cmd 'exit 1' --health-timeout 1h30m --health-retries 3 --name ha busybox:1.36
docker inspect -f '{{json .Config.Healthcheck}}' ha
docker create --no-healthcheck --name hb busybox:1.36
docker inspect -f '{{json .Config.Healthcheck}}' hb
docker create --no-healthcheck --health-interval 1s busybox:1.36
docker run --rm --stop-timeout 0 busybox:1.36 true
docker run -d --rm -it busybox:1.36 true | wc -c
docker run -d -a stdout busybox:1.36 true
docker run --rm -d --rm=false --name rmf busybox:1.36 true >/dev/null; docker inspect -f '{{.HostConfig.AutoRemove}}' rmf
docker run -it --rm busybox:1.36 true
docker run --detach-keys zz --rm busybox:1.36 true
docker run --rm --sig-proxy=nope busybox:1.36 true
docker run --rm --nosuch busybox:1.36 true
docker run --rm -Z busybox:1.36 true
docker run --name
docker run
docker run --rm BusyBox true
docker run --rm busybox:1.36:x true
docker run --rm 'bad image' true
docker run --rm busybox@sha256:123 true
docker run --rm nosuch-image true
docker run --rm --pull never busybox:9 true
docker run --rm --pull always -q busybox:1.36 echo x
docker run --rm --quiet busybox:1.36 echo y
docker run --rm --privileged busybox:1.36 true
