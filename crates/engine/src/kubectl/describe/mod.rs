//! `kubectl describe`: what is known about an object, laid out for people, with its events.
//!
//! Kinds without a page of their own are shown field by field. Left out: the page of certificate requests (it gets the
//! general one).

mod cluster;
mod generic;
mod network;
mod pod;
mod workload;

use super::args::Args;
use super::io::{Failure, Io, Outcome, fail};
use super::manifest;
use super::mapper::{Mapper, Mapping};
use super::select::{self, Found, Rules};
use super::verbs::info;
use crate::base::columns::{self, DESCRIBE};
use crate::base::quantity::Quantity;
use crate::base::{Time, Value};

/// A text in the making; cells end with tabs.
#[derive(Clone, Debug, Default)]
pub struct Page {
    pub text: String,
}

impl Page {
    /// One line, indented by 2 blanks per level.
    pub fn put(&mut self, level: usize, line: impl AsRef<str>) {
        self.text.extend(std::iter::repeat_n("  ", level));
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// What most pages begin with.
    pub fn head(&mut self, meta: &Value) {
        self.put(0, format!("Name:\t{}", meta["name"].str()));
        self.labels("Labels", &meta["labels"]);
        self.annotations(&meta["annotations"]);
    }

    /// `Title:` and pairs, one per line.
    pub fn labels(&mut self, title: &str, labels: &Value) {
        self.pairs(0, title, labels, "=");
    }

    pub fn pairs(&mut self, level: usize, title: &str, map: &Value, between: &str) {
        let pairs: Vec<String> = map.entries().iter().map(|(k, v)| format!("{k}{between}{}", v.str())).collect();
        if pairs.is_empty() {
            self.put(level, format!("{title}:\t<none>"));
        }
        for (index, pair) in pairs.iter().enumerate() {
            if index == 0 {
                self.put(level, format!("{title}:\t{pair}"));
            } else {
                self.put(level, format!("\t{pair}"));
            }
        }
    }

    pub fn annotations(&mut self, annotations: &Value) {
        self.annotations_at(0, annotations);
    }

    /// The indent is part of the title: lines that go on have only a tab.
    pub fn annotations_at(&mut self, level: usize, annotations: &Value) {
        let shown: Vec<(&str, &str)> = annotations
            .entries()
            .iter()
            .filter(|(key, _)| key.as_str() != super::verbs::LAST_APPLIED)
            .map(|(key, value)| (key.as_str(), value.str()))
            .collect();
        if shown.is_empty() {
            self.put(level, "Annotations:\t<none>");
        }
        for (index, (key, value)) in shown.into_iter().enumerate() {
            let (level, lead) = if index == 0 { (level, "Annotations:") } else { (0, "") };
            let value = value.strip_suffix('\n').unwrap_or(value);
            if value.len() + key.len() + 2 < 140 && !value.contains('\n') {
                self.put(level, format!("{lead}\t{key}: {value}"));
                continue;
            }
            self.put(level, format!("{lead}\t{key}:"));
            for line in value.split('\n') {
                let short: String = line.chars().take(138).collect();
                let more = if short.len() < line.len() { "..." } else { "" };
                self.put(0, format!("\t  {short}{more}"));
            }
        }
    }
}

/// RFC 1123 with zone, as describe prints times.
pub fn date(text: &str) -> String {
    let Some(at) = Time::parse(text) else { return "Mon, 01 Jan 0001 00:00:00 +0000".into() };
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    let (year, _, day, hour, minute, second) = at.civil();
    let weekday = days.get(at.weekday() as usize).copied().unwrap_or("Sun");
    let month = at.month_name();
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} +0000")
}

pub fn amount(value: &Value) -> String {
    match value {
        Value::Text(text) => match Quantity::parse(text) {
            Ok(quantity) => quantity.canonical(),
            Err(_) => text.to_string(),
        },
        other => crate::base::goquote::plain(other),
    }
}

pub fn list_or_none(items: &[String]) -> String {
    if items.is_empty() { "<none>".into() } else { items.join(",") }
}

pub fn describe(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if args.words.is_empty() && !manifest::given(args) {
        return fail(
            "You must specify the type of resource to describe. Use \"kubectl api-resources\" for a complete list of \
             supported resources.",
        );
    }
    let mapper = Mapper::discover(io)?;
    let (mut found, mut failures) = select::fetch(args, io, &mapper, Rules { whole_types: true })?;
    let missing = found.is_empty() && !failures.is_empty();
    if missing && args.words.len() == 2 && !manifest::given(args) {
        let (matched, errors) = by_prefix(args, io, &mapper)?;
        if !matched.is_empty() {
            found = matched;
            failures = errors;
            for item in &found {
                let text = page(args, io, &mapper, item, true)?;
                io.out(text);
                io.out("\n\n");
            }
            return select::finish(failures);
        }
    }
    if found.is_empty() && failures.is_empty() {
        let namespace = io.namespace.clone();
        let namespaced = args.words.first().and_then(|word| mapper.look(word)).is_none_or(|m| m.namespaced);
        if args.is("all-namespaces") || !namespaced {
            io.err("No resources found\n");
        } else {
            io.err(format!("No resources found in {namespace} namespace.\n"));
        }
        return Ok(());
    }
    let events = if args.changed("show-events") { args.is("show-events") } else { found.len() == 1 };
    for (index, item) in found.iter().enumerate() {
        let text = page(args, io, &mapper, item, events)?;
        if index > 0 {
            io.out("\n\n");
        }
        io.out(text);
    }
    select::finish(failures)
}

fn by_prefix(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper) -> Outcome<(Vec<Found>, Vec<Failure>)> {
    let (Some(kind), Some(prefix)) = (args.words.first(), args.words.get(1)) else {
        return Ok((Vec::new(), Vec::new()));
    };
    let Some(mapping) = mapper.look(kind) else { return Ok((Vec::new(), Vec::new())) };
    let namespace = io.namespace.clone();
    let objects = select::list(io, mapping, &namespace, "", "")?.unwrap_or_default();
    let matched = objects
        .into_iter()
        .filter(|object| object.at(&["metadata", "name"]).str().starts_with(prefix.as_str()))
        .map(|object| Found { mapping: mapping.clone(), object, source: None });
    Ok((matched.collect(), Vec::new()))
}

/// The whole page of one object, laid out.
fn page(args: &Args, io: &mut Io<'_, '_>, mapper: &Mapper, item: &Found, with_events: bool) -> Outcome<String> {
    let _ = args;
    let mut page = Page::default();
    let object = &item.object;
    let group = item.mapping.group.as_str();
    let mut events = with_events;
    match (group, item.mapping.kind.as_str()) {
        ("", "Pod") => pod::pod(&mut page, object, io.now()),
        ("apps", "Deployment") => workload::deployment(&mut page, io, mapper, item)?,
        ("apps", "ReplicaSet") | ("", "ReplicationController") => workload::replica_set(&mut page, io, mapper, item)?,
        ("apps", "DaemonSet") => workload::daemon_set(&mut page, io, mapper, item)?,
        ("apps", "StatefulSet") => workload::stateful_set(&mut page, io, mapper, item)?,
        ("batch", "Job") => workload::job(&mut page, object),
        ("batch", "CronJob") => workload::cron_job(&mut page, object),
        ("", "Service") => generic::service(&mut page, io, mapper, object)?,
        ("", "ConfigMap") => generic::config_map(&mut page, object),
        ("", "Secret") => {
            generic::secret(&mut page, object);
            events = false;
        }
        ("", "Namespace") => {
            generic::namespace(&mut page, io, mapper, object)?;
            events = false;
        }
        ("", "Node") => generic::node(&mut page, io, mapper, object)?,
        ("", "ServiceAccount") => generic::service_account(&mut page, object),
        ("", "Endpoints") => network::endpoints(&mut page, object),
        ("discovery.k8s.io", "EndpointSlice") => network::endpoint_slice(&mut page, object),
        ("networking.k8s.io", "Ingress") => network::ingress(&mut page, io, mapper, object)?,
        ("networking.k8s.io", "IPAddress") => network::ip_address(&mut page, object),
        ("networking.k8s.io", "ServiceCIDR") => network::service_cidr(&mut page, object),
        ("storage.k8s.io", "VolumeAttributesClass") => cluster::volume_attributes_class(&mut page, object),
        ("networking.k8s.io", "IngressClass") => network::ingress_class(&mut page, object),
        ("networking.k8s.io", "NetworkPolicy") => {
            network::policy(&mut page, object);
            events = false;
        }
        ("", "PersistentVolumeClaim") => cluster::claim(&mut page, io, mapper, object)?,
        ("", "PersistentVolume") => cluster::volume(&mut page, io, object),
        ("storage.k8s.io", "StorageClass") => cluster::storage_class(&mut page, object),
        ("storage.k8s.io", "CSINode") => cluster::csi_node(&mut page, object),
        ("scheduling.k8s.io", "PriorityClass") => cluster::priority_class(&mut page, object),
        ("", "ResourceQuota") => {
            cluster::quota(&mut page, object);
            events = false;
        }
        ("", "LimitRange") => {
            cluster::limit_range(&mut page, object);
            events = false;
        }
        ("policy", "PodDisruptionBudget") => cluster::disruption_budget(&mut page, object),
        ("autoscaling", "HorizontalPodAutoscaler") => cluster::autoscaler(&mut page, object),
        ("rbac.authorization.k8s.io", "Role" | "ClusterRole") => {
            cluster::role(&mut page, object);
            events = false;
        }
        ("rbac.authorization.k8s.io", "RoleBinding" | "ClusterRoleBinding") => {
            cluster::role_binding(&mut page, object);
            events = false;
        }
        _ => generic::dump(&mut page, object),
    }
    if events {
        let list = events_of(io, mapper, &item.mapping, object)?;
        put_events(&mut page, &list, io.now());
    }
    Ok(columns::align(&page.text, DESCRIBE))
}

fn events_of(io: &mut Io<'_, '_>, mapper: &Mapper, mapping: &Mapping, object: &Value) -> Outcome<Vec<Value>> {
    let meta = &object["metadata"];
    let events = match mapper.look("events") {
        Some(events) => events.clone(),
        None => return Ok(Vec::new()),
    };
    let uid = if mapping.kind == "Node" { meta["name"].str() } else { meta["uid"].str() };
    let mut fields = format!("involvedObject.name={}", meta["name"].str());
    if !meta["namespace"].str().is_empty() {
        fields.push_str(&format!(",involvedObject.namespace={}", meta["namespace"].str()));
    }
    fields.push_str(&format!(",involvedObject.kind={}", mapping.kind));
    if mapping.kind != "Node" {
        fields.push_str(&format!(",involvedObject.uid={uid}"));
    }
    let namespace = meta["namespace"].str().to_string();
    Ok(select::list(io, &events, &namespace, "", &fields)?.unwrap_or_default())
}

fn put_events(page: &mut Page, events: &[Value], now: Time) {
    if events.is_empty() {
        page.put(0, "Events:\t<none>");
        return;
    }
    let mut sorted = events.to_vec();
    sorted.sort_by_key(|event| Time::parse(event["lastTimestamp"].str()).map_or(i64::MIN, |at| at.0));
    page.put(0, "Events:\n  Type\tReason\tAge\tFrom\tMessage");
    page.put(1, "----\t------\t----\t----\t-------");
    for event in sorted {
        let from = match event.at(&["source", "component"]).str() {
            "" => event["reportingComponent"].str(),
            component => component,
        };
        let path = event.at(&["involvedObject", "fieldPath"]).str();
        let path = if path.is_empty() { String::new() } else { format!("{path}: ") };
        page.put(
            1,
            format!(
                "{}\t{}\t{}\t{from}\t{path}{}",
                event["type"].str(),
                event["reason"].str(),
                info::age(&event, now),
                event["message"].str().trim()
            ),
        );
    }
}

/// A pod template with literal tabs, as `rollout history --revision` prints it.
pub fn template_unaligned(template: &Value) -> String {
    let mut page = Page::default();
    workload::template(&mut page, template);
    page.text
}
