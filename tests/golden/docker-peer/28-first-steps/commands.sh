docker pull -q busybox:1.36
docker pull -q nginx:1.25
docker run --rm busybox:1.36 echo hello world
docker run --rm busybox:1.36 sh -c 'echo out; echo err >&2; exit 3'
docker run --rm busybox:1.36 pwd
docker run --rm busybox:1.36 whoami
docker run --rm busybox:1.36 cat /etc/hostname | wc -c
docker run --rm --name me --hostname box busybox:1.36 hostname
docker run --rm -e GREETING=hi busybox:1.36 sh -c 'echo $GREETING $HOME $PATH'
docker run --rm busybox:1.36 sh -c 'for i in 1 2 3; do echo $i; done'
echo 'a b c' | docker run --rm -i busybox:1.36 wc -w
echo 'a b c' | docker run --rm busybox:1.36 wc -w
docker run --rm busybox:1.36 | wc -c
docker run --rm busybox:1.36 date +%Z
docker run --rm busybox:1.36 sh -c 'mkdir -p /a/b && echo x > /a/b/c && cat /a/b/c && rm -r /a && ls /a'
docker run --rm busybox:1.36 sh -c 'ls -l /etc/hosts | cut -c 1-10'
docker run --rm busybox:1.36 cat /nosuch
docker run --rm busybox:1.36 sh -c nosuch
docker run --rm busybox:1.36 sh -c './x'
docker run --rm busybox:1.36 false
docker run --rm busybox:1.36 sh -c 'kill -9 $$; echo here'
docker run --rm busybox:1.36 sh -c 'kill $$; echo here'
docker run --rm busybox:1.36 sh -c 'trap "echo bye; exit 5" TERM; kill $$; sleep 1'
docker run --rm busybox:1.36 sh -c '(exit 6); echo $?'
docker run --rm busybox:1.36 sh -c 'sleep 0.1 & wait; echo done'
docker run --rm busybox:1.36 sh -c 'set -e; false; echo no'
docker run --rm busybox:1.36 sh -c 'set -u; echo $nope'
docker run --rm busybox:1.36 sh -c 'if [ -f /etc/passwd ]; then echo yes; fi'
docker run --rm busybox:1.36 sh -c 'echo a,b,c | cut -d, -f2 | tr b B'
docker run --rm busybox:1.36 sh -c 'printf "%s-%03d\n" x 7'
docker run --rm busybox:1.36 sh -c 'seq 3 | sed s/2/two/ | grep -v 3'
docker run --rm busybox:1.36 sh -c 'seq 5 | awk "{s+=\$1} END {print s}"'
docker run --rm busybox:1.36 expr 3 + 4
docker run --rm busybox:1.36 basename /a/b.txt .txt
docker run --rm busybox:1.36 sh -c 'echo $((7 * 6)) $(echo sub)'
docker run --rm busybox:1.36 sh -c 'cd /tmp && pwd && cd - && pwd'
docker run --rm busybox:1.36 env -i A=1 env
docker run --rm busybox:1.36 printenv HOME
docker run --rm busybox:1.36 printenv NOPE
docker run --rm busybox:1.36 which sh ls nosuch
docker run --rm busybox:1.36 test 1 -eq 2
docker run --rm busybox:1.36 sleep nope
docker run --rm busybox:1.36 head -n 1 /etc/passwd
docker run --rm busybox:1.36 wc -l /nosuch
docker run --rm busybox:1.36 grep root /etc/passwd
docker run --rm busybox:1.36 grep nobody /nosuch
docker run --rm busybox:1.36 sh -c 'echo hi > /dev/stderr'
docker run --rm busybox:1.36 sh -c 'echo b; echo a' | sort
docker run -d --name web nginx:1.25
docker ps --format '{{.Names}} {{.Image}} {{.Command}} {{.State}} {{.Ports}}'
docker exec web sh -c 'echo hello > /usr/share/nginx/html/index.html'
docker exec web cat /usr/share/nginx/html/index.html
docker exec web hostname | wc -c
docker exec web id
docker exec web sh -c 'exit 9'
docker exec web nosuch
docker cp web:/usr/share/nginx/html/index.html . && cat index.html
echo new > index.html; docker cp index.html web:/usr/share/nginx/html/
docker exec web cat /usr/share/nginx/html/index.html
docker diff web | grep html
docker stop web
docker start web
docker exec web cat /usr/share/nginx/html/index.html
docker restart -t 1 web
docker inspect -f '{{.State.Status}} {{.RestartCount}} {{.State.ExitCode}}' web
docker rm web
docker rm -f web
docker run -d --name web -p 8085:80 -v site:/usr/share/nginx/html nginx:1.25
docker port web
docker volume ls -q
docker run --rm -v site:/data:ro busybox:1.36 sh -c 'echo x > /data/y'
docker volume rm site
docker rm -f web
docker volume rm site
docker run -d --name pinger --network nosuch busybox:1.36 sleep 100
docker rm pinger
docker network create lab
docker run -d --name one --network lab busybox:1.36 sleep 1000
docker run -d --name two --network lab --network-alias db busybox:1.36 sleep 1000
docker exec one ping -c 1 -W 1 two
docker exec one ping -c 1 -W 1 db
docker exec one ping -c 1 -W 1 three
docker exec one nslookup two | grep Name
docker exec one cat /etc/resolv.conf
docker network inspect -f '{{range .Containers}}{{.Name}} {{.IPv4Address}};{{end}}' lab | tr ';' '\n' | sort
docker network rm lab 2>&1 | grep -o 'active endpoints'
docker network disconnect lab two
docker exec one ping -c 1 -W 1 two
docker network connect lab two
docker exec one ping -c 1 -W 1 two
docker rm -f one two
docker network rm lab 2>&1 | grep -o 'active endpoints'
docker run --name job busybox:1.36 sh -c 'echo working; exit 2'
docker logs job
docker ps -a --filter name=job --format '{{.Names}} {{.Status}}' | cut -d ' ' -f 1-3
docker start -a job
docker logs job
docker wait job
docker commit job mine:1
docker run --rm mine:1
docker images mine --format '{{.Repository}}:{{.Tag}}'
docker history --format '{{.CreatedBy}}' mine:1 | head -n 1
docker tag mine:1 mine:2
docker rmi mine:1
docker rmi mine:2
docker rm job
docker rmi mine:2 mine:1
docker run -d --name mem --memory 32m busybox:1.36 sleep 1000
docker inspect -f '{{.HostConfig.Memory}}' mem
docker stats --no-stream --format '{{.Name}} {{.PIDs}}' mem
docker update --memory 64m --memory-swap 64m mem
docker inspect -f '{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}}' mem
docker pause mem
docker ps --format '{{.Names}} {{.State}}'
docker exec mem true
docker stop mem
docker kill mem
docker rm mem
docker run -d --name re --restart on-failure:2 busybox:1.36 sh -c 'exit 1'
# wait 4 s
docker inspect -f '{{.State.Status}} {{.RestartCount}} {{.State.ExitCode}}' re
docker run -d --name hc --health-cmd 'test -f /ok' --health-interval 1s --health-retries 1 busybox:1.36 sleep 1000
# wait 3 s
docker inspect -f '{{.State.Health.Status}}' hc
docker exec hc touch /ok
# wait 3 s
docker inspect -f '{{.State.Health.Status}}' hc
docker ps --filter health=healthy --format '{{.Names}}'
docker container ls -aq | wc -l
docker container stop re hc nope
docker container rm re hc nope
docker container run --rm busybox:1.36 echo x
docker image ls -q busybox | wc -l
docker image rm nosuch
docker system df --format '{{.Type}} {{.TotalCount}}' | head -n 1 | cut -d ' ' -f 1
