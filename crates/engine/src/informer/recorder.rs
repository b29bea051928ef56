//! The event recorder of client-go (tools/record): equal events become one with a count, many similar ones one
//! collecting event, and each object has 25 tokens per event type, one more every 5 minutes. What has no token is
//! counted, not sent.

use crate::base::BTreeMap;

use crate::base::SmolStr;

use crate::api::object;
use crate::api::resource::{Client, EVENTS, PatchKind};
use crate::base::{Span, Time, Value, format_smolstr};
use crate::map;
use crate::sim::Cx;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventType {
    Normal,
    Warning,
}

impl EventType {
    pub fn text(self) -> &'static str {
        match self {
            EventType::Normal => "Normal",
            EventType::Warning => "Warning",
        }
    }
}

/// From the tenth different message of one reason on, events are combined.
const SIMILAR: usize = 10;
const SIMILAR_WINDOW: Span = Span::seconds(600);
const BURST: f64 = 25.0;
const REFILL_SECONDS: f64 = 300.0;
/// Entries kept per cache (client-go keeps 4096).
const CACHE: usize = 4096;

#[derive(Clone, Debug, PartialEq)]
pub struct Recorder {
    /// `source.component`, and `source.host` for kubelets.
    component: SmolStr,
    host: SmolStr,
    seen: BTreeMap<EventKey, Seen>,
    similar: BTreeMap<EventKey, Similar>,
    tokens: BTreeMap<(SmolStr, EventType), Bucket>,
    /// Events of one component are sent one after another: when the last one is written.
    busy: Time,
}

/// (object uid or name, field path, type, reason, message); the message is empty for a collecting event.
type EventKey = (SmolStr, SmolStr, EventType, SmolStr, String);

#[derive(Clone, Debug, PartialEq)]
struct Seen {
    name: SmolStr,
    first: Time,
    count: i64,
    /// Whether the object behind the name was ever sent.
    sent: bool,
    at: Time,
}

#[derive(Clone, Debug, PartialEq)]
struct Similar {
    messages: Vec<String>,
    last: Time,
}

#[derive(Clone, Debug, PartialEq)]
struct Bucket {
    tokens: f64,
    at: Time,
}

impl Recorder {
    pub fn new(component: &str, host: &str) -> Recorder {
        Recorder {
            component: component.into(),
            host: host.into(),
            seen: BTreeMap::new(),
            similar: BTreeMap::new(),
            tokens: BTreeMap::new(),
            busy: Time::default(),
        }
    }

    /// Sends an event about `on` (a whole object with kind and apiVersion), or counts it.
    #[allow(clippy::too_many_arguments)]
    pub fn event<W>(
        &mut self,
        cx: &mut Cx<'_, W>,
        client: &Client,
        on: &Value,
        field_path: Option<&str>,
        kind: EventType,
        reason: &str,
        message: &str,
    ) {
        let now = cx.now;
        let object =
            format_smolstr!("{}/{}/{}/{}", on["kind"].str(), object::namespace(on), object::name(on), object::uid(on));
        let path = SmolStr::new(field_path.unwrap_or_default());
        let combined = self.is_combined(now, &object, kind, reason, message);
        let text = if combined { format!("(combined from similar events): {message}") } else { message.to_string() };
        let key = (
            object.clone(),
            path.clone(),
            kind,
            SmolStr::new(reason),
            if combined { String::new() } else { text.clone() },
        );
        let may_send = self.take_token(now, object, kind);
        trim(&mut self.seen, |seen| seen.at);
        let name = format_smolstr!(
            "{}.{:x}",
            object::name(on),
            now.0.saturating_mul(1000).saturating_add(self.seen.len() as i64)
        );
        let seen = self.seen.entry(key).or_insert(Seen { name, first: now, count: 0, sent: false, at: now });
        seen.count += 1;
        seen.at = now;
        if !may_send {
            return;
        }
        let namespace = match object::namespace(on) {
            "" => "default",
            namespace => namespace,
        };
        let mut involved = map! {
            "apiVersion" => on.get("apiVersion"), "kind" => on.get("kind"), "name" => on["metadata"].get("name"), "uid" => on["metadata"].get("uid"),
            "resourceVersion" => on.at(&["metadata", "resourceVersion"]),
        };
        if !object::namespace(on).is_empty() {
            involved.set(&["namespace"], object::namespace(on));
        }
        if !path.is_empty() {
            involved.set(&["fieldPath"], path);
        }
        let mut source = map! { "component" => &self.component };
        if !self.host.is_empty() {
            source.set(&["host"], &self.host);
        }
        let event = map! {
            "apiVersion" => "v1", "kind" => "Event",
            "metadata" => map! { "name" => &seen.name, "namespace" => namespace },
            "involvedObject" => involved, "reason" => reason, "message" => &text, "source" => source,
            "firstTimestamp" => seen.first.rfc3339(), "lastTimestamp" => now.rfc3339(), "count" => seen.count,
            "type" => kind.text(), "eventTime" => Value::Null,
            "reportingComponent" => if combined { SmolStr::default() } else { self.component.clone() },
            "reportingInstance" => &self.host,
        };
        let create = client.create(&EVENTS, namespace, event);
        let request = if std::mem::replace(&mut seen.sent, true) {
            let mut patch = map! { "count" => seen.count, "lastTimestamp" => now.rfc3339() };
            if combined {
                patch.set(&["message"], &text);
            }
            let mut patch = client.patch(&EVENTS, namespace, &seen.name, "", PatchKind::Strategic, patch);
            patch.instead = Some(Box::new(create));
            patch
        } else {
            create
        };
        self.busy = self.busy.max(now) + cx.weather.event;
        cx.call_after(self.busy - now, request, None);
    }

    fn is_combined(&mut self, now: Time, object: &SmolStr, kind: EventType, reason: &str, message: &str) -> bool {
        trim(&mut self.similar, |similar| similar.last);
        let key = (object.clone(), SmolStr::default(), kind, SmolStr::new(reason), String::new());
        let similar = self.similar.entry(key).or_insert(Similar { messages: Vec::new(), last: now });
        if now - similar.last > SIMILAR_WINDOW {
            similar.messages.clear();
        }
        similar.last = now;
        if similar.messages.len() < SIMILAR && !similar.messages.iter().any(|m| m == message) {
            similar.messages.push(message.to_string());
        }
        similar.messages.len() >= SIMILAR
    }

    fn take_token(&mut self, now: Time, object: SmolStr, kind: EventType) -> bool {
        trim(&mut self.tokens, |bucket| bucket.at);
        let bucket = self.tokens.entry((object, kind)).or_insert(Bucket { tokens: BURST, at: now });
        bucket.tokens = (bucket.tokens + (now - bucket.at).as_seconds_f64() / REFILL_SECONDS).min(BURST);
        bucket.at = now;
        if bucket.tokens < 1.0 {
            return false;
        }
        bucket.tokens -= 1.0;
        true
    }
}

/// Forgets the entry unused for longest when a cache is full.
fn trim<K: Ord + Clone, V>(cache: &mut BTreeMap<K, V>, at: impl Fn(&V) -> Time) {
    if cache.len() >= CACHE
        && let Some(oldest) = cache.iter().min_by_key(|(_, v)| at(v)).map(|(k, _)| k.clone())
    {
        cache.remove(&oldest);
    }
}
