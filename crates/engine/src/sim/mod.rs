//! One agenda of what is due on a virtual clock, and what a component gets while it acts.
//!
//! A component is woken, reads, and asks: for a wake of its own later, or for a request to be sent through a door.
//! It never calls another component. Latencies stand in one table (`Weather`).

mod agenda;
mod weather;

pub use agenda::{Agenda, Due};
pub use weather::Weather;

use crate::base::http::Request;
use crate::base::{Chance, Span, Time};
use crate::trace::{Actor, Seq, Trace, What};

/// What a component asks for; `W` is its own closed list of tokens.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask<W> {
    /// Wake me.
    Wake(W),
    /// Send this request; it commits at the time it is due. With a token the answer comes back under it.
    Call(Box<Request>, Option<W>),
}

/// What a component gets while it acts.
pub struct Cx<'a, W> {
    pub now: Time,
    pub actor: Actor,
    /// The entry that woke the component: the cause of whatever it does now.
    pub cause: Seq,
    pub chance: &'a mut Chance,
    pub trace: &'a mut Trace,
    pub weather: &'a Weather,
    pub outbox: &'a mut Vec<Asked<W>>,
}

/// An ask with its time and cause, and who asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked<W> {
    pub at: Time,
    pub cause: Seq,
    pub actor: Actor,
    pub ask: Ask<W>,
}

impl<W> Cx<'_, W> {
    pub fn wake_at(&mut self, at: Time, token: W) {
        let at = at.max(self.now);
        self.ask(at, Ask::Wake(token));
    }

    pub fn wake_after(&mut self, span: Span, token: W) {
        self.wake_at(self.now + span, token);
    }

    /// Sends a request that commits after the usual latency of a write (or read).
    pub fn call(&mut self, request: Request, token: Option<W>) {
        let latency = match request.method {
            crate::base::http::Method::Get | crate::base::http::Method::Head => self.weather.read,
            _ => self.weather.write,
        };
        self.call_after(latency, request, token);
    }

    pub fn call_after(&mut self, span: Span, request: Request, token: Option<W>) {
        self.ask(self.now + span, Ask::Call(Box::new(request), token));
    }

    fn ask(&mut self, at: Time, ask: Ask<W>) {
        self.outbox.push(Asked { at, cause: self.cause, actor: self.actor, ask });
    }

    /// Writes an entry caused by what woke the component.
    pub fn record(&mut self, what: What) -> Seq {
        self.trace.push(self.now, self.actor, self.cause, what)
    }
}
