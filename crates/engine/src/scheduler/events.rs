//! The scheduler's events: the newer kind, in which repetitions form a series. Written as core/v1 sees them.

use crate::base::BTreeMap;

use crate::base::{SmolStr, format_smolstr};

use crate::api::object;
use crate::api::resource::{Client, EVENTS, PatchKind};
use crate::base::Value;
use crate::informer::EventType;
use crate::map;
use crate::sim::Cx;

#[derive(Clone, Debug, Default)]
pub struct Events {
    /// By pod uid, resourceVersion and reason: name and count. Forgotten with the pod.
    series: BTreeMap<(SmolStr, SmolStr, &'static str), (SmolStr, i64)>,
    sent: i64,
    /// The machine it runs on.
    pub host: SmolStr,
}

/// Longest note the API takes.
const NOTE: usize = 1024;

impl Events {
    #[allow(clippy::too_many_arguments)]
    pub fn send<W>(
        &mut self,
        cx: &mut Cx<'_, W>,
        client: &Client,
        on: &Value,
        kind: EventType,
        reason: &'static str,
        action: &str,
        note: &str,
    ) {
        let namespace = object::namespace(on);
        let repeats = reason == "FailedScheduling";
        let key = (on["metadata"]["uid"].smol(), on["metadata"]["resourceVersion"].smol(), reason);
        if let Some((name, count)) = self.series.get_mut(&key).filter(|_| repeats) {
            *count += 1;
            // Later counts stay in memory.
            if *count == 2 {
                let series = map! { "count" => 2, "lastObservedTime" => cx.now.rfc3339_micros() };
                let body = map! { "series" => series };
                cx.call(client.patch(&EVENTS, namespace, name, "", PatchKind::Strategic, body), None);
            }
            return;
        }
        self.sent += 1;
        let stamp = cx.now.0.saturating_mul(1000).saturating_add(self.sent % 1000);
        let name = format_smolstr!("{}.{stamp:x}", object::name(on));
        let mut text = note.to_owned();
        if text.len() > NOTE {
            let end = (0..=NOTE - 4).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            text.truncate(end);
            text.push_str(" ...");
        }
        let about = on.get("metadata");
        let event = map! {
            "apiVersion" => "v1", "kind" => "Event",
            "metadata" => map! { "name" => &name, "namespace" => about.get("namespace") },
            "involvedObject" => map! {
                "apiVersion" => "v1", "kind" => "Pod", "name" => about.get("name"), "namespace" => about.get("namespace"),
                "uid" => about.get("uid"), "resourceVersion" => about.get("resourceVersion"),
            },
            "reason" => reason, "message" => text, "type" => kind.text(), "action" => action,
            "eventTime" => cx.now.rfc3339_micros(), "firstTimestamp" => Value::Null, "lastTimestamp" => Value::Null,
            "source" => Value::empty_map(),
            "reportingComponent" => "default-scheduler", "reportingInstance" => format!("default-scheduler-{}", self.host),
        };
        cx.call(client.create(&EVENTS, namespace, event), None);
        if repeats {
            self.series.insert(key, (name, 1));
        }
    }

    pub fn forget(&mut self, uid: &str) {
        let start = (SmolStr::new(uid), SmolStr::default(), "");
        let keys = self.series.range(start..).map(|(key, _)| key).take_while(|(known, _, _)| known == uid);
        for key in keys.cloned().collect::<Vec<_>>() {
            self.series.remove(&key);
        }
    }
}
