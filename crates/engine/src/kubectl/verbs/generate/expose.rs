//! `kubectl expose`: a Service for what runs.

use super::*;

pub fn expose(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let dry_run = args.dry_run()?;
    let mapper = Mapper::discover(io)?;
    let (found, failures) = select::fetch(&args.without("selector"), io, &mapper, Rules::default())?;
    select::finish(failures)?;
    for item in found {
        let object = &item.object;
        let (selector, template) = match item.mapping.kind.as_str() {
            "Pod" => (object.at(&["metadata", "labels"]).clone(), object["spec"].clone()),
            "Service" => (object.at(&["spec", "selector"]).clone(), Value::Null),
            "ReplicationController" => {
                (object.at(&["spec", "selector"]).clone(), object.at(&["spec", "template", "spec"]).clone())
            }
            "Deployment" | "ReplicaSet" => (
                object.at(&["spec", "selector", "matchLabels"]).clone(),
                object.at(&["spec", "template", "spec"]).clone(),
            ),
            kind => {
                return fail(format!(
                    "cannot expose a {}",
                    if item.mapping.group.is_empty() { kind.to_string() } else { item.mapping.qualified_kind() }
                ));
            }
        };
        let selector = match args.get("selector") {
            "" if selector.entries().is_empty() => {
                let why = match item.mapping.kind.as_str() {
                    "Service" => "the service has no pod selector set",
                    _ => "the pod has no labels and cannot be exposed",
                };
                return fail(format!("couldn't retrieve selectors via --selector flag or introspection: {why}"));
            }
            "" => selector,
            text => labelled(text)?,
        };
        let protocol = if args.get("protocol").is_empty() { "TCP" } else { args.get("protocol") };
        let target = args.get("target-port");
        let mut ports = Vec::new();
        if args.get("port").is_empty() {
            let known: Vec<Value> = if item.mapping.kind == "Service" {
                object.at(&["spec", "ports"]).items().to_vec()
            } else {
                template["containers"].items().iter().flat_map(|c| c["ports"].items().to_vec()).collect()
            };
            let many = known.len() > 1;
            for (index, port) in known.iter().enumerate() {
                let number = if port["port"].is_null() { port["containerPort"].clone() } else { port["port"].clone() };
                let own = if port["protocol"].str().is_empty() { "TCP" } else { port["protocol"].str() };
                let own = if args.get("protocol").is_empty() { own } else { protocol };
                let aim = if target.is_empty() { number.clone() } else { number_or_text(target) };
                let mut entry = map! { "port" => number, "protocol" => own, "targetPort" => aim };
                if many {
                    entry.set(&["name"], format!("port-{}", index + 1));
                }
                ports.push(entry);
            }
        } else {
            let given: Vec<&str> = args.get("port").split(',').collect();
            let many = given.len() > 1;
            for (index, text) in given.into_iter().enumerate() {
                let Ok(port) = text.parse::<u16>() else {
                    return fail(format!("strconv.Atoi: parsing \"{text}\": invalid syntax"));
                };
                let aim = if target.is_empty() { Value::from(port) } else { number_or_text(target) };
                let mut entry = map! { "port" => port, "protocol" => protocol, "targetPort" => aim };
                if many {
                    entry.set(&["name"], format!("port-{}", index + 1));
                }
                ports.push(entry);
            }
        }
        if ports.is_empty() && args.get("cluster-ip") != "None" {
            return fail("couldn't find port via --port flag or introspection");
        }
        let name = if args.get("name").is_empty() { item.name() } else { args.get("name") };
        let mut meta = map! { "name" => name };
        let labels = match args.get("labels") {
            "" => object.at(&["metadata", "labels"]).clone(),
            text => labelled(text)?,
        };
        if !labels.entries().is_empty() {
            meta.set(&["labels"], labels);
        }
        if io.namespace_forced || dry_run != DryRun::Client {
            meta.set(&["namespace"], item.namespace());
        }
        let affinity = args.get("session-affinity");
        if !matches!(affinity, "" | "None" | "ClientIP") {
            return fail(format!("unknown session affinity: {affinity}"));
        }
        let mut spec = map! { "ports" => ports, "selector" => selector };
        for (flag, field) in [
            ("type", "type"),
            ("external-ip", "externalIPs"),
            ("load-balancer-ip", "loadBalancerIP"),
            ("session-affinity", "sessionAffinity"),
            ("cluster-ip", "clusterIP"),
        ] {
            let text = args.get(flag);
            if !text.is_empty() {
                spec.set(&[field], if field == "externalIPs" { list![text] } else { text.into() });
            }
        }
        let mut service = map! { "apiVersion" => "v1", "kind" => "Service", "metadata" => meta, "spec" => spec,
        "status" => map! { "loadBalancer" => map! {} } };
        if !args.get("overrides").is_empty()
            && let Ok(overrides) = crate::base::json::parse(args.get("overrides"))
        {
            service = crate::api::patch::merge(&service, &overrides);
        }
        create_and_say(args, io, &mapper, service, item.namespace(), dry_run, "exposed")?;
    }
    Ok(())
}

fn labelled(text: &str) -> Outcome<Value> {
    pairs(text).map_or_else(|| fail(format!("unexpected label spec: {text}")), |labels| Ok(labels.into()))
}
