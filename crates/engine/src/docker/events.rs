//! What has happened, for `GET /events`: kept for those who ask later, sent to those who listen.

use super::filter::Filters;
use super::{Cx, Engine, Outcome, Token, wire};
use crate::base::http::{Frame, Request};
use crate::base::{Time, Value};
use crate::map;

/// Events kept.
const MOST: usize = 256;

/// Somebody who listens.
#[derive(Clone, Debug)]
pub struct Listener {
    pub request: Request,
}

impl Engine {
    pub(super) fn event(&mut self, cx: &mut Cx<'_>, kind: &str, action: &str, id: &str, attributes: &[(&str, String)]) {
        let mut map = Value::empty_map();
        for (key, value) in attributes {
            map.set(&[key], value.as_str());
        }
        let mut event = map! {
            "Type" => kind, "Action" => action, "Actor" => map! { "ID" => id, "Attributes" => map.clone() },
            "scope" => "local", "time" => cx.now.as_seconds(), "timeNano" => cx.now.0.saturating_mul(1000),
        };
        if kind == "container" {
            event.set(&["status"], action);
            event.set(&["id"], id);
            event.set(&["from"], &map["image"]);
        } else if kind == "image" {
            event.set(&["status"], action);
            event.set(&["id"], id);
        }
        cx.record(crate::trace::What::Mark {
            kind: "docker".into(),
            text: format!("{kind} {action} {}", map["name"].str()),
        });
        let numbers: Vec<u64> =
            self.listeners.iter().filter(|(_, l)| fits(&l.request, &event)).map(|(number, _)| *number).collect();
        let line = format!("{}\n", wire::json(&event, None)).into_bytes();
        for number in numbers {
            self.mail_frame(number, Frame::Data(1, line.clone()));
        }
        self.events.push_back((cx.now, event));
        if self.events.len() > MOST {
            self.events.pop_front();
        }
    }

    /// An event of a container: its labels, image and name are among the attributes.
    pub(super) fn container_event(&mut self, cx: &mut Cx<'_>, id: &str, action: &str, more: &[(&str, String)]) {
        let Some(container) = self.containers.get(id) else { return };
        let mut attributes: Vec<(&str, String)> = more.to_vec();
        attributes.push(("image", container.config["Image"].str().into()));
        attributes.push(("name", container.name.clone()));
        let labels: Vec<(String, String)> =
            container.config["Labels"].entries().iter().map(|(k, v)| (k.to_string(), v.str().to_string())).collect();
        attributes.extend(labels.iter().map(|(key, value)| (key.as_str(), value.clone())));
        self.event(cx, "container", action, id, &attributes);
    }

    /// An event of an image: its labels are among the attributes.
    pub(super) fn image_event(&mut self, cx: &mut Cx<'_>, action: &str, id: &str, name: &str) {
        let labels = self.images.iter().find(|image| image.id == id).map(|image| image.config()["Labels"].clone());
        let labels: Vec<(String, String)> = labels
            .unwrap_or_default()
            .entries()
            .iter()
            .map(|(key, value)| (key.to_string(), value.str().to_string()))
            .collect();
        let mut attributes = vec![("name", name.to_string())];
        attributes.extend(labels.iter().map(|(key, value)| (key.as_str(), value.clone())));
        self.event(cx, "image", action, id, &attributes);
    }

    /// Volumes are mounted for a container, or no longer.
    pub(super) fn mount_events(&mut self, cx: &mut Cx<'_>, id: &str, mount: bool) {
        let Some(container) = self.containers.get(id) else { return };
        let volumes: Vec<(String, String, bool)> = container
            .mounts
            .iter()
            .filter(|mount| mount.kind == "volume")
            .map(|mount| (mount.source.clone(), mount.target.clone(), mount.read_only))
            .collect();
        for (name, target, read_only) in volumes {
            let mut attributes = vec![("container", id.to_string()), ("driver", "local".into())];
            if mount {
                attributes.push(("destination", target));
                attributes.push(("propagation", String::new()));
                attributes.push(("read/write", (!read_only).to_string()));
            }
            self.event(cx, "volume", if mount { "mount" } else { "unmount" }, &name, &attributes);
        }
    }

    /// What nobody used is gone.
    pub(super) fn prune_event(&mut self, cx: &mut Cx<'_>, kind: &str, bytes: i64) {
        self.event(cx, kind, "prune", "", &[("reclaimed", bytes.to_string())]);
    }

    /// Something was done to a container's files, for which its volumes are mounted.
    pub(super) fn files_event(&mut self, cx: &mut Cx<'_>, name: &str, action: &str) {
        let Ok(id) = self.container(name).map(|container| container.id.clone()) else { return };
        self.mount_events(cx, &id, true);
        if !action.is_empty() {
            self.container_event(cx, &id, action, &[]);
        }
        self.mount_events(cx, &id, false);
    }

    pub(super) fn listen(&mut self, cx: &mut Cx<'_>, number: u64, request: &Request) {
        if let Err(failed) = check(request) {
            return self.refuse(number, failed);
        }
        let at = |key: &str| point(request.query(key));
        let (since, until) = (at("since"), at("until"));
        self.open_stream(number);
        if let Some(since) = since {
            let past: Vec<Value> = self
                .events
                .iter()
                .filter(|(at, event)| *at >= since && until.is_none_or(|until| *at <= until) && fits(request, event))
                .map(|(_, event)| event.clone())
                .collect();
            for event in past {
                self.mail_frame(number, Frame::Data(1, format!("{}\n", wire::json(&event, None)).into_bytes()));
            }
        }
        match until {
            Some(until) if until <= cx.now => self.end_stream(number),
            until => {
                self.listeners.insert(number, Listener { request: request.clone() });
                if let Some(until) = until {
                    cx.wake_at(until, Token::EndEvents(number));
                }
            }
        }
    }
}

fn check(request: &Request) -> Outcome<()> {
    if let (Some(since), Some(until)) = (point(request.query("since")), point(request.query("until")))
        && until.0 != 0
        && since > until
    {
        let (since, until) = (since.as_seconds(), until.as_seconds());
        return super::fail(400, format!("`since` time ({since}) cannot be after `until` time ({until})"));
    }
    Ok(())
}

fn fits(request: &Request, event: &Value) -> bool {
    // Keys nobody knows are passed over.
    let filters = Filters::of_any_key(request);
    let (kind, action) = (event["Type"].str(), event["Action"].str());
    let actor = &event["Actor"];
    let (id, name) = (actor["ID"].str(), actor.at(&["Attributes", "name"]).str());
    let is = |wanted: &str| id.starts_with(wanted) || name == wanted;
    let image = || actor.at(&["Attributes", "image"]).str();
    let others = ["daemon", "node", "plugin", "service", "secret", "config"];
    filters.any("type", |wanted| wanted == kind)
        && filters.any("scope", |wanted| wanted == "local")
        && others.iter().all(|other| filters.any(other, |wanted| kind == *other && is(wanted)))
        && filters.any("event", |wanted| action == wanted || action.split(':').next() == Some(wanted))
        && filters.any("container", |wanted| kind == "container" && is(wanted))
        && filters.any("network", |wanted| kind == "network" && is(wanted))
        && filters.any("volume", |wanted| kind == "volume" && is(wanted))
        && filters.any("image", |wanted| match kind {
            "image" => is(wanted),
            _ => image() == wanted || image().split(':').next() == Some(wanted),
        })
        && filters.labels(&actor["Attributes"])
}

/// Seconds since 1970, with a fraction: the moments clients send.
pub fn point(text: &str) -> Option<Time> {
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
    let micros: i64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
    Some(Time(seconds.parse::<i64>().ok()?.checked_mul(1_000_000)?.checked_add(micros)?))
}
