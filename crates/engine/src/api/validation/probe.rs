//! Probes and lifecycle handlers.

use super::common::Errors;
use crate::api::field_error::Path;
use crate::base::Value;

/// The three probes of a container.
pub fn all(errors: &mut Errors, at: &Path, container: &Value) {
    for key in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let (at, probe) = (at.child(key), &container[key]);
        if probe.is_null() {
            continue;
        }
        handler(errors, &at, probe, None);
        for key in ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"] {
            errors.not_negative(&at.child(key), &probe[key]);
        }
        let grace = &probe["terminationGracePeriodSeconds"];
        if !grace.is_null() && grace.int() <= 0 {
            errors.invalid(&at.child("terminationGracePeriodSeconds"), grace, "must be greater than 0");
        }
        if key == "readinessProbe" {
            if !grace.is_null() {
                let detail = "must not be set for readinessProbes";
                errors.invalid(&at.child("terminationGracePeriodSeconds"), grace, detail);
            }
        } else if probe["successThreshold"].int() != 1 {
            errors.invalid(&at.child("successThreshold"), &probe["successThreshold"], "must be 1");
        }
    }
}

/// One handler, and not more than one. Lifecycle hooks (those with a grace period) may sleep.
pub fn handler(errors: &mut Errors, at: &Path, handler: &Value, grace: Option<i64>) {
    let mut count = 0;
    let keys: &[&str] = if grace.is_some() {
        &["exec", "httpGet", "tcpSocket", "sleep"]
    } else {
        &["exec", "httpGet", "tcpSocket", "grpc"]
    };
    for key in keys {
        let (here, action) = (at.child(key), &handler[*key]);
        if action.is_null() {
            continue;
        }
        if count > 0 {
            errors.forbidden(&here, "may not specify more than 1 handler type");
            continue;
        }
        count += 1;
        match *key {
            "exec" if action["command"].is_empty() => errors.required(&here.child("command"), ""),
            "exec" => {}
            "httpGet" => http_get(errors, &here, action),
            "sleep" => {
                let (seconds, most) = (action["seconds"].int(), grace.unwrap_or(0));
                if seconds < 0 || seconds > most {
                    let detail = format!("must be non-negative and less than terminationGracePeriodSeconds ({most})");
                    errors.invalid(&here, seconds, &detail);
                }
            }
            "grpc" => errors.port(&here.child("port"), action["port"].int()),
            _ => errors.port_or_name(&here.child("port"), &action["port"]),
        }
    }
    if count == 0 {
        errors.required(at, "must specify a handler type");
    }
}

fn http_get(errors: &mut Errors, at: &Path, get: &Value) {
    if get["path"].is_empty() {
        errors.required(&at.child("path"), "");
    }
    errors.port_or_name(&at.child("port"), &get["port"]);
    errors.one_of(&at.child("scheme"), &get["scheme"], &["HTTP", "HTTPS"]);
    for (index, header) in get["httpHeaders"].items().iter().enumerate() {
        let name = header["name"].str();
        let fine = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if !fine {
            let detail = "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
            errors.invalid(&at.child("httpHeaders").index(index).child("name"), name, detail);
        }
    }
}
