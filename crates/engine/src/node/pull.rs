//! Image pulls: one at a time per node, with the runtime's error texts.

use std::collections::VecDeque;

use crate::base::SmolStr;

use super::{Cx, Kubelet, What};
use crate::base::{Span, Time};
use crate::informer::Caches;
use crate::runtime::{self, Image, Missing, Reference};

#[derive(Clone, Debug, Default)]
pub struct Queue {
    waiting: VecDeque<Pull>,
    running: bool,
}

#[derive(Clone, Debug)]
struct Pull {
    uid: SmolStr,
    slot: usize,
    reference: Reference,
    asked: Time,
    began: Time,
}

impl Queue {
    pub fn forget(&mut self, uid: &str) {
        let head = usize::from(self.running);
        let mut index = 0;
        self.waiting.retain(|pull| {
            index += 1;
            // The pull under way goes on; nobody waits for it any more.
            index <= head || pull.uid != uid
        });
    }
}

/// How a pull came out: the image with its two durations, or the error text.
pub type Pulled = Result<(Image, Span, Span), String>;

impl Kubelet {
    pub(super) fn pull(&mut self, cx: &mut Cx<'_>, uid: &SmolStr, slot: usize, reference: Reference) {
        self.pulls.waiting.push_back(Pull { uid: uid.clone(), slot, reference, asked: cx.now, began: cx.now });
        if !self.pulls.running {
            self.begin_pull(cx);
        }
    }

    fn begin_pull(&mut self, cx: &mut Cx<'_>) {
        let Some(pull) = self.pulls.waiting.front_mut() else { return };
        pull.began = cx.now;
        self.pulls.running = true;
        let full = pull.reference.full();
        let span = match runtime::find(&pull.reference) {
            Ok(_) if self.images.contains_key(&full) => cx.weather.pull_overhead,
            Ok(image) => {
                let rate = cx.weather.pull_rate.max(1);
                let micros = u128::from(image.size) * 1_000_000 / u128::from(rate);
                Span(cx.weather.pull_overhead.0.saturating_add(i64::try_from(micros).unwrap_or(i64::MAX / 4)))
            }
            Err(Missing::Tag | Missing::Denied | Missing::Token) => cx.weather.pull_not_found,
            Err(Missing::NoHost) => cx.weather.pull_no_host,
            Err(Missing::Refused) => cx.weather.pull_refused,
            Err(Missing::Timeout) => cx.weather.pull_timeout,
        };
        cx.wake_after(span, self.token(What::Pulled));
    }

    pub(super) fn pull_done(&mut self, cx: &mut Cx<'_>, see: &Caches) {
        self.pulls.running = false;
        let Some(pull) = self.pulls.waiting.pop_front() else { return };
        let result = match runtime::find(&pull.reference) {
            Ok(image) => {
                self.images.insert(pull.reference.full(), image.clone());
                self.heartbeat.images_changed = true;
                Ok((image, cx.now - pull.began, cx.now - pull.asked))
            }
            Err(missing) => {
                if !matches!(missing, Missing::Refused | Missing::Timeout) {
                    let who = format!("node {}", self.config.name);
                    self.gaps.extend(runtime::hole(&pull.reference).map(|line| (line, who)));
                }
                Err(self.pull_error(&pull.reference, missing))
            }
        };
        self.begin_pull(cx);
        self.with(&pull.uid, |it, w| it.pulled(cx, see, w, pull.slot, result));
    }

    fn pull_error(&self, reference: &Reference, missing: Missing) -> String {
        let full = reference.full();
        let resolve = match self.config.resolve_image_text {
            "failed to resolve reference" => format!("failed to resolve reference \"{full}\": "),
            other => format!("{other}: "),
        };
        let head = format!("failed to pull and unpack image \"{full}\": {resolve}");
        let host = match reference.host.as_str() {
            "docker.io" => "registry-1.docker.io",
            host => host,
        };
        let manifest = format!(
            "failed to do request: Head \"https://{host}/v2/{}/manifests/{}\": ",
            reference.path, reference.tag
        );
        match missing {
            Missing::Tag => format!("rpc error: code = NotFound desc = {head}{full}: not found"),
            Missing::Denied => format!(
                "{head}pull access denied, repository does not exist or may require authorization: server message: \
                 insufficient_scope: authorization failed"
            ),
            Missing::Token => {
                let scope = reference.path.replace('/', "%2F");
                format!(
                    "{head}failed to authorize: failed to fetch anonymous token: unexpected status from GET request to \
                     https://{host}/token?scope=repository%3A{scope}%3Apull&service={host}: 403 Forbidden"
                )
            }
            Missing::NoHost => {
                let plain = host.split(':').next().unwrap_or(host);
                format!("{head}{manifest}dial tcp: lookup {plain} on 172.18.0.1:53: no such host")
            }
            Missing::Refused => {
                let port = host.split_once(':').map_or("443", |(_, port)| port);
                format!("{head}{manifest}dial tcp 127.0.0.1:{port}: connect: connection refused")
            }
            Missing::Timeout => {
                let (ip, port) = host.split_once(':').unwrap_or((host, "443"));
                format!("rpc error: code = DeadlineExceeded desc = {head}{manifest}dial tcp {ip}:{port}: i/o timeout")
            }
        }
    }
}
