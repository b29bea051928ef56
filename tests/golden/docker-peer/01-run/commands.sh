docker run --rm busybox:1.36 echo hello
docker run --rm busybox:1.36 sh -c 'echo out; echo err >&2; exit 7'
docker run --name a busybox:1.36 true
docker run -d --name a busybox:1.36 true
docker run --name b -d busybox:1.36 sleep 600
docker run --rm nosuch:1 true
docker run --rm busybox:9.99 true
docker run --rm Busybox true
docker run --rm busybox:1.36 nosuch
docker run --rm busybox:1.36 /etc
docker run --rm busybox:1.36 /etc/passwd
docker run --rm -v ::: busybox:1.36 true
docker run --rm -v a:b:c:d busybox:1.36 true
docker run --rm -v : busybox:1.36 true
docker run --rm -v '' busybox:1.36 true
docker run --rm -v /a busybox:1.36 ls -d /a
docker run --rm -v data:rel busybox:1.36 true
docker run --rm -v data:/ busybox:1.36 true
docker run --rm -v data:/x:zz busybox:1.36 true
docker run --rm -v data:/x:ro busybox:1.36 sh -c 'echo 1 > /x/f'
docker run --rm -l '' busybox:1.36 true
docker run --rm -l =x busybox:1.36 true
docker run --rm -e '' busybox:1.36 true
docker run --rm -e =x busybox:1.36 true
docker run --rm -e A=1 -e B busybox:1.36 env | sort
docker run --rm -p 99999:80 busybox:1.36 true
docker run --rm -p abc busybox:1.36 true
docker run --rm -p 80:80/xyz busybox:1.36 true
docker run --rm -p 1.2.3:80:80 busybox:1.36 true
docker run --rm -p 8000-8002:80-81 busybox:1.36 true
docker run --rm -p '' busybox:1.36 true
docker run --rm -p : busybox:1.36 true
docker run --rm --expose abc busybox:1.36 true
docker run --rm --network nope busybox:1.36 true
docker run --rm --restart always busybox:1.36 true
docker run --restart sometimes busybox:1.36 true
docker run --restart on-failure:x busybox:1.36 true
docker run --restart always:3 busybox:1.36 true
docker run --rm -m 1m busybox:1.36 true
docker run --rm -m 12x busybox:1.36 true
docker run --rm --cpus 100 busybox:1.36 true
docker run --rm --cpus abc busybox:1.36 true
docker run --rm --env-file nosuch.env busybox:1.36 true
docker run --rm --pull never busybox:1.35 true
docker run --rm --pull sometimes busybox:1.36 true
docker run --rm --user nosuch busybox:1.36 true
docker run --rm --user 1000:1000 busybox:1.36 id
docker run --rm --mount type=bind,source=/nosuch,target=/x busybox:1.36 true
docker run --rm --mount type=bind busybox:1.36 true
docker run --rm --mount type=zzz,target=/x busybox:1.36 true
docker run --rm --mount foo busybox:1.36 true
docker run --rm --mount target=/x,bar=1 busybox:1.36 true
docker run --rm --mount type=volume,source=v1,target=/x,readonly=maybe busybox:1.36 true
docker run --rm --add-host foo busybox:1.36 true
docker run --rm --add-host foo:1.2.3 busybox:1.36 true
docker run --rm --add-host foo:1.2.3.4 busybox:1.36 grep foo /etc/hosts
docker run --rm --hostname h1 busybox:1.36 hostname
docker run --rm -a nosuch busybox:1.36 true
docker run --rm --health-interval 1s --no-healthcheck busybox:1.36 true
docker run --rm --health-interval -1s busybox:1.36 true
docker run --rm --health-retries -1 busybox:1.36 true
docker run --rm --ulimit foo busybox:1.36 true
docker run --rm --ulimit nofile=5:3 busybox:1.36 true
docker run --rm --device foo busybox:1.36 true
docker run --rm --log-driver nosuch busybox:1.36 true
docker run --rm --log-opt foo busybox:1.36 true
docker run --rm --stop-signal FOO busybox:1.36 true
docker run --rm --sysctl foo busybox:1.36 true
docker run --rm --cap-add nosuch busybox:1.36 true
docker run --rm --ipc nosuch busybox:1.36 true
docker run --rm --pid nosuch busybox:1.36 true
docker run --rm --uts nosuch busybox:1.36 true
docker run --rm --userns nosuch busybox:1.36 true
docker run --rm --cgroupns nosuch busybox:1.36 true
docker run --rm --runtime nosuch busybox:1.36 true
docker run --rm --name 'bad name' busybox:1.36 true
docker run --rm --name x busybox:1.36 true
docker run --rm --tmpfs rel busybox:1.36 true
docker run --rm --tmpfs /t busybox:1.36 sh -c 'echo x > /t/f && cat /t/f'
docker run --rm --read-only busybox:1.36 touch /x
docker run --rm --entrypoint echo busybox:1.36 a b
docker run --rm --entrypoint '' busybox:1.36 echo c
docker run --rm -w /tmp/new busybox:1.36 pwd
docker run --rm -w rel busybox:1.36 pwd
docker run --rm --memory-swap 10m busybox:1.36 true
docker run --rm --shm-size abc busybox:1.36 true
docker run --rm --ip 1.2.3.4 busybox:1.36 true
docker run --rm --mac-address zz busybox:1.36 true
docker run --rm --link nosuch busybox:1.36 true
docker run --rm --volumes-from nosuch busybox:1.36 true
docker run --rm --network host --network none busybox:1.36 true
docker run --rm --network '' busybox:1.36 true
docker run --rm -it busybox:1.36 true
docker run --rm -t busybox:1.36 echo tty
echo hi | docker run --rm -i busybox:1.36 cat
docker run
docker run -d
docker run --nosuch busybox:1.36
docker run -Z busybox:1.36
docker run --name
docker run --rm=maybe busybox:1.36
docker run --label-file nosuch busybox:1.36 true
docker run --cidfile id.txt --rm busybox:1.36 true
docker run --cidfile id.txt --rm busybox:1.36 true
docker run --rm --domainname ex.org --hostname h busybox:1.36 hostname -f
docker run --rm --init busybox:1.36 echo init
docker run --rm --oom-score-adj 5000 busybox:1.36 true
docker run --rm --cpu-shares 1 busybox:1.36 true
docker run --rm --cpuset-cpus 9 busybox:1.36 true
docker run --rm --pids-limit abc busybox:1.36 true
docker run --rm --platform foo/bar busybox:1.36 true
docker run --rm --dns foo busybox:1.36 true
docker run --rm --dns 1.1.1.1 busybox:1.36 cat /etc/resolv.conf
docker run --rm --ulimit nofile=100:200 busybox:1.36 true
docker run --rm -v a::b busybox:1.36 true
docker run --rm -v /a:/b:/c:/d busybox:1.36 true
docker run --rm --sysctl net.ipv4.ip_forward=1 busybox:1.36 true
docker run --rm --network n --network host busybox:1.36 true
docker run --rm --cap-add net_admin --cap-drop ALL busybox:1.36 echo caps
docker run --rm -p 127.0.0.1:8085:80 -p 53:53/udp busybox:1.36 echo ports
docker rm -f a b
