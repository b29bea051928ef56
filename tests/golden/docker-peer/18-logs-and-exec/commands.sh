docker run -d --name talk busybox:1.36 sh -c 'for i in 1 2 3 4 5; do echo line $i; sleep 1; done; echo last; exit 3'
# wait 2.5 s
docker logs talk
docker logs -f talk
docker logs --tail 2 talk
docker logs --tail all talk
docker logs --tail -1 talk
docker logs --tail 0 talk
docker logs -n 3 talk
docker logs -n talk
docker logs --since 1h --tail 1 talk
docker logs --since 2020-01-01 --tail 1 talk
docker logs --since 2020-01-01T00:00:00 --tail 1 talk
docker logs --since 2099-01-01 talk
docker logs --since 1577836800 --tail 1 talk
docker logs --until 2020-01-01 talk
docker logs --until 0s --tail 1 talk
docker logs --since 2020-99-99 talk
docker logs --until -5m --tail 1 talk
docker logs --until 5m talk
docker logs -t --tail 1 talk
docker logs --timestamps --tail 1 --details talk
docker logs -f --tail 1 talk
docker logs --follow=maybe talk
docker logs --details --tail 1 talk
docker logs -x talk
docker logs ''
docker logs nosuch --tail 1
docker logs talk nosuch
docker container logs --tail 1 talk
docker run -d --name lab --log-opt labels=app --log-opt env=A -l app=web -e A=1 busybox:1.36 echo labelled
docker logs --details lab
docker run --name quiet --log-driver none busybox:1.36 echo said
docker logs quiet
docker run --name loc --log-driver local busybox:1.36 sh -c 'echo out; echo err >&2'
docker logs loc
docker run --name half busybox:1.36 printf 'no end'
docker logs half
docker logs -t half
docker run --name empty busybox:1.36 sh -c 'echo; echo; echo x'
docker logs empty
docker create --name new busybox:1.36 echo x
docker logs new
docker logs -f new
docker run --name ttyd -t busybox:1.36 echo on a tty
docker logs ttyd
docker start talk
docker logs --tail 3 talk
# in the background: docker logs -f --tail 0 talk
# wait 3.5 s
# the command from the background: wait at most 0 s, then interrupt (SIGINT)
docker stop -t 0 talk
docker run -d --name box -e A=1 -w /tmp -u nobody --hostname box busybox:1.36 sleep 600
docker exec box id
docker exec box pwd
docker exec box env | grep -v HOME | sort
docker exec -e A=2 -e B=3 box sh -c 'echo $A $B'
docker exec -e A box sh -c 'echo "[$A]"'
docker exec --env-file nosuch box true
docker exec -u root box id
docker exec -u 0 box id -u
docker exec -u 5:6 box id
docker exec -u :6 box id
docker exec -u nobody:nogroup box id
docker exec -u root:nosuch box id
docker exec -u nosuch:root box id
docker exec -w / box pwd
docker exec -w rel box pwd
docker exec -w '' box pwd
docker exec -w /etc/passwd box pwd
docker exec --privileged box true
docker exec -i box cat
docker exec -d box sleep 1
docker exec -dt box sleep 1
docker exec -it box true
docker exec box false
docker exec box sh -c 'exit 255'
docker exec box sh -c 'kill -9 $$'
docker exec box sh -c 'kill -15 $$'
docker exec box nosuch
docker exec box /nosuch
docker exec box ./nosuch
docker exec box /tmp
docker exec box /etc/passwd
docker exec box ''
docker exec box sh nosuch.sh
docker exec -u nosuch box nosuch
docker exec --detach-keys zz box true
docker exec --detach-keys ctrl-zz box true
docker exec --detach-keys ctrl-a box true
docker exec -e '' box true
docker exec -e A=1 -e =2 box true
docker exec -z box true
docker exec box -z
docker exec box sh -c 'echo a; echo b >&2; exit 2'
docker exec box sleep 0.5
docker container exec box echo hi
docker exec '' true
docker exec box echo --help
docker exec --help box
docker pause box
docker exec box true
docker logs box
docker cp box:/etc/hostname - | tar tf -
docker stop -t 0 box
docker start box
docker rm -f box
docker exec box true
docker exec talk true
docker run -d --name loop --restart always busybox:1.36 sh -c 'exit 1'
# wait 1 s
docker exec nosuch true
docker rm -f loop talk lab quiet loc half empty new ttyd
