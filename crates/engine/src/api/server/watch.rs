//! Open watches: what each has seen, and the frames due to it.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::base::SmolStr;

use super::kinds::Resource;
use super::list::{Form, Selection};
use super::{Call, Result, Server};
use crate::api::status::Status;
use crate::api::table;
use crate::base::http::{Frame, Response};
use crate::base::{Span, Time, Value};
use crate::map;
use crate::store::Change;

/// How often a watch with bookmarks gets one.
const BOOKMARK_EVERY: Span = Span::seconds(60);

#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    resource: Arc<Resource>,
    namespace: SmolStr,
    selection: Selection,
    form: Form,
    /// Seen up to here.
    revision: u64,
    /// Frames due at once: initial events.
    pending: VecDeque<Frame>,
    /// Whether a Table with columns has been sent.
    columns_sent: bool,
    bookmarks: bool,
    next_bookmark: Time,
    until: Time,
}

impl Server {
    /// Opens a stream; its first frames come with the next `deliver`.
    pub(super) fn watch(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        self.check_list_options(call, true)?;
        let selection = self.selection(call)?;
        let request = call.request;
        let version = request.query("resourceVersion");
        let initial = request.query("sendInitialEvents") == "true";
        let bookmarks = request.query("allowWatchBookmarks") == "true";
        let from: u64 = version.parse().unwrap_or(0);
        let synthetic = initial || from == 0;
        if !synthetic && let Err(compacted) = self.store.since(from) {
            return Err(Status::too_old(from, compacted.oldest));
        }
        let seconds = match request.query("timeoutSeconds").parse::<i64>() {
            Ok(seconds) if seconds > 0 => seconds,
            _ => 1800 + call.cx.chance.below("watch timeout", 1800) as i64,
        };
        let now = call.cx.now;
        let mut stream = Stream {
            resource: call.target.resource.clone(),
            namespace: call.target.namespace.clone(),
            selection,
            form: Form::of(request),
            revision: if synthetic { self.store.revision() } else { from },
            pending: VecDeque::new(),
            columns_sent: false,
            bookmarks,
            next_bookmark: now + BOOKMARK_EVERY,
            until: now + Span::seconds(seconds),
        };
        if synthetic {
            let found: Vec<Value> = self.selected(call, &stream.selection).map(|(_, object)| object.clone()).collect();
            for object in found {
                let frame = stream.frame("ADDED", object, now);
                stream.pending.push_back(frame);
            }
            if initial && bookmarks {
                let mut mark = stream.bookmark();
                mark.set(&["metadata", "annotations", "k8s.io/initial-events-end"], "true");
                stream.pending.push_back(event("BOOKMARK", mark));
            }
        }
        let id = self.next_stream;
        self.next_stream += 1;
        self.streams.insert(id, stream);
        let mut response = Response::new(200, Value::Null);
        response.body = crate::base::http::Body::None;
        response.stream = Some(id);
        Ok(response)
    }

    /// Frames due to open streams when everything up to a revision has reached the watchers, and what time alone
    /// brings: bookmarks and the ends of streams. In the order of streams, each stream's in the order of revisions.
    pub fn deliver(&mut self, now: Time, revision: u64) -> Vec<(u64, Frame)> {
        let mut out = Vec::new();
        let mut ended = Vec::new();
        for (id, stream) in &mut self.streams {
            out.extend(stream.pending.drain(..).map(|frame| (*id, frame)));
            match self.store.since(stream.revision) {
                Ok(changes) => {
                    for change in changes.take_while(|change| change.revision <= revision) {
                        if let Some(frame) = stream.see(change, now) {
                            out.push((*id, frame));
                        }
                    }
                    stream.revision = stream.revision.max(revision);
                }
                Err(compacted) => {
                    let status = Status::too_old(stream.revision, compacted.oldest);
                    out.push((*id, event("ERROR", status.value())));
                    stream.until = now;
                }
            }
            if stream.bookmarks && (now >= stream.next_bookmark || now >= stream.until) {
                stream.next_bookmark = now + BOOKMARK_EVERY;
                out.push((*id, event("BOOKMARK", stream.bookmark())));
            }
            if now >= stream.until {
                out.push((*id, Frame::End));
                ended.push(*id);
            }
        }
        for id in ended {
            self.streams.remove(&id);
        }
        out
    }

    /// When `deliver` has something to do that no write causes.
    pub fn next_delivery(&self) -> Option<Time> {
        let due = |stream: &Stream| {
            if !stream.pending.is_empty() {
                return Time(0);
            }
            if stream.bookmarks { stream.until.min(stream.next_bookmark) } else { stream.until }
        };
        self.streams.values().map(due).min()
    }

    /// The client went away.
    pub fn close(&mut self, stream: u64) {
        self.streams.remove(&stream);
    }

    pub fn open_streams(&self) -> usize {
        self.streams.len()
    }
}

impl Stream {
    fn see(&mut self, change: &Change, now: Time) -> Option<Frame> {
        let here = change.key.resource == self.resource.store
            && (self.namespace.is_empty() || change.key.namespace == self.namespace);
        if !here {
            return None;
        }
        let takes = |object: &Value| !object.is_null() && self.selection.takes(&self.resource, object);
        let (before, after) = (takes(&change.before), takes(&change.after));
        let (kind, object) = match (before, after) {
            (false, false) => return None,
            (false, true) => ("ADDED", change.after.clone()),
            (true, true) => ("MODIFIED", change.after.clone()),
            (true, false) => {
                let mut gone = change.before.clone();
                gone.set(&["metadata", "resourceVersion"], change.revision.to_string());
                ("DELETED", gone)
            }
        };
        Some(self.frame(kind, object, now))
    }

    fn frame(&mut self, kind: &str, object: Value, now: Time) -> Frame {
        let object = self.resource.served(object);
        match self.form {
            Form::Object => event(kind, object),
            Form::Table(include) => {
                let first = !std::mem::replace(&mut self.columns_sent, true);
                event(
                    kind,
                    table::render_event((&self.resource.store, &self.resource.columns), &object, first, include, now),
                )
            }
        }
    }

    fn bookmark(&self) -> Value {
        map! {
            "kind" => &self.resource.kind, "apiVersion" => &self.resource.api_version,
            "metadata" => map! { "resourceVersion" => self.revision.to_string(), "creationTimestamp" => Value::Null },
        }
    }
}

fn event(kind: &str, object: Value) -> Frame {
    Frame::Event(map! { "type" => kind, "object" => object })
}
