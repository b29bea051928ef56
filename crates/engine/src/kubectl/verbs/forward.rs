//! `port-forward` and `proxy`: ports of the workstation that lead into the cluster.
//!
//! Left out: UDP, addresses of IPv6 (the workstation has none), files (`proxy --www`) and the filters of `proxy` but
//! its default ones.

use super::logs;
use crate::base::goquote::quote;
use crate::base::http::{Body, Frame, Method};
use crate::base::{Value, duration};
use crate::kubectl::args::Args;
use crate::kubectl::io::{Heard, Io, Outcome, fail, usage};
use crate::kubectl::mapper::Mapper;
use crate::kubectl::output::ordered;
use crate::kubectl::select;
use crate::map;
use crate::process::Call;

pub fn port_forward(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let [word, ports @ ..] = args.words.as_slice() else { return no_ports() };
    if ports.is_empty() {
        return no_ports();
    }
    if duration::parse(args.get("pod-running-timeout")).is_ok_and(|span| span.0 <= 0) {
        return usage("port-forward", "--pod-running-timeout must be higher than zero");
    }
    let mapper = Mapper::discover(io)?;
    let item = select::one(word, io, &mapper)?;
    let pod = logs::pod_behind(io, &mapper, &item)?;
    let service = (item.mapping.kind == "Service").then_some(&item.object);
    let mut pairs = Vec::new();
    for port in ports {
        pairs.push(translated(port, service, &pod)?);
    }
    let phase = pod.at(&["status", "phase"]).str();
    if phase != "Running" {
        return fail(format!("unable to forward port because pod is not running. Current status={phase}"));
    }
    let mut numbers: Vec<(u16, u16)> = Vec::new();
    for (index, (local, remote)) in pairs.iter().enumerate() {
        let local = number("local", local)?;
        let remote = number("remote", remote)?;
        if remote == 0 {
            return fail("remote port must be > 0");
        }
        let any = 32768 + (u32::from(remote) * 31 + io.sys.pid * 7919 + index as u32) % 28000;
        numbers.push((if local == 0 { u16::try_from(any).unwrap_or(local) } else { local }, remote));
    }
    let mut open: Vec<(Call, u16, u16)> = Vec::new();
    for (local, remote) in &numbers {
        let mut errors: Vec<String> = Vec::new();
        let before = open.len();
        for address in args.split("address").iter().map(String::as_str).chain(default_address(args)) {
            let place = if address == "localhost" { "127.0.0.1" } else { address };
            if place.parse::<std::net::IpAddr>().is_err() {
                return fail(format!("{address} is not a valid IP"));
            }
            let (call, refused) = listen(io, &format!("{place}:{local}"))?;
            match refused {
                None => {
                    io.line(format!("Forwarding from {place}:{local} -> {remote}"));
                    open.push((call, *local, *remote));
                }
                Some(why) => {
                    errors.push(format!("unable to create listener: Error listen tcp4 {place}:{local}: bind: {why}"));
                    if address == "localhost" {
                        errors.push(format!(
                            "unable to create listener: Error listen tcp6 [::1]:{local}: bind: cannot assign requested \
                             address"
                        ));
                    }
                }
            }
        }
        if open.len() == before {
            io.err(format!(
                "Unable to listen on port {local}: Listeners failed to create with the following errors: [{}]\n",
                errors.join(" ")
            ));
        }
    }
    if open.is_empty() {
        let asked: Vec<String> = numbers.iter().map(|(local, remote)| format!("{{{local} {remote}}}")).collect();
        return fail(format!("unable to listen on any of the requested ports: [{}]", asked.join(" ")));
    }
    io.memory.interrupt = Some(0);
    let calls: Vec<Call> = open.iter().map(|(call, _, _)| *call).collect();
    let meta = &pod["metadata"];
    let path = format!("/api/v1/namespaces/{}/pods/{}/portforward", meta["namespace"].str(), meta["name"].str());
    io.resume(Value::Null);
    loop {
        io.keep(Value::Null);
        let Heard::Frame(at, Frame::Event(event)) = io.hear(&calls, false, None)? else { continue };
        let Some((call, local, remote)) = open.get(at).copied() else { continue };
        io.line(format!("Handling connection for {local}"));
        let mut request = io.request(Method::Post, path.clone()).with_query("ports", remote.to_string());
        for key in ["path", "method", "agent"] {
            request = request.with_query(key, event[key].str());
        }
        let response = io.send(request)?;
        let text = logs::text_of(&response.body);
        if response.code == 0 {
            io.klog(
                'E',
                "portforward.go:549",
                &format!("\"An error occurred forwarding\" err={} localPort={local} remotePort={remote}", quote(&text)),
            );
            return fail("lost connection to pod");
        }
        answer(io, call, &event, response.code, &response.content_type, &text);
    }
}

fn no_ports() -> Outcome {
    usage("port-forward", "TYPE/NAME and list of ports are required for port-forward")
}

fn default_address(args: &Args) -> Option<&'static str> {
    (!args.changed("address")).then_some("localhost")
}

/// Opens a port of the workstation; why not, else.
fn listen(io: &mut Io<'_, '_>, address: &str) -> Outcome<(Call, Option<String>)> {
    let mut request = io.request(Method::Get, "");
    request.host = format!("listen:{address}").into();
    let (call, response) = io.open(request)?;
    Ok((call, (response.code != 200).then(|| logs::text_of(&response.body))))
}

fn answer(io: &mut Io<'_, '_>, call: Call, event: &Value, code: u16, kind: &str, text: &str) {
    let reply = map! { "number" => event["number"].clone(), "code" => i64::from(code), "type" => kind, "text" => text };
    io.send_up(call, Frame::Event(reply));
}

fn number(which: &str, text: &str) -> Outcome<u16> {
    if text.is_empty() && which == "local" {
        return Ok(0);
    }
    match text.parse::<u64>() {
        Ok(n) if n <= 65535 => Ok(n as u16),
        Ok(_) => fail(format!(
            "error parsing {which} port '{text}': strconv.ParseUint: parsing \"{text}\": value out of range"
        )),
        Err(_) => {
            fail(format!("error parsing {which} port '{text}': strconv.ParseUint: parsing \"{text}\": invalid syntax"))
        }
    }
}

/// `LOCAL:REMOTE` with the Service's port and the pod's named port resolved.
fn translated(text: &str, service: Option<&Value>, pod: &Value) -> Outcome<(String, String)> {
    let (local, remote) = text.split_once(':').unwrap_or((text, text));
    let name = pod.at(&["metadata", "name"]).str();
    let named = |wanted: &str| -> Outcome<String> {
        let containers = ["containers", "initContainers"].into_iter().flat_map(|list| pod["spec"][list].items());
        let found = containers.flat_map(|c| c["ports"].items()).find(|port| port["name"].str() == wanted);
        match found {
            Some(port) => Ok(port["containerPort"].int().to_string()),
            None => fail(format!("Pod '{name}' does not have a named port '{wanted}'")),
        }
    };
    let Some(service) = service else {
        if remote.parse::<u64>().is_ok() {
            return Ok((local.into(), remote.into()));
        }
        let target = named(remote)?;
        return Ok((if local == remote { target.clone() } else { local.into() }, target));
    };
    let own = service.at(&["metadata", "name"]).str();
    let ports = service.at(&["spec", "ports"]).items();
    let (port, number) = match remote.parse::<i64>() {
        Ok(number) => (ports.iter().find(|port| port["port"].int() == number), number),
        Err(_) => match ports.iter().find(|port| port["name"].str() == remote) {
            Some(port) => (Some(port), port["port"].int()),
            None => return fail(format!("Service '{own}' does not have a named port '{remote}'")),
        },
    };
    let Some(port) = port else { return fail(format!("Service {own} does not have a service port {number}")) };
    let local = if local == remote { number.to_string() } else { local.into() };
    let target = &port["targetPort"];
    let target = match target.as_int() {
        _ if service.at(&["spec", "clusterIP"]).str() == "None" => number.to_string(),
        Some(0) => number.to_string(),
        Some(target) => target.to_string(),
        None if target.is_null() => number.to_string(),
        None => named(target.str())?,
    };
    Ok((local, target))
}

pub fn proxy(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let port = match args.get("port").parse::<u16>() {
        Ok(0) => 30000 + (io.sys.pid % 30000) as u16,
        Ok(port) => port,
        Err(_) => 8001,
    };
    let place = format!("{}:{port}", args.get("address"));
    let (call, refused) = listen(io, &place)?;
    if let Some(why) = refused {
        return fail(format!("listen tcp {place}: bind: {why}"));
    }
    io.line(format!("Starting to serve on {place}"));
    io.resume(Value::Null);
    loop {
        io.keep(Value::Null);
        let Heard::Frame(_, Frame::Event(event)) = io.hear(&[call], false, None)? else { continue };
        let (path, query) = event["path"].str().split_once('?').unwrap_or((event["path"].str(), ""));
        let into = |end: &str| path.starts_with("/api/") && path.contains("/pods/") && path.ends_with(end);
        if into("/exec") || into("/attach") {
            answer(io, call, &event, 403, "text/plain", "Forbidden\n");
            continue;
        }
        let mut request = io.request(Method::Get, path.to_string());
        for (key, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            request.query.push((key.into(), value.into()));
        }
        let response = io.send(request)?;
        let text = match &response.body {
            Body::Value(value) => ordered::json(value, Some(2)),
            body => logs::text_of(body),
        };
        answer(io, call, &event, response.code, &response.content_type, &text);
    }
}
