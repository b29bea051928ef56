docker pull -q busybox:1.36
docker run -d --name web --hostname h -e A=1 -l one=1 -l two=2 -p 8080:80 --expose 9/udp -v vol:/data --stop-signal TERM busybox:1.36 sleep 1000
docker create --name box --hostname h busybox:1.36
docker inspect -f '{{.Config}}' box
docker inspect -f '{{.Config}}' web
docker inspect -f '{{.Config.Labels}} {{.Config.Env}} {{.Config.Cmd}} {{.Config.Entrypoint}} {{.Config.Volumes}} {{.Config.ExposedPorts}}' web box
docker inspect -f '{{json .Config}}' web
docker inspect -f '{{json .Config}}' box
docker inspect -f '{{.State}}' box
docker inspect -f '{{json .State}}' box
docker inspect -f '{{.Mounts}}' web box
docker inspect -f '{{json .Mounts}}' web box
docker inspect -f '{{index .Mounts 0}}' web
docker inspect -f '{{index .Mounts 0}}' box
docker inspect -f '{{.HostConfig.PortBindings}}' web box
docker inspect -f '{{json .HostConfig.PortBindings}}' web box
docker inspect -f '{{.NetworkSettings.Ports}}' web box
docker inspect -f '{{json .NetworkSettings.Ports}}' web box
docker inspect -f '{{.HostConfig.RestartPolicy}} {{.HostConfig.LogConfig}}' web
docker inspect -f '{{.HostConfig.Binds}} {{.HostConfig.CapAdd}} {{.HostConfig.Dns}} {{.HostConfig.Tmpfs}} {{.HostConfig.Ulimits}}' web
docker inspect -f '{{.GraphDriver.Name}} {{.Driver}} {{.Platform}} {{.RestartCount}} {{.AppArmorProfile}} {{.ExecIDs}}' web
docker inspect -f '{{.HostConfig.ConsoleSize}} {{.HostConfig.Isolation}}|{{.HostConfig.Init}}|{{.HostConfig.OomKillDisable}}|{{.HostConfig.PidsLimit}}|{{.HostConfig.MemorySwappiness}}' web
docker inspect -f '{{.Config.Healthcheck}} {{.Config.StopTimeout}} {{.State.Health}}' web
docker inspect -f '{{.SizeRw}} {{.SizeRootFs}}' web
docker inspect -f '{{.nothing}}' web
docker inspect -f '{{.Config.nothing}}' web
docker inspect -f '{{.Name.x}}' web
docker inspect -f '{{.State.Running}} {{not .State.Running}} {{if .State.Running}}yes{{else}}no{{end}}' web box
docker inspect -f '{{len .Config.Env}} {{len .Name}} {{len .Mounts}}' web
docker inspect -f '{{len .State.Running}}' web
docker inspect -f '{{range $k, $v := .Config.Labels}}{{$k}}={{$v}};{{end}}' web
docker inspect -f '{{range .Config.Env}}{{println .}}{{end}}' web
docker inspect -f '{{with .Config.Labels}}{{.one}}{{end}}' web
docker inspect -f '{{index .Config.Labels "one"}} {{index .Config.Labels "three"}}|' web
docker inspect -f '{{index .Config.Env 9}}' web
docker inspect -f '{{.Config.Labels.one}} {{.Config.Labels.three}}|' web
docker inspect -f '{{printf "%s %d %v %q %5s|%-5s|" .Name .RestartCount .State.Running .Name "x" "y"}}' web
docker inspect -f '{{upper .Name}} {{lower "ABC"}} {{title "abc def"}} {{split "a,b" ","}} {{join (split "a,b" ",") "-"}}' web
docker inspect -f '{{truncate .Name 1}} {{pad "x" 1 2}}| {{slice .Name 1}} {{html "<a>"}} {{js "a\x27b"}} {{urlquery "a b"}}' web
docker inspect -f '{{eq .Name "/web"}} {{ne .Name "/web"}} {{and true .Name}} {{or "" .Name}} {{lt 1 2}} {{gt .RestartCount 0}}' web
docker inspect -f '{{.Name}' web
docker inspect -f '{{.Name}}{{end}}' web
docker inspect -f '{{if}}' web
docker inspect -f '{{nofunc .Name}}' web
docker inspect -f 'table {{.Name}}' web
docker inspect -f json web --type volume
docker inspect -f '{{.Name}}' vol bridge web busybox:1.36
docker inspect -f '{{.Id}}' --type image vol
docker inspect -f '{{.Name}} {{.Driver}} {{.Scope}} {{.Labels}} {{.Options}}|{{.UsageData}}|{{.Status}}' vol
docker volume inspect -f '{{.}}' vol
docker volume inspect -f '{{json .Labels}} {{json .Options}} {{json .UsageData}}' vol
docker network inspect -f '{{.IPAM}}' bridge
docker network inspect -f '{{.IPAM.Config}} {{json .IPAM.Config}} {{json .IPAM.Options}}' bridge host
docker network inspect -f '{{.Labels}} {{.Internal}} {{.Attachable}} {{.ConfigFrom}} {{.ConfigOnly}} {{.Options}}' bridge none
docker network inspect -f '{{range .Containers}}{{.Name}} {{.IPv4Address}} {{.IPv6Address}}|{{end}}' bridge
docker network inspect -f '{{json .Peers}} {{json .Services}}' bridge
docker image inspect -f '{{.Config.Cmd}} {{.Config.Env}} {{.Config.Entrypoint}} {{.Config.Labels}} {{.Config.Volumes}} {{.Config.ExposedPorts}}' busybox:1.36
docker image inspect -f '{{.Os}}/{{.Architecture}} {{.Variant}}|{{.OsVersion}}|{{.Author}}|{{.Parent}}|{{.DockerVersion}}|' busybox:1.36
docker image inspect -f '{{.RootFS.Type}} {{.RepoTags}}' busybox:1.36
docker ps --format '{{.Nothing}}'
docker ps -a --filter name=zzz --format '{{.Nothing}}'
docker ps -a --filter name=zzz --format '{{.Names}'
docker ps -a --filter name=zzz --format 'table {{.Nothing}}'
docker ps --format '{{json .}}' --filter name=zzz
docker ps --format '{{json .Names}} {{json .Ports}}'
docker ps --format '{{.Label "one"}} {{.Label "x"}}|{{.Labels}}'
docker ps --format '{{.Label}}'
docker ps --format 'table {{.Names}}\t{{.Label "one"}}\t{{upper .State}}'
docker ps --format 'table {{.Names | upper}}'
docker ps --format 'raw'
docker ps --format 'table'
docker ps --format 'json' --filter name=zzz
docker images --format '{{.Nothing}}'
docker images nothing --format '{{.Nothing}}'
docker images --format '{{json .Tag}} {{.Containers}} {{.SharedSize}} {{.UniqueSize}} {{.VirtualSize}}' busybox:1.36
docker images --format 'table {{.Repository}}\t{{.Nothing}}'
docker network ls --format '{{.Nothing}}'
docker network ls --format '{{.Name}} {{.IPv4}} {{.IPv6}} {{.Internal}} {{.Labels}}|'
docker volume ls --format '{{.Nothing}}'
docker volume ls --format '{{.Name}} {{.Availability}} {{.Group}} {{.Links}} {{.Size}} {{.Status}} {{.Mountpoint}}'
docker volume ls --format '{{json .}}'
docker history --format '{{.Nothing}}' busybox:1.36
docker version --format '{{.Nothing}}'
docker version --format '{{.Server.Nothing}}'
docker version --format '{{.Client.Os}} {{.Server.Os}} {{.Server.Experimental}}'
docker info --format '{{.Nothing}}'
docker info --format '{{.Containers}} {{.ContainersRunning}} {{.Driver}} {{.OSType}} {{.Swarm.LocalNodeState}} {{.Isolation}}|'
docker system df --format '{{.Nothing}}'
docker system df --format '{{.Type}} {{.TotalCount}} {{.Active}}'
docker stats --no-stream --format '{{.Nothing}}' web
docker stats --no-stream --format '{{.Name}} {{.Container}}' web
docker events --until 0s --format '{{.Nothing}}'
docker search --format '{{.Nothing}}'
docker inspect
docker inspect --nope
docker inspect -f
docker inspect --type thing web
docker inspect --size -f '{{.SizeRw}}' web
docker inspect -s -f '{{.Id}}' --type network bridge
