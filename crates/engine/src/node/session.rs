//! Logs, exec and attach: what a kubelet answers, at once and as it goes on.

use crate::base::SmolStr;

use super::worker::{Seen, Slot, Worker};
use super::{Cx, Kubelet, Mail};
use crate::api::status::Status;
use crate::api::{NodeCall, NodeCallKind};
use crate::base::Time;
use crate::base::http::{Body, Frame, Request, Response};
use crate::map;
use crate::process::{Pid, Signal, Stream};
use crate::runtime::LogLine;

/// A stream that is open between a kubelet and somebody outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    pub node: u32,
    uid: SmolStr,
    container: SmolStr,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// `logs -f`: the container's id, the number of the next line, and how many bytes there may still be.
    Follow { id: String, next: u64, timestamps: bool, left: Option<usize> },
    /// The process `exec` started.
    Exec { pid: Pid, tty: bool },
    Attach {
        id: String,
        next: u64,
        /// How much of the unended line of each stream has been sent.
        sent: [usize; 2],
        tty: bool,
    },
}

pub fn no_node(call: &NodeCall) -> Response {
    let text = format!("pod {} does not have a host assigned", call.pod);
    Status::bad_request(text).response()
}

fn text_response(text: String, stream: Option<u64>) -> Response {
    Response { code: 200, warnings: Vec::new(), content_type: "text/plain".into(), body: Body::Text(text), stream }
}

fn upgraded(number: u64) -> Response {
    Response {
        code: 101,
        warnings: Vec::new(),
        content_type: SmolStr::default(),
        body: Body::None,
        stream: Some(number),
    }
}

/// kubectl prints it after `unable to upgrade connection: `.
fn not_upgraded(text: String) -> Status {
    Status::unexpected(text)
}

fn line_text(line: &LogLine, timestamps: bool) -> String {
    if timestamps {
        let at = line.at.rfc3339_micros();
        format!("{}000Z {}", at.trim_end_matches('Z'), line.text)
    } else {
        line.text.clone()
    }
}

impl Kubelet {
    /// Answers a call; a session when it goes on.
    pub(super) fn open(&mut self, cx: &mut Cx<'_>, number: u64, call: &NodeCall) -> (Option<Session>, Vec<Mail>) {
        let refused = |status: Status| (None, vec![Mail::Reply(status.response())]);
        let uid = call.uid.clone();
        let Some(mut worker) = self.workers.remove(&uid) else {
            let text = format!("pod \"{}_{}\" not found", call.pod, call.namespace);
            return refused(Status::bad_request(text));
        };
        let result = self.answer(cx, number, call, &mut worker);
        self.watch_programs(cx, &worker);
        self.gather(&mut worker);
        self.workers.insert(uid, worker);
        match result {
            Ok(done) => done,
            Err(status) => refused(status),
        }
    }

    fn answer(
        &mut self,
        cx: &mut Cx<'_>,
        number: u64,
        call: &NodeCall,
        w: &mut Worker,
    ) -> Result<(Option<Session>, Vec<Mail>), Status> {
        if let NodeCallKind::PortForward { port, request } = &call.kind {
            return Ok((None, vec![Mail::Reply(forward(cx, w, *port, request))]));
        }
        let waiting = shown_waiting(&w.status, &call.container);
        let Some(slot) = w.slots.iter_mut().find(|slot| slot.name == call.container) else {
            return Err(Status::bad_request(format!("container {} is not valid for pod {}", call.container, call.pod)));
        };
        let session = |kind: Kind| {
            Some(Session { node: self.index, uid: call.uid.clone(), container: call.container.clone(), kind })
        };
        match &call.kind {
            NodeCallKind::Logs { .. } => {
                let (text, follow) = logs(slot, call, &waiting)?;
                match follow {
                    Some(kind) => {
                        let mut mail = vec![Mail::Reply(text_response(String::new(), Some(number)))];
                        if !text.is_empty() {
                            mail.push(Mail::Frame(Frame::Data(1, text.into_bytes())));
                        }
                        Ok((session(kind), mail))
                    }
                    None => Ok((None, vec![Mail::Reply(text_response(text, None))])),
                }
            }
            NodeCallKind::Exec { command, stdin, tty, .. } => {
                let missing = || not_upgraded(format!("container not found (\"{}\")", call.container));
                let Some(container) = slot.container.as_mut().filter(|container| container.is_running()) else {
                    return Err(missing());
                };
                let pid = container.exec(command, *stdin, *tty).map_err(|text| {
                    let id = cx.chance.hex("exec id", 64);
                    Status::internal(&format!(
                        "Internal error occurred: error executing command in container: failed to exec in container: \
                         failed to start exec \"{id}\": {}",
                        super::sync::in_words_of_the_node(&text)
                    ))
                })?;
                container.run(cx.chance, cx.now);
                Ok((session(Kind::Exec { pid, tty: *tty }), vec![Mail::Reply(upgraded(number))]))
            }
            NodeCallKind::Attach { tty, .. } => {
                let Some(container) = slot.container.as_ref().filter(|container| container.is_running()) else {
                    return Err(not_upgraded(format!(
                        "container {} not found in pod {}_{}",
                        call.container, call.pod, call.namespace
                    )));
                };
                // A shell at a terminal draws its prompt anew when kubectl tells the terminal's size.
                let unended = |stream| if *tty { 0 } else { container.log.unended(stream).len() };
                let sent = [unended(Stream::Out), unended(Stream::Err)];
                let kind =
                    Kind::Attach { id: container.id.clone(), next: container.log.next_number(), sent, tty: *tty };
                Ok((session(kind), vec![Mail::Reply(upgraded(number))]))
            }
            NodeCallKind::PortForward { .. } => Ok((None, Vec::new())),
        }
    }

    pub(super) fn feed(&mut self, cx: &mut Cx<'_>, session: &Session, frame: &Frame) {
        let uid = session.uid.clone();
        self.with(&uid, |it, w| {
            let Some(container) = slot_of(w, session).and_then(|slot| slot.container.as_mut()) else { return };
            let (pid, tty) = match session.kind {
                Kind::Exec { pid, tty } => (Some(pid), tty),
                Kind::Attach { tty, .. } => (None, tty),
                Kind::Follow { .. } => return,
            };
            match frame {
                Frame::Data(_, bytes) if tty => container.type_keys(pid, bytes),
                Frame::Data(_, bytes) => container.feed(pid, bytes),
                Frame::End => container.close_input(pid),
                Frame::Event(_) => {}
            }
            container.run(cx.chance, cx.now);
            it.watch_programs(cx, w);
        });
    }

    /// The other side is gone: a command it started ends.
    pub(super) fn hang_up(&mut self, session: &Session) {
        let uid = session.uid.clone();
        self.with(&uid, |_, w| {
            if let (Kind::Exec { pid, .. }, Some(container)) =
                (&session.kind, slot_of(w, session).and_then(|slot| slot.container.as_mut()))
            {
                container.signal_process(*pid, Signal::Hup);
            }
        });
    }

    /// What the session has to send now, and whether it is over.
    pub(super) fn collect(&mut self, session: &mut Session, _now: Time) -> (Vec<Frame>, bool) {
        let Some(w) = self.workers.get_mut(&session.uid) else { return (Vec::new(), true) };
        let name = session.container.clone();
        let Some(slot) = w.slots.iter_mut().find(|slot| slot.name == name) else { return (Vec::new(), true) };
        match &mut session.kind {
            Kind::Exec { pid, .. } => collect_exec(slot, *pid),
            Kind::Follow { id, next, timestamps, left } => {
                let (mut frames, ended) = collect_log(slot, id, next, *timestamps, None);
                let Some(left) = left else { return (frames, ended) };
                for frame in &mut frames {
                    if let Frame::Data(_, bytes) = frame {
                        bytes.truncate(*left);
                        *left -= bytes.len();
                    }
                }
                (frames, ended || *left == 0)
            }
            Kind::Attach { id, next, sent, .. } => collect_log(slot, id, next, false, Some(sent)),
        }
    }
}

/// Asks who listens at a port inside the pod.
fn forward(cx: &mut Cx<'_>, w: &mut Worker, port: u16, request: &Request) -> Response {
    let mut running = w.slots.iter_mut().filter_map(|slot| slot.container.as_mut()).filter(|c| c.is_running());
    if let Some(container) = running.find(|container| crate::runtime::listens(container, port)) {
        let response = crate::runtime::respond(container, cx.now, port, request, "127.0.0.1");
        // The server's name is told by way of warnings, which here would be the API server's.
        return Response { warnings: Vec::new(), ..response };
    }
    let (sandbox, network) = (cx.chance.hex("sandbox id", 64), cx.chance.uuid("network namespace"));
    Response::failed(&format!(
        "error forwarding port {port} to pod {sandbox}, uid : failed to execute portforward in network namespace \
         \"/var/run/netns/cni-{network}\": failed to connect to localhost:{port} inside namespace \"{sandbox}\", IPv4: \
         dial tcp4 127.0.0.1:{port}: connect: connection refused IPv6 dial tcp6: address localhost: no suitable address \
         found "
    ))
}

fn slot_of<'a>(w: &'a mut Worker, session: &Session) -> Option<&'a mut Slot> {
    w.slots.iter_mut().find(|slot| slot.name == session.container)
}

fn collect_exec(slot: &mut Slot, pid: Pid) -> (Vec<Frame>, bool) {
    let Some(container) = slot.container.as_mut() else { return (Vec::new(), true) };
    let mut frames: Vec<Frame> = container
        .take_output_of(pid)
        .into_iter()
        .map(|output| Frame::Data(if output.stream == Stream::Err { 2 } else { 1 }, output.bytes))
        .collect();
    let code = match container.take_exit_of(pid) {
        Some(exit) => exit.code,
        // The container's end takes its commands along.
        None if !container.is_running() => 137,
        None => return (frames, false),
    };
    frames.push(Frame::Data(3, crate::base::json::compact(&closing(code)).into_bytes()));
    (frames, true)
}

/// The Status that closes exec and attach.
fn closing(code: i32) -> crate::base::Value {
    if code == 0 {
        return map! { "metadata" => map! {}, "status" => "Success" };
    }
    map! {
        "metadata" => map! {}, "status" => "Failure", "reason" => "NonZeroExitCode",
        "message" => format!("command terminated with non-zero exit code: exit status {code}"),
        "details" => map! {
            "causes" => crate::list![map! { "reason" => "ExitCode", "message" => code.to_string() }],
        },
    }
}

fn collect_log(
    slot: &mut Slot,
    id: &str,
    next: &mut u64,
    timestamps: bool,
    mut attached: Option<&mut [usize; 2]>,
) -> (Vec<Frame>, bool) {
    let container = [&slot.container, &slot.previous].into_iter().flatten().find(|container| container.id == id);
    let Some(container) = container else { return (Vec::new(), true) };
    let skip = next.saturating_sub(container.log.dropped);
    let mut frames = Vec::new();
    for line in container.log.lines.iter().skip(usize::try_from(skip).unwrap_or(usize::MAX)) {
        let mut bytes = line_text(line, timestamps).into_bytes();
        let mut channel = 1;
        if let Some(sent) = attached.as_deref_mut() {
            channel = if line.stream == Stream::Err { 2 } else { 1 };
            // What went before the line's end has been sent as it came.
            let before = std::mem::take(&mut sent[channel as usize - 1]);
            bytes.drain(..before.min(bytes.len()));
        }
        frames.push(Frame::Data(channel, bytes));
    }
    *next = container.log.next_number();
    if let Some(sent) = attached.as_deref_mut() {
        for (at, stream) in [Stream::Out, Stream::Err].into_iter().enumerate() {
            let bytes = container.log.unended(stream).as_bytes();
            if let Some(rest) = bytes.get(sent[at]..).filter(|rest| !rest.is_empty()) {
                frames.push(Frame::Data(at as u8 + 1, rest.to_vec()));
            }
            sent[at] = bytes.len();
        }
    }
    let Some((_, exit)) = container.exit else { return (frames, false) };
    if attached.is_some() {
        frames.push(Frame::Data(3, crate::base::json::compact(&closing(exit.code)).into_bytes()));
    }
    (frames, true)
}

/// Why a container waits, as the status last written says.
fn shown_waiting(status: &crate::base::Value, container: &str) -> SmolStr {
    let lists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];
    let mut all = lists.iter().flat_map(|list| status[*list].items());
    let found = all.find(|one| one["name"].str() == container);
    found.map(|one| one.at(&["state", "waiting", "reason"]).smol()).unwrap_or_default()
}

/// The log a call asks for, and how to go on when it follows.
fn logs(slot: &Slot, call: &NodeCall, waiting: &str) -> Result<(String, Option<Kind>), Status> {
    let NodeCallKind::Logs { follow, previous, tail, since, timestamps, limit_bytes } = &call.kind else {
        return Ok((String::new(), None));
    };
    let ended = matches!(slot.seen, Seen::Ended(_));
    // What the node has found out since its last status does not count.
    let waits = !waiting.is_empty();
    let chosen = if *previous && ended && waits {
        // What waits has its last end told as its last state.
        slot.container.as_ref()
    } else if *previous {
        slot.previous.as_ref()
    } else {
        slot.container.as_ref().or(slot.previous.as_ref())
    };
    let Some(container) = chosen else {
        if *previous {
            let text =
                format!("previous terminated container \"{}\" in pod \"{}\" not found", call.container, call.pod);
            return Err(Status::bad_request(text));
        }
        if slot.made.is_some() {
            return Ok((String::new(), None));
        }
        let reason = match slot.waiting.as_ref().map(|(reason, _)| reason.as_str()) {
            Some("ImagePullBackOff") => "trying and failing to pull image",
            Some("ErrImagePull") => "image can't be pulled",
            Some(reason) => reason,
            None if waiting.is_empty() => "ContainerCreating",
            None => waiting,
        };
        return Err(Status::bad_request(format!(
            "container \"{}\" in pod \"{}\" is waiting to start: {reason}",
            call.container, call.pod
        )));
    };
    if *previous && ended && !waits {
        // The node keeps one dead container: the one before it is gone soon after.
        return Ok((format!("unable to retrieve container logs for containerd://{}", container.id), None));
    }
    let lines: Vec<&LogLine> =
        container.log.lines.iter().filter(|line| since.is_none_or(|since| line.at >= since)).collect();
    let keep = tail.map_or(lines.len(), |tail| usize::try_from(tail).unwrap_or(usize::MAX));
    let start = lines.len().saturating_sub(keep);
    let mut text: String = lines.iter().skip(start).map(|line| line_text(line, *timestamps)).collect();
    if let Some(limit) = limit_bytes.and_then(|limit| usize::try_from(limit).ok())
        && text.len() > limit
    {
        let end = (0..=limit).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
    }
    let left = limit_bytes.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX).saturating_sub(text.len()));
    let goes_on = *follow && container.is_running() && left != Some(0);
    let kind = goes_on.then(|| Kind::Follow {
        id: container.id.clone(),
        next: container.log.next_number(),
        timestamps: *timestamps,
        left,
    });
    Ok((text, kind))
}
