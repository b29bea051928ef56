//! The Engine behind its door, and the command at a terminal.

use super::cli::request;
use crate::base::http::{Mail, Method};
use crate::base::{Span, Value};
use crate::cluster::{Cluster, Preset, Setup};
use crate::lab::{Input, Lab};
use crate::{list, map};

/// What a line typed at the prompt comes to, when it comes to something within ten seconds.
fn typed(lab: &mut Lab, line: &str) -> String {
    lab.input(Input::Line(line.into()));
    let limit = lab.now() + Span::seconds(10);
    lab.run_until_idle(limit);
    let bytes: Vec<u8> = lab.take_output().into_iter().flat_map(|output| output.bytes).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A workstation at its prompt.
fn machine() -> Lab {
    let mut lab = Lab::new(Setup::new(Preset::Bare));
    let soon = lab.now() + Span::seconds(1);
    lab.advance(soon, u64::MAX);
    lab
}

#[test]
fn a_shell_in_a_container_talks_to_the_terminal() {
    let mut lab = machine();
    let started = typed(&mut lab, "docker run -it --name sh busybox:1.36 sh");
    assert!(started.contains('#'), "{started:?}");
    let said = typed(&mut lab, "echo one $((1 + 1))");
    assert!(said.contains("one 2"), "{said:?}");
    typed(&mut lab, "exit 3");
    assert_eq!(typed(&mut lab, "echo code $?").trim(), "code 3");
    assert_eq!(typed(&mut lab, "docker ps -a --format '{{.Names}} {{.State}}'").trim(), "sh exited");
}

/// A request and its answer.
fn ask(cluster: &mut Cluster, method: Method, path: &str, body: Value) -> (u16, Value) {
    cluster.submit(7, 0, request(method, path).with_body(body));
    let limit = cluster.now + Span::seconds(60);
    while cluster.step(limit) {
        for (number, mail) in cluster.take_mail() {
            if let (7, Mail::Reply(response)) = (number, mail) {
                return (response.code, response.value().clone());
            }
        }
    }
    panic!("no answer to {path}");
}

#[test]
fn a_client_of_the_api_makes_starts_and_removes() {
    let mut cluster = Cluster::new(Setup::new(Preset::Bare));
    let body = map! {
        "Image" => "busybox:1.36", "Cmd" => list!["sh", "-c", "exit 1"],
        "HostConfig" => map! { "NetworkMode" => "bridge", "Memory" => 128 << 20 },
    };
    let (code, made) = ask(&mut cluster, Method::Post, "/containers/create", body.clone());
    assert_eq!(code, 201, "{made:?}");
    let id = made["Id"].str().to_string();
    assert_eq!(ask(&mut cluster, Method::Post, &format!("/containers/{id}/start"), Value::Null).0, 204);
    assert_eq!(
        ask(&mut cluster, Method::Post, &format!("/containers/{id}/wait"), Value::Null).1["StatusCode"].int(),
        1
    );
    let (_, seen) = ask(&mut cluster, Method::Get, &format!("/containers/{id}/json"), Value::Null);
    assert_eq!(seen.at(&["State", "Status"]).str(), "exited");
    assert_eq!(seen.at(&["HostConfig", "MemorySwap"]).int(), 256 << 20);
    assert_eq!(ask(&mut cluster, Method::Delete, &format!("/containers/{id}"), Value::Null).0, 204);
    let (code, gone) = ask(&mut cluster, Method::Get, &format!("/containers/{id}/json"), Value::Null);
    assert_eq!((code, gone["message"].str()), (404, format!("No such container: {id}").as_str()));
}

#[test]
fn keys_at_the_terminal_of_a_container() {
    let mut lab = machine();
    let key = |lab: &mut Lab, input: Input| {
        lab.input(input);
        let limit = lab.now() + Span::seconds(15);
        lab.run_until_idle(limit);
        lab.take_output();
    };
    // A first process without a handler does not hear its terminal's interrupt; a shell goes on without what it ran.
    for (line, keys, expected) in [
        ("docker run -it --rm nginx:1.25", vec![Input::Interrupt], "0"),
        ("docker run --rm nginx:1.25", vec![Input::Interrupt], "0"),
        (
            "docker run --rm busybox:1.36 sh -c 'trap \"exit 7\" INT; while :; do sleep 0.1; done'",
            vec![Input::Interrupt],
            "7",
        ),
        (
            "docker run -it --rm busybox:1.36 sh",
            vec![Input::Line("sleep 100".into()), Input::Interrupt, Input::Line("exit 4".into())],
            "4",
        ),
        ("docker run -it --rm busybox:1.36 sh", vec![Input::EndOfInput], "0"),
        ("docker run --rm busybox:1.36 sleep 100", vec![Input::Interrupt, Input::Interrupt, Input::Interrupt], "1"),
        ("docker run -d --name on nginx:1.25; docker attach on", vec![Input::Interrupt], "0"),
        ("docker start -a on", vec![Input::Interrupt], "0"),
        ("docker run -d --name t busybox:1.36 sleep 100; docker rm -f on; docker logs -f t", vec![], "1"),
        ("docker run -d --name tt busybox:1.36 sleep 100; docker logs -f tt", vec![Input::Interrupt], "130"),
        ("docker exec -it tt sh -c 'sleep 50'", vec![Input::Interrupt], "130"),
        ("docker events", vec![Input::Interrupt], "130"),
    ] {
        key(&mut lab, Input::Line(line.into()));
        keys.into_iter().for_each(|input| key(&mut lab, input));
        assert_eq!(typed(&mut lab, "echo code $?").trim(), format!("code {expected}"), "{line}");
    }
}

#[test]
fn what_is_left_out_is_told() {
    let mut lab = machine();
    for line in [
        "docker service ls -q",
        "docker node ls",
        "docker stack ps x",
        "docker secret ls",
        "docker swarm init --advertise-addr x",
        "docker config ls",
        "docker plugin ls",
        "docker trust inspect x",
        "docker manifest inspect x",
        "docker buildx build .",
        "docker context ls",
        "docker compose up -d",
        "docker build -t x .",
        "docker builder prune",
        "docker push x",
        "docker login -u me",
        "docker search nginx",
        "docker import x.tar",
        "docker pull -a busybox",
        "docker images --tree",
    ] {
        let said = typed(&mut lab, line);
        assert!(said.contains("not simulated here: docker "), "{line}: {said}");
        assert_eq!(typed(&mut lab, "echo code $?").trim(), "code 1", "{line}");
    }
}

/// Names, addresses and ports are kept beside the containers: what goes gives them back, what stays keeps them.
#[test]
fn names_addresses_and_ports_come_back() {
    let mut lab = machine();
    let address = "docker inspect -f '{{.NetworkSettings.IPAddress}}' ";
    for (line, expected) in [
        (
            "docker run -d --name aa -p 80:80 -p 127.0.0.1:81:81 -p 90:90/udp nginx:1.25 >o 2>&1; docker port aa | wc -l",
            "5",
        ),
        (&format!("docker run -d --name bb nginx:1.25 >o; {address} aa bb | tr '\\n' ' '"), "172.17.0.2 172.17.0.3"),
        (
            "docker run -p 80:80 nginx:1.25 2>&1 | grep -o 'Bind.*'",
            "Bind for 0.0.0.0:80 failed: port is already allocated",
        ),
        (
            "docker run -p 81:81 nginx:1.25 2>&1 | grep -o 'Bind.*'",
            "Bind for 127.0.0.1:81 failed: port is already allocated",
        ),
        (
            "docker run -p 127.0.0.1:80:1 nginx:1.25 2>&1 | grep -o 'Bind.*'",
            "Bind for 127.0.0.1:80 failed: port is already allocated",
        ),
        (
            "docker run -p 127.0.0.1:81:1 nginx:1.25 2>&1 | grep -o 'Bind.*'",
            "Bind for 127.0.0.1:81 failed: port is already allocated",
        ),
        (
            "docker run -d --name cc -p 127.0.0.2:81:81 -p 90:90/tcp -p 80:80/udp nginx:1.25 >o; docker port cc | wc -l",
            "5",
        ),
        ("docker rename aa a2; docker rename bb aa; docker ps --format '{{.Names}}' | sort | tr '\\n' ' '", "a2 aa cc"),
        (&format!("{address} aa a2 bb 2>&1 | tr '\\n' ' '"), "172.17.0.3 172.17.0.2 Error: No such object: bb"),
        ("docker rm -f a2 cc >o; docker run -d --name bb -p 80:80 nginx:1.25 >o; docker port bb | wc -l", "2"),
        (&format!("{address} bb"), "172.17.0.2"),
        (
            "docker stop -t 0 bb >o; docker run -d --name dd -p 80:80 nginx:1.25 >o; docker start bb 2>&1 | grep -o 'Bind.*failed'",
            "Bind for 0.0.0.0:80 failed",
        ),
        (&format!("{address} dd bb | tr '\\n' ' '"), "172.17.0.2"),
        ("docker network create nn >o; docker network connect --ip 172.18.0.3 nn dd 2>&1 | grep -o only", "only"),
        (
            "docker network connect nn dd; docker network disconnect nn dd; docker network connect nn aa; docker inspect -f '{{.NetworkSettings.Networks.nn.IPAddress}}' aa",
            "172.18.0.2",
        ),
    ] {
        let said = typed(&mut lab, line);
        let said: Vec<&str> = said.lines().map(str::trim).filter(|own| !own.is_empty()).collect();
        assert_eq!(said.join(" "), expected, "{line}");
    }
}
