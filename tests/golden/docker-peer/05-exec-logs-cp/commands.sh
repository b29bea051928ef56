docker run -d --name web nginx:1.25
docker run -d --name talk busybox:1.36 sh -c 'for i in 1 2 3 4 5; do echo line $i; done; exec sleep 600'
docker exec web echo hi
docker exec web sh -c 'echo out; echo err >&2; exit 5'
docker exec nosuch true
docker exec web nosuch
docker exec web /etc
docker exec -w /nosuch web pwd
docker exec -w /tmp web pwd
docker exec -u nope web id
docker exec -u 1000 web id
docker exec -u nobody web id
docker exec -e A=1 web sh -c 'echo $A'
docker exec -e =x web true
docker exec -it web sh
docker exec -t web echo tty
echo in | docker exec -i web cat
docker exec -d web sleep 5
docker exec -d web nosuch
docker exec
docker exec web
docker exec --nosuch web true
docker exec --env-file nosuch web true
docker logs talk
docker logs --tail 2 talk
docker logs -n 0 talk
docker logs --tail x talk
docker logs -t talk
docker logs --details talk
docker logs --since nonsense talk
docker logs --until nonsense talk
docker logs --since 1h talk
docker logs --until 1h talk
docker logs nosuch
docker logs
docker logs talk talk
docker cp web:/etc/hostname out.txt
docker cp web:/etc/nosuch out.txt
docker cp nosuch:/etc/hostname out.txt
docker cp nosuch.txt web:/tmp/
echo hello > f.txt
docker cp f.txt web:/tmp/
docker exec web cat /tmp/f.txt
docker cp f.txt web:/tmp/g.txt
docker exec web cat /tmp/g.txt
docker cp f.txt web:/nosuch/g.txt
docker cp f.txt web:/nosuch/
docker cp f.txt nosuch:/tmp/
mkdir -p d/e; echo 1 > d/a; echo 2 > d/e/b
docker cp d web:/tmp/
docker exec web sh -c 'cat /tmp/d/a /tmp/d/e/b'
docker cp d/. web:/tmp/x
docker exec web ls /tmp/x
docker cp web:/tmp/d got; ls got got/e
docker cp web:/tmp/d .; cat d/a
docker cp web:/tmp/f.txt -  | tar tf -
docker cp web:/tmp/f.txt nosuchdir/
docker cp web:/tmp/f.txt nosuchdir/x
docker cp f.txt f2.txt
docker cp web:/a talk:/b
tar cf - f.txt | docker cp - web:/var
docker exec web cat /var/f.txt
tar cf - f.txt | docker cp - web:/nosuch
docker cp web:/tmp/d/. got2; ls got2
docker cp web:/nosuch/x .
docker cp d/e/b web:tmp/rel
docker exec web cat /tmp/rel
docker cp web:tmp/rel .; cat rel
docker cp f.txt
docker cp f.txt web:/tmp/f.txt/
docker cp d web:/tmp/f.txt
docker cp web:/tmp/d f.txt
docker diff web | sort
docker stop -t 0 talk
docker exec talk true
docker logs --tail 1 talk
docker cp talk:/etc/hostname h.txt
docker cp f.txt talk:/tmp/
docker start talk
docker exec talk cat /tmp/f.txt
docker rm -f web talk
