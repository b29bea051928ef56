docker run -d --name on --restart on-failure:2 busybox:1.36 sh -c 'echo try; sleep 0.3; exit 5'
docker run -d --name always --restart always busybox:1.36 sh -c 'sleep 0.2; exit 1'
docker run -d --name unless --restart unless-stopped busybox:1.36 sh -c 'sleep 0.2; exit 0'
docker run -d --name onok --restart on-failure busybox:1.36 sh -c 'exit 0'
docker run -d --name no --restart no busybox:1.36 sh -c 'exit 6'
# wait 4 s
docker ps -a --filter name=^on$ --format '{{.Names}} {{.State}} {{.Status}}'
docker inspect -f '{{.RestartCount}} {{.State.Status}} {{.State.Restarting}} {{.State.Running}} {{.State.ExitCode}} {{.State.Error}} {{.HostConfig.RestartPolicy}}' on
docker logs on
docker inspect -f '{{.RestartCount}} {{.State.Status}} {{.State.ExitCode}}' onok no
docker inspect -f '{{.HostConfig.RestartPolicy.Name}} {{gt .RestartCount 1}}' always unless
docker stop -t 0 always unless
docker ps -a --filter name=always --filter name=unless --format '{{.Names}} {{.State}}'
docker start on
# wait 3 s
docker inspect -f '{{.RestartCount}} {{.State.Status}}' on
docker update --restart on-failure:1 no
docker start no
# wait 2 s
docker inspect -f '{{.RestartCount}} {{.State.Status}}' no
docker run -d --name killed --restart always busybox:1.36 sleep 600
docker kill killed
# wait 1 s
docker inspect -f '{{.RestartCount}} {{.State.Status}}' killed
docker exec killed sh -c 'kill -15 1'
docker run -d --name inside --restart always busybox:1.36 sh -c 'trap "exit 9" TERM; while true; do sleep 0.1; done'
docker exec inside kill 1
# wait 1 s
docker inspect -f '{{.RestartCount}} {{.State.Status}} {{.State.ExitCode}}' inside
docker restart -t 1 inside
docker inspect -f '{{.RestartCount}} {{.State.Status}}' inside
docker pause inside
docker restart -t 0 inside
docker ps --filter name=inside --format '{{.Names}} {{.State}}'
docker pause inside
docker stop -t 0 inside
docker ps -a --filter name=inside --format '{{.Names}} {{.State}}'
docker run -d --name paused busybox:1.36 sleep 600
docker pause paused
docker kill paused
docker wait paused
docker ps -a --filter name=paused --format '{{.Names}} {{.State}} {{.Status}}'
docker start paused
docker pause paused
docker start paused
docker rm paused
docker rm -f paused
docker run -d --name flap --restart always busybox:1.36 nosuch
docker ps -a --filter name=flap --format '{{.Names}} {{.Status}}'
docker inspect -f '{{.State.Status}} {{.State.ExitCode}} {{.RestartCount}}' flap
docker run -d --name oomlike --memory 10m busybox:1.36 sleep 600
docker inspect -f '{{.State.OOMKilled}} {{.HostConfig.Memory}}' oomlike
docker run -d --name slow --stop-timeout 1 busybox:1.36 sh -c 'trap "" TERM; while true; do sleep 0.1; done'
docker stop slow
docker inspect -f '{{.State.ExitCode}}' slow
docker run -d --name quick --stop-signal INT busybox:1.36 sh -c 'trap "exit 4" INT; while true; do sleep 0.1; done'
# wait 0.5 s
docker stop quick
docker inspect -f '{{.State.ExitCode}} {{.Config.StopSignal}}' quick
docker run -d --name sig busybox:1.36 sh -c 'trap "echo got usr1" USR1; trap "echo got hup" HUP; while true; do sleep 0.1; done'
# wait 0.5 s
docker kill -s USR1 sig
docker kill --signal SIGHUP sig
docker kill -s 10 sig
docker kill -s 0 sig
docker kill -s nosuch sig
docker kill -s 99 sig
docker kill -s '' sig
# wait 0.5 s
docker logs sig
docker stop -s KILL sig
docker inspect -f '{{.State.ExitCode}}' sig
docker stop -s nosuch sig
docker start sig
docker stop -s nosuch -t 1 sig
docker stop --time 0 sig
docker stop --timeout 0 sig
docker restart -s nosuch sig
docker restart --time 0 sig
docker restart nosuch sig
docker wait onok no
docker wait onok nosuch
docker wait
docker wait nosuch1 nosuch2
docker run -d --name ww busybox:1.36 sh -c 'sleep 1; exit 9'
docker wait ww onok
docker run --rm --name auto -d busybox:1.36 sh -c 'sleep 1; exit 9'
docker inspect -f '{{.HostConfig.AutoRemove}}' auto
# wait 2 s
docker inspect auto
docker update --restart always --rm ww
docker create --name never busybox:1.36 true
docker stop never
docker kill never
docker pause never
docker unpause never
docker restart -t 0 never
docker top never
docker rename never never
docker rename never ''
docker rename never ww
docker rename never /slash
docker rename never 'sp ace'
docker rename never x
docker rename never
docker ps -a --filter name=slash --format '{{.Names}}'
docker rename nosuch a1
docker rm never
docker rm -v slash
docker rm -l slash
docker rm -f on always unless onok no killed inside flap oomlike slow quick sig ww paused
