//! What `-v` makes kubectl tell of its way (klog, client-go's transport): the file it was configured by, feature gates,
//! and each round trip. Left out: reads of discovery and of OpenAPI documents, which a real kubectl keeps in a cache;
//! of the answer's headers those of flow control and audit; levels above 8.

use super::args::Args;
use super::io::{Io, Outcome};
use super::manifest::gap;
use crate::base::http::{Body, Method, Request, Response};
use crate::base::{Span, goquote, json};

/// Gates of client-go and whether they are open.
const GATES: &[(&str, bool)] = &[
    ("AtomicFIFO", true),
    ("ClientsAllowCARotation", true),
    ("ClientsAllowCBOR", false),
    ("ClientsAllowTLSCacheGC", true),
    ("ClientsPreferCBOR", false),
    ("InOrderInformers", true),
    ("InOrderInformersBatchProcess", true),
    ("InformerResourceVersion", true),
    ("UnlockWhileProcessingFIFO", true),
    ("WatchListClient", true),
];

/// How much of a body level 8 shows.
const MOST_BODY: usize = 1024;

/// Tells what is known before the first request.
pub fn start(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if io.verbosity > 8 {
        return gap(&format!("kubectl -v={}", io.verbosity), "-v=8 shows requests, headers and bodies");
    }
    if io.verbosity >= 6 {
        for path in super::config::paths(args, io) {
            if io.sys.files.read_text(io.sys.cwd, &path).is_ok() {
                io.klog('I', "loader.go:408", &format!("Config loaded from file:  {path}"));
            }
        }
    }
    if io.verbosity >= 1 {
        for (gate, open) in GATES {
            io.klog('I', "envvar.go:195", &format!("\"Feature gate default state\" feature=\"{gate}\" enabled={open}"));
        }
    }
    Ok(())
}

/// A request as it goes out.
pub fn request(io: &mut Io<'_, '_>, request: &Request) {
    if io.verbosity < 7 || is_cached(request) {
        return;
    }
    if io.verbosity >= 8 {
        let text = match &request.body {
            Body::None => String::new(),
            Body::Text(text) => text.clone(),
            // Whole objects are written by an encoder that ends the line.
            Body::Value(value) if matches!(request.method, Method::Post | Method::Put) => json::compact(value) + "\n",
            Body::Value(value) => json::compact(value),
        };
        body(io, request, "Request Body", text);
    }
    let mut headers = vec![format!("Accept: {}", accept(request))];
    if !matches!(request.body, Body::None) {
        let media = if request.content_type.is_empty() { "application/json" } else { request.content_type.as_str() };
        headers.push(format!("Content-Type: {media}"));
    }
    headers.push("User-Agent: kubectl/v1.37.2 (linux/amd64) kubernetes/6f3c1a2".into());
    let text =
        format!("\"Request\" verb=\"{}\" url=\"{}\" headers={}", verb(request), url(io, request), lines(&headers));
    io.klog('I', "round_trippers.go:527", &text);
}

/// An answer as it came in.
pub fn response(io: &mut Io<'_, '_>, request: &Request, response: &Response, took: Span) {
    if io.verbosity < 6 || is_cached(request) {
        return;
    }
    let text = match &response.body {
        Body::None => String::new(),
        Body::Text(text) => text.clone(),
        Body::Value(value) => crate::api::schema::json_of(value) + "\n",
    };
    let mut line = "\"Response\"".to_string();
    if io.verbosity == 6 {
        line += &format!(" verb=\"{}\" url=\"{}\"", verb(request), url(io, request));
    }
    line += &format!(" status=\"{}\"", status(response.code));
    if io.verbosity >= 8 {
        let media = if matches!(response.body, Body::Text(_)) { "text/plain" } else { "application/json" };
        let mut headers = vec!["Cache-Control: no-cache, private".to_string()];
        if response.stream.is_none() {
            headers.push(format!("Content-Length: {}", text.len()));
        }
        headers.push(format!("Content-Type: {media}"));
        line += &format!(" headers={}", lines(&headers));
    }
    line += &format!(" milliseconds={}", took.0 / 1000);
    io.klog('I', "round_trippers.go:632", &line);
    if io.verbosity >= 8 && response.stream.is_none() {
        body(io, request, "Response Body", text);
    }
}

fn body(io: &mut Io<'_, '_>, request: &Request, title: &str, text: String) {
    let mut shown = text;
    if shown.len() > MOST_BODY {
        let cut = (0..=MOST_BODY).rev().find(|at| shown.is_char_boundary(*at)).unwrap_or_default();
        let left = shown.len() - cut;
        shown.truncate(cut);
        shown += &format!(" [truncated {left} chars]");
    }
    let value = match shown.contains('\n') {
        true => lines(&shown.lines().map(str::to_string).collect::<Vec<_>>()),
        false => goquote::quote(&shown),
    };
    io.klog('I', place(request), &format!("\"{title}\" body={value}"));
}

/// Values of several lines as klog shows them.
fn lines(lines: &[String]) -> String {
    let text: String = lines.iter().map(|line| format!("\t{line}\n")).collect();
    format!("<\n{text} >")
}

/// Where in cli-runtime the request is made.
fn place(request: &Request) -> &'static str {
    let is_list = !request.accept.is_empty() && !request.query("limit").is_empty();
    match request.method {
        Method::Get | Method::Head if is_list => "helper.go:113",
        Method::Get | Method::Head => "helper.go:105",
        Method::Post => "helper.go:246",
        Method::Put => "helper.go:319",
        Method::Patch => "helper.go:269",
        Method::Delete => "helper.go:202",
    }
}

fn verb(request: &Request) -> &'static str {
    match request.method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Patch => "PATCH",
        Method::Delete => "DELETE",
    }
}

fn accept(request: &Request) -> &str {
    if request.accept.is_empty() { "application/json" } else { &request.accept }
}

/// The address with its query sorted by name, as Go encodes it.
fn url(io: &Io<'_, '_>, request: &Request) -> String {
    let mut query: Vec<String> = request
        .query
        .iter()
        .map(|(name, value)| format!("{}={}", goquote::query_escape(name), goquote::query_escape(value)))
        .collect();
    query.sort();
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{}{mark}{}", io.server.trim_end_matches('/'), request.path, query.join("&"))
}

fn status(code: u16) -> String {
    let reason = match code {
        200 => "OK",
        201 => "Created",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Entity",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "",
    };
    format!("{code} {reason}")
}

/// Discovery stands in a cache on the disk after the first command.
fn is_cached(request: &Request) -> bool {
    request.accept.contains("APIGroupDiscoveryList") || request.path.starts_with("/openapi")
}
