docker ps -a --format '{{.Names}} {{.Status}}'
# in the background: docker run --name fg2 busybox:1.36 sh -c 'trap "echo bye; exit 9" INT; while :; do sleep 0.2; done'
# the command from the background: wait at most 1.5 s, then interrupt (SIGINT)
docker ps -a --format '{{.Names}} {{.Status}}'
docker run -d --name at busybox:1.36 sh -c 'trap "exit 4" INT; while :; do sleep 0.2; done'
# in the background: docker attach at
# the command from the background: wait at most 1 s, then interrupt (SIGINT)
docker ps -a --filter name=at --format '{{.Names}} {{.Status}}'
docker run -d --name lo busybox:1.36 sh -c 'while :; do echo x; sleep 0.4; done'
# in the background: docker logs -f -n 0 lo
# the command from the background: wait at most 0.2 s, then interrupt (SIGINT)
docker kill -s INT lo
docker rm -f lo at fg2
docker run -d --name at3 busybox:1.36 sh -c 'sleep 2; echo end; exit 3'
# in the background: docker attach --no-stdin at3
# the command from the background: wait at most 6 s, then interrupt (SIGINT)
docker run -d --name k9 busybox:1.36 sleep 600
# in the background: docker attach k9
docker kill k9
# the command from the background: wait at most 3 s, then interrupt (SIGINT)
# in the background: docker stats --format '{{.Name}}'
# the command from the background: wait at most 0.5 s, then interrupt (SIGINT)
docker rm k9 at3
