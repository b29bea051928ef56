//! Pulls from the registry that `runtime` knows, step by step as the Engine tells them.

use super::images::{Local, familiar, other_platform};
use super::wire::{self, short};
use super::{Cx, Engine, Failed, Token};
use crate::base::http::{Frame, Request};
use crate::base::{Span, Value};
use crate::map;
use crate::runtime::{self, Image, Missing, Reference};

/// A pull on its way: who asked, what comes, and the steps done.
#[derive(Clone, Debug)]
pub struct Pull {
    pub number: u64,
    reference: Reference,
    found: Image,
    /// Asked for, or nothing.
    platform: String,
    step: usize,
}

impl Engine {
    /// Begins a pull; what cannot be pulled is said after the registry has been asked.
    pub(super) fn pull(&mut self, cx: &mut Cx<'_>, number: u64, request: &Request) {
        let (name, tag) = (request.query("fromImage"), request.query("tag"));
        let full = match tag {
            "" => name.to_string(),
            digest if digest.starts_with("sha256:") => format!("{name}@{digest}"),
            tag => format!("{name}:{tag}"),
        };
        let reference = match Reference::parse(&full) {
            Ok(reference) => reference,
            Err(error) => return self.refuse(number, (400, error)),
        };
        let platform = match request.query("platform") {
            "" => String::new(),
            text => match super::check::platform(text) {
                Ok(platform) => platform,
                Err(text) => return self.refuse(number, (400, text)),
            },
        };
        match runtime::find(&reference) {
            Ok(found) => {
                self.serial += 1;
                let ticket = self.serial;
                self.pulls.insert(ticket, Pull { number, reference, found, platform, step: 0 });
                // The manifest and the configuration are asked for one after the other.
                cx.wake_after(cx.weather.pull_overhead.times(1.8), Token::Pull(ticket));
            }
            Err(missing) => {
                if !matches!(missing, Missing::Refused | Missing::Timeout) {
                    self.gaps.extend(runtime::hole(&reference).map(|line| (line, "docker pull".into())));
                }
                let (after, failed) = why_missing(cx, missing, &reference);
                self.answer_after(cx, after, number, Err(failed));
            }
        }
    }

    pub(super) fn pull_step(&mut self, cx: &mut Cx<'_>, ticket: u64) {
        let Some(mut pull) = self.pulls.remove(&ticket) else { return };
        let local = Local::new(pull.found.clone());
        let layer = short(&local.layer).to_string();
        let number = pull.number;
        let id = |status: &str| map! { "status" => status, "progressDetail" => Value::empty_map(), "id" => &layer };
        let plain = |text: String| map! { "status" => text };
        let repository = familiar(&pull.reference.repository()).to_string();
        let name = match pull.reference.tag.as_str() {
            "" => format!("{repository}@{}", pull.reference.digest),
            tag => format!("{repository}:{tag}"),
        };
        let here = self.find_image(&name);
        let has_layer = self.images.iter().any(|image| image.layer == local.layer);
        let bytes = pull.found.size.max(1);
        let rate = cx.weather.pull_rate.max(1);
        let download = Span::seconds_f64(bytes as f64 / rate as f64);
        pull.step += 1;
        let end = |up_to_date: bool| {
            let status =
                if up_to_date { "Status: Image is up to date for" } else { "Status: Downloaded newer image for" };
            let mut lines = vec![plain(format!("Digest: {}", pull.found.digest)), plain(format!("{status} {name}"))];
            if !super::check::is_own_platform(&pull.platform) {
                lines.push(plain(format!("WARNING: {}", other_platform(&name, &pull.platform))));
            }
            lines
        };
        let (lines, next) = match pull.step {
            1 => {
                self.open_stream(number);
                let from = if pull.reference.tag.is_empty() { &pull.reference.digest } else { &pull.reference.tag };
                let mut lines =
                    vec![map! { "status" => format!("Pulling from {}", pull.reference.path), "id" => from.as_str() }];
                match (here.is_some(), has_layer) {
                    (true, _) => {
                        lines.extend(end(true));
                        (lines, None)
                    }
                    (_, true) => {
                        lines.push(id("Already exists"));
                        pull.step = 10;
                        (lines, Some(Span::millis(60)))
                    }
                    _ => {
                        lines.push(id("Pulling fs layer"));
                        (lines, Some(download.times(0.25)))
                    }
                }
            }
            2..=4 => {
                let part = bytes / 4 * (pull.step as u64 - 1);
                (vec![progress("Downloading", &layer, part, bytes)], Some(download.times(0.25)))
            }
            5 => (vec![id("Verifying Checksum"), id("Download complete")], Some(Span::millis(30))),
            6 => (vec![progress("Extracting", &layer, bytes / 2, bytes)], Some(download.times(0.3))),
            7 => (vec![progress("Extracting", &layer, bytes, bytes)], Some(Span::millis(50))),
            8 => {
                pull.step = 10;
                (vec![id("Pull complete")], Some(Span::millis(20)))
            }
            _ => {
                if here.is_none() {
                    self.images.push(local.clone());
                }
                self.event(cx, "image", "pull", &name, &[("name", repository.clone())]);
                (end(false), None)
            }
        };
        for line in lines {
            self.mail_frame(number, Frame::Data(1, format!("{}\n", wire::json(&line, None)).into_bytes()));
        }
        match next {
            Some(span) => {
                self.pulls.insert(ticket, pull);
                cx.wake_after(span, Token::Pull(ticket));
            }
            None => self.end_stream(number),
        }
    }
}

fn progress(status: &str, layer: &str, current: u64, total: u64) -> Value {
    let filled = (current * 50 / total.max(1)) as usize;
    let bar = if filled >= 50 { "=".repeat(50) } else { format!("{}>{}", "=".repeat(filled), " ".repeat(49 - filled)) };
    let text = format!("[{bar}]  {}/{}", wire::size(current as i64, 4), wire::size(total as i64, 4));
    let detail = map! { "current" => current as i64, "total" => total as i64 };
    map! { "status" => status, "progressDetail" => detail, "progress" => text, "id" => layer }
}

fn why_missing(cx: &Cx<'_>, missing: Missing, reference: &Reference) -> (Span, Failed) {
    let repository = reference.repository();
    let name = familiar(&repository);
    let (host, weather) = (&reference.host, cx.weather);
    match missing {
        Missing::Tag => {
            let full = if reference.tag.is_empty() {
                format!("{name}@{}", reference.digest)
            } else {
                format!("{name}:{}", reference.tag)
            };
            (
                weather.pull_not_found,
                (404, format!("manifest for {full} not found: manifest unknown: manifest unknown")),
            )
        }
        Missing::Denied => (
            weather.pull_not_found,
            (
                404,
                format!(
                    "pull access denied for {name}, repository does not exist or may require 'docker login': denied: requested access to the resource is denied"
                ),
            ),
        ),
        Missing::Token => {
            let text = format!("Head \"https://{host}/v2/{}/manifests/{}\": denied", reference.path, reference.tag);
            (weather.pull_not_found, (500, text))
        }
        Missing::NoHost => {
            let bare = host.split(':').next().unwrap_or_default();
            let text = format!("Get \"https://{host}/v2/\": dial tcp: lookup {bare}: no such host");
            (weather.pull_no_host, (500, text))
        }
        Missing::Refused => {
            let port = host.split_once(':').map_or("443", |(_, port)| port);
            let text = format!("Get \"http://{host}/v2/\": dial tcp 127.0.0.1:{port}: connect: connection refused");
            (weather.pull_refused, (500, text))
        }
        Missing::Timeout => {
            let text = format!(
                "Get \"https://{host}/v2/\": net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)"
            );
            (weather.pull_timeout, (500, text))
        }
    }
}
