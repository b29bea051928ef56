//! Ports that programs of the workstation listen at (`kubectl port-forward`, `kubectl proxy`), reached from other
//! programs of the workstation.
//!
//! A program listens by a call to the host `listen:127.0.0.1:8080`. Each connection comes to it as a frame (number,
//! method, path, agent); it answers with a frame of its own (number, code, type, text), which goes back to who asked.

use crate::base::SmolStr;

use crate::base::Value;
use crate::base::http::{Body, Frame, Method, Request, Response};
use crate::map;
use crate::process::Call;

#[derive(Clone, Default)]
pub struct Listeners {
    open: Vec<(SmolStr, Call)>,
    /// Who waits: the listener, and the call to be answered.
    waiting: Vec<(Call, Call)>,
}

/// What goes to a program without leaving the machine.
pub enum Local {
    Reply(Response),
    Frame(Frame),
}

impl Listeners {
    /// Takes a call that stays on the machine; false when it was taken.
    pub fn take(&mut self, call: Call, request: &Request, out: &mut Vec<(Call, Local)>) -> bool {
        if let Some(address) = request.host.strip_prefix("listen:") {
            let mut response = Response::text(200, String::new());
            if !address.starts_with("127.") && !address.starts_with("0.0.0.0:") {
                response = Response::failed("cannot assign requested address");
            } else if self.at(address).is_some() {
                response = Response::failed("address already in use");
            } else {
                response.stream = Some(0);
                self.open.push((address.into(), call));
            }
            out.push((call, Local::Reply(response)));
            return false;
        }
        let Some(listener) = self.at(&request.host) else { return true };
        self.waiting.push((listener, call));
        let method = if request.method == Method::Head { "HEAD" } else { "GET" };
        let event = map! {
            "number" => i64::try_from(call).unwrap_or_default(), "method" => method, "path" => request.path.as_str(),
            "agent" => request.agent.as_str(),
        };
        out.push((listener, Local::Frame(Frame::Event(event))));
        false
    }

    /// A listener's answer to a connection; false when it was one.
    pub fn answer(&mut self, from: Call, frame: &Frame, out: &mut Vec<(Call, Local)>) -> bool {
        if !self.open.iter().any(|(_, call)| *call == from) {
            return true;
        }
        let Frame::Event(event) = frame else { return false };
        let found = self.waiting.iter().position(|(_, call)| i64::try_from(*call).ok() == event["number"].as_int());
        let Some(index) = found else { return false };
        let (_, call) = self.waiting.remove(index);
        let code = event["code"].as_int().and_then(|code| u16::try_from(code).ok()).unwrap_or_default();
        let mut response = Response::new(code, Value::Null);
        response.content_type = event["type"].smol();
        response.body = Body::Text(event["text"].str().into());
        out.push((call, Local::Reply(response)));
        false
    }

    /// The listener is gone; false when it was one.
    pub fn close(&mut self, gone: Call, out: &mut Vec<(Call, Local)>) -> bool {
        self.waiting.retain(|(_, call)| *call != gone);
        if !self.open.iter().any(|(_, call)| *call == gone) {
            return true;
        }
        self.open.retain(|(_, call)| *call != gone);
        for (_, call) in self.waiting.extract_if(.., |(listener, _)| *listener == gone) {
            out.push((call, Local::Reply(Response::failed("Empty reply"))));
        }
        false
    }

    fn at(&self, address: &str) -> Option<Call> {
        let port = address.rsplit_once(':').map_or("", |(_, port)| port);
        let any = format!("0.0.0.0:{port}");
        let local = address.starts_with("127.") || address.starts_with("0.0.0.0:");
        let fits = |open: &str| {
            open == address || (local && (open == any || (address == any && open.ends_with(&format!(":{port}")))))
        };
        self.open.iter().find(|(open, _)| fits(open)).map(|(_, call)| *call)
    }
}
