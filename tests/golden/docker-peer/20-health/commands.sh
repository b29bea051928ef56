docker run -d --name h1 --health-cmd 'test -f /ok' --health-interval 1s --health-retries 3 --health-start-period 0s busybox:1.36 sleep 600
docker inspect -f '{{json .State.Health}}' h1
docker ps --format '{{.Names}} {{.Status}}'
# wait 2.5 s
docker inspect -f '{{.State.Health.Status}} {{.State.Health.FailingStreak}}' h1
# wait 1.5 s
docker inspect -f '{{.State.Health.Status}}' h1
docker exec h1 touch /ok
# wait 2 s
docker inspect -f '{{.State.Health.Status}} {{.State.Health.FailingStreak}}' h1
docker inspect -f '{{range .State.Health.Log}}{{.ExitCode}};{{end}}' h1
docker exec h1 rm /ok
# wait 4.5 s
docker ps --format '{{.Names}} {{.Status}}'
docker pause h1
docker ps --format '{{.Names}} {{.Status}}'
docker unpause h1
docker stop -t 0 h1
docker inspect -f '{{.State.Health.Status}}' h1
docker ps -a --filter health=unhealthy --format '{{.Names}} {{.Status}}'
docker start h1
docker inspect -f '{{.State.Health.Status}} {{.State.Health.FailingStreak}} {{len .State.Health.Log}}' h1
docker run -d --name h2 --health-cmd 'echo bad; echo worse >&2; exit 3' --health-interval 1s --health-retries 1 busybox:1.36 sleep 600
# wait 2 s
docker inspect -f '{{(index .State.Health.Log 0).ExitCode}} {{json (index .State.Health.Log 0).Output}} {{.State.Health.Status}}' h2
docker run -d --name h3 --health-cmd 'sleep 10' --health-interval 1s --health-timeout 1s --health-retries 1 busybox:1.36 sleep 600
# wait 3.5 s
docker inspect -f '{{(index .State.Health.Log 0).ExitCode}} {{json (index .State.Health.Log 0).Output}} {{.State.Health.Status}}' h3
docker run -d --name h4 --health-cmd nosuch --health-interval 1s --health-retries 1 busybox:1.36 sleep 600
# wait 2 s
docker inspect -f '{{(index .State.Health.Log 0).ExitCode}} {{json (index .State.Health.Log 0).Output}} {{.State.Health.Status}}' h4
docker run -d --name h5 --health-cmd false --health-interval 1s --health-retries 1 --health-start-period 4s --health-start-interval 500ms busybox:1.36 sleep 600
# wait 2 s
docker inspect -f '{{.State.Health.Status}} {{.State.Health.FailingStreak}}' h5
# wait 4 s
docker inspect -f '{{.State.Health.Status}}' h5
docker run -d --name h6 --health-cmd 'exit 2' --health-interval 1s --health-retries 1 busybox:1.36 sleep 600
# wait 2 s
docker inspect -f '{{(index .State.Health.Log 0).ExitCode}} {{.State.Health.Status}}' h6
docker run -d --name h7 --health-cmd true busybox:1.36 sleep 600
docker inspect -f '{{json .Config.Healthcheck}} {{.State.Health.Status}}' h7
docker run -d --name h8 --no-healthcheck busybox:1.36 sleep 600
docker inspect -f '{{json .State.Health}} {{json .Config.Healthcheck}}' h8
docker ps -a --format '{{.Names}} {{.Status}}'
docker inspect -f '{{.State.Health.Status}}' h8
docker rm -f h1 h2 h3 h4 h5 h6 h7 h8
