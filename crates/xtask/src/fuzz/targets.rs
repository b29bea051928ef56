//! What is fuzzed. An execution returns a sign of the kind of answer it got, so that texts that lead somewhere new are
//! kept and changed further.

use engine::api::selector::{Fields, Labels};
use engine::base::http::{Body, Method, Request, User};
use engine::base::quantity::Quantity;
use engine::base::template::GoTemplate;
use engine::base::{Span, Time, Value, duration, json, yaml, yaml_emit};
use engine::cluster::{Preset, Setup};
use engine::docker::cli::format::DOCKER;
use engine::kubectl::output::custom_columns::CustomColumns;
use engine::kubectl::output::go_template::KUBECTL;
use engine::kubectl::output::jsonpath::JsonPath;
use engine::lab::{Input, Lab};
use engine::shell::Regex;
use engine::terraform::eval::{Empty, constraint, eval};
use engine::terraform::{hcl, value as terraform};

use super::corpus;

type Execute = Box<dyn FnMut(&[u8]) -> u64>;

pub struct Target {
    pub name: &'static str,
    pub corpus: fn() -> Vec<Vec<u8>>,
    /// A fresh start: what executions share.
    pub start: fn() -> Execute,
}

pub const TARGETS: [Target; 6] = [
    Target { name: "yaml", corpus: corpus::manifests, start: || Box::new(read_yaml) },
    Target { name: "api", corpus: corpus::requests, start: api },
    Target { name: "shell", corpus: corpus::scripts, start: shell },
    Target { name: "jsonpath", corpus: corpus::templates, start: templates },
    Target { name: "plan", corpus: corpus::plans, start: plan },
    Target { name: "terraform", corpus: corpus::configurations, start: || Box::new(configure) },
];

/// What is read, written and read again is the same.
fn read_yaml(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let stream = yaml::read(&text);
    for document in &stream.documents {
        let again = yaml::parse(&yaml_emit::emit(&document.value));
        assert_eq!(again.as_ref(), Ok(&document.value), "YAML written from a value reads as that value");
        if let Ok(value) = json::parse(&json::compact(&document.value)) {
            assert_eq!(value, document.value, "JSON written from a value reads as that value");
        }
    }
    if let Some(error) = &stream.error {
        let _ = error.diagnostic();
    }
    let _ = json::parse(&text);
    sign(&stream.error.map_or_else(String::new, |error| error.text)) ^ stream.documents.len() as u64
}

/// A configuration is read and formatted; as an expression and as a template it is evaluated too.
fn configure(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let (_, found) = hcl::parse("main.tf", &text);
    let formatted = hcl::format("main.tf", &text);
    let refused = hcl::has_errors(&found);
    assert_eq!(formatted.is_err(), refused, "fmt refuses what the parser refuses");
    let mut last = found.last().map(|each| each.summary.clone()).unwrap_or_default();
    let pages = hcl::Pages::of(&engine::base::BTreeMap::from([("main.tf".into(), text.to_string())]), &found);
    for each in &found {
        let _ = hcl::render(each, &pages, hcl::Layout { width: 78, boxed: true, color: true });
    }
    for (expr, found) in [hcl::parse_expression("main.tf", &text), hcl::parse_template("main.tf", &text)] {
        let _ = constraint::read(&expr, constraint::Form::Variable);
        if hcl::has_errors(&found) {
            continue;
        }
        let (value, found) = eval(&expr, &Empty);
        let _ = (terraform::text::console(&value), terraform::encode_pretty(&value));
        last.push_str(found.last().map_or("", |each| each.summary.as_str()));
        last.push_str(&value.ty().friendly());
    }
    sign(&last)
}

/// A line with the value of `var.v`, then a configuration: planned, applied and planned once more.
fn plan() -> Execute {
    let fresh = Lab::new(Setup::new(Preset::Bare));
    Box::new(move |bytes| {
        let mut lab = fresh.clone();
        let text = String::from_utf8_lossy(bytes);
        let (value, text) = text.split_once('\n').unwrap_or(("", &text));
        lab.input(Input::WriteFile { path: "main.tf".into(), text: text.into() });
        let value = value.replace('\'', "'\\''");
        let script = format!(
            "export TF_IN_AUTOMATION=1; terraform init -no-color > init.out; terraform plan -input=false -no-color -var 'v={value}'; \
             terraform apply -input=false -auto-approve -no-color -var 'v={value}' && terraform plan -input=false -no-color -var 'v={value}'"
        );
        let job = lab.start_script(&script, false);
        let limit = lab.now() + Span::seconds(600);
        let mut all = String::new();
        for _ in 0..2_000 {
            let Some(next) = lab.next_at().filter(|next| *next <= limit && lab.exit_code(job).is_none()) else { break };
            lab.advance(next, 50);
            for output in lab.take_output() {
                all.push_str(&String::from_utf8_lossy(&output.bytes));
            }
        }
        let summary = all.lines().filter(|line| line.starts_with("Error") || line.starts_with("Plan"));
        sign(&summary.collect::<String>()) ^ lab.exit_code(job).map_or(999, |code| code as u64)
    })
}

/// Executions on one cluster before it is replaced by a fresh one.
const ON_ONE: u32 = 300;

fn api() -> Execute {
    let fresh = Lab::new(Setup::new(Preset::Kind));
    let (mut lab, mut used) = (fresh.clone(), 0);
    Box::new(move |bytes| {
        used += 1;
        if used == ON_ONE {
            (lab, used) = (fresh.clone(), 0);
        }
        let text = String::from_utf8_lossy(bytes);
        let Some(request) = request(&text) else { return 1 };
        let response = lab.write_past_the_clock(&request);
        if let Some(stream) = response.stream {
            lab.cluster.server.close(stream);
        }
        // What was stored is acted on by controllers, scheduler and kubelets.
        let until = lab.now() + Span::millis(if response.ok() { 700 } else { 1 });
        lab.advance(until, 3_000);
        let message = response.value()["message"].str().to_string();
        sign(&message) ^ u64::from(response.code) ^ (request.method as u64) << 32
    })
}

fn request(text: &str) -> Option<Request> {
    let (head, body) = text.split_once('\n')?;
    let mut words = head.split(' ');
    let method = match words.next()? {
        "GET" => Method::Get,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "PATCH" => Method::Patch,
        "DELETE" => Method::Delete,
        _ => Method::Head,
    };
    let (path, query) = words.next().map(|path| path.split_once('?').unwrap_or((path, "")))?;
    let admin = User { name: "kubernetes-admin".into(), groups: vec!["system:masters".into()] };
    let mut request = Request::new(&admin, "fuzz", method, path);
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    request.query = pairs.map(|(key, value)| (key.into(), value.replace("%3D", "="))).collect();
    request.content_type = words.next().unwrap_or_default().into();
    if !body.is_empty() {
        request.body = Body::Text(body.into());
    }
    Some(request)
}

fn shell() -> Execute {
    let fresh = Lab::new(Setup::new(Preset::Bare));
    Box::new(move |bytes| {
        let mut lab = fresh.clone();
        let text = String::from_utf8_lossy(bytes);
        let job = lab.start_script(&text, true);
        let limit = lab.now() + Span::seconds(600);
        let mut last = String::new();
        for _ in 0..400 {
            let Some(next) = lab.next_at().filter(|next| *next <= limit && lab.exit_code(job).is_none()) else { break };
            lab.advance(next, 50);
            if let Some(output) = lab.take_output().pop() {
                last = String::from_utf8_lossy(&output.bytes).into_owned();
            }
        }
        sign(&last) ^ lab.exit_code(job).map_or(999, |code| code as u64)
    })
}

fn templates() -> Execute {
    let object = json::parse(OBJECT).unwrap_or_default();
    Box::new(move |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let Some((word, text)) = text.split_once(' ') else { return 0 };
        let answer = template(word, text, &object);
        sign(&answer) ^ word.len() as u64
    })
}

fn template(word: &str, text: &str, object: &Value) -> String {
    match word {
        "jsonpath" => JsonPath::parse(text)
            .and_then(|path| {
                let _ = path.print_as_json(object, true);
                path.print(object, false).map_err(|error| path.complaint(&error, object))
            })
            .unwrap_or_else(|error| error),
        "docker" => match GoTemplate::parse(text, &DOCKER) {
            Ok(template) => template.print(object, true).unwrap_or_else(|(_, error)| error),
            Err(error) => error,
        },
        "template" => match GoTemplate::parse(text, &KUBECTL) {
            Ok(template) => template.print(object, false).unwrap_or_else(|(_, error)| error),
            Err(error) => error,
        },
        "columns" => {
            let columns = CustomColumns::parse(text).or_else(|_| CustomColumns::parse_file(text));
            columns.map_or_else(
                |error| error,
                |columns| columns.print(std::slice::from_ref(object), true, &mut Vec::new()).unwrap_or_default(),
            )
        }
        "labels" => match Labels::parse(text) {
            Ok(labels) => labels.matches(&object["metadata"]["labels"]).to_string(),
            Err(error) => error,
        },
        "fields" => match Fields::parse(text) {
            Ok(fields) => fields.matches(|field| field.into()).to_string(),
            Err(error) => error,
        },
        "quantity" => match Quantity::parse(text) {
            Ok(quantity) => {
                let mut sum = quantity.clone();
                sum.add(&quantity);
                sum.mul(i64::MAX);
                sum.sub(&quantity);
                let _ = (sum.canonical(), sum.value(), sum.milli());
                quantity.canonical()
            }
            Err(error) => error.into(),
        },
        "duration" => duration::parse(text).map_or_else(|error| error, duration::go),
        "time" => Time::parse(text).map(|time| time.rfc3339_micros()).unwrap_or_default(),
        "regex" => match Regex::new(text, true, false) {
            Ok(regex) => regex.is_match(b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab ab.x -").to_string(),
            Err(error) => error,
        },
        _ => json::parse(text).map_or_else(|error| error, |value| json::pretty(&value, 2)),
    }
}

const OBJECT: &str = r#"{"items":[{"metadata":{"name":"a"},"status":{"phase":"Running"}},{"metadata":{"name":"b"}}],
"metadata":{"name":"w","labels":{"app":"w","a.b":"1","n":"5"}},"a":true,"b":"x","c":{"d":1},"x":{"y":"aGk="},
"spec":{"replicas":3,"containers":[{"name":"c","image":"nginx:1","ports":[{"containerPort":80},{"containerPort":443}]}]},
"status":{"conditions":[{"type":"Ready","status":"True"}],"f":1.5,"none":null}}"#;

/// A text's shape: its letters without what differs from input to input.
fn sign(text: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut quoted = false;
    for byte in text.bytes().take(400) {
        quoted ^= byte == b'"';
        if !quoted && byte.is_ascii_alphabetic() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}
