//! pod-template-hash and controller-revision-hash as the real controllers compute them: a 32-bit FNV over the text Go
//! prints for the template's struct (Deployments, DaemonSets) or over a patch in JSON (StatefulSets).
//!
//! The text names every field in Go's order with its Go type, so it is written from the schema table.

use std::fmt::Write;

use crate::api::schema::{self, Empty, Field, Ty, Type};
use crate::base::{Value, json};
use crate::map;

const OFFSET: u32 = 2_166_136_261;
const PRIME: u32 = 16_777_619;

/// The hash of a pod template; `collisions` is the owner's `status.collisionCount`.
pub fn of_template(template: &Value, collisions: Option<i64>) -> String {
    let mut bytes = dump(template).into_bytes();
    if let Some(count) = collisions {
        bytes.extend((count as u32).to_le_bytes());
        bytes.extend([0; 4]);
    }
    safe(bytes.iter().fold(OFFSET, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(PRIME)))
}

/// The data of a StatefulSet's or DaemonSet's ControllerRevision.
pub fn revision_data(template: &Value) -> Value {
    let mut template = template.clone();
    template.set(&["$patch"], "replace");
    map! { "spec" => map! { "template" => template } }
}

/// The hash of a StatefulSet's ControllerRevision.
pub fn of_revision(template: &Value, collisions: Option<i64>) -> String {
    let mut text = json::compact(&revision_data(template));
    text = text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    if let Some(count) = collisions {
        let _ = write!(text, "{count}");
    }
    safe(text.bytes().fold(OFFSET, |hash, byte| hash.wrapping_mul(PRIME) ^ u32::from(byte)))
}

/// Decimal digits, written with letters that make no words.
fn safe(hash: u32) -> String {
    const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    hash.to_string()
        .bytes()
        .filter_map(|digit| LETTERS.get(usize::from(digit) % LETTERS.len()))
        .map(|b| *b as char)
        .collect()
}

/// The template as Go prints its struct.
fn dump(template: &Value) -> String {
    let mut out = String::with_capacity(4096);
    if let Some(ty) = schema::named("core.v1", "PodTemplateSpec") {
        out.push_str("(v1.PodTemplateSpec)");
        structure(&mut out, ty, template);
    }
    out
}

fn structure(out: &mut String, ty: &Type, value: &Value) {
    out.push('{');
    let mut embedded = "";
    for (at, field) in ty.fields.iter().enumerate() {
        if field.embedded != embedded && !embedded.is_empty() {
            out.push('}');
        }
        if at > 0 {
            out.push(' ');
        }
        if field.embedded != embedded && !field.embedded.is_empty() {
            let _ = write!(out, "{}:({}.{}){{", field.embedded, ty.go_package(), field.embedded);
        }
        embedded = field.embedded;
        let _ = write!(out, "{}:", field.go);
        let held = match (ty.name, field.name) {
            // The old name always holds what the new one does.
            ("PodSpec", "serviceAccount") => value.get("serviceAccountName"),
            _ => value.get(field.name),
        };
        typed(out, ty, field, held);
    }
    if !embedded.is_empty() {
        out.push('}');
    }
    out.push('}');
}

/// A field's value with its type.
fn typed(out: &mut String, ty: &Type, field: &Field, value: &Value) {
    let go = field.ty.go(ty.go_package());
    let is_pointer = field.empty == Empty::Kept && !matches!(field.ty, Ty::List(_) | Ty::Map(_));
    if is_pointer {
        let _ = write!(out, "(*{go})");
        if value.is_null() {
            out.push_str("<nil>");
            return;
        }
    } else {
        let _ = write!(out, "({go})");
    }
    body(out, field.ty, value);
}

fn body(out: &mut String, ty: Ty, value: &Value) {
    match ty {
        Ty::Text(_) | Ty::Bytes | Ty::Any(_) => out.push_str(value.str()),
        Ty::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
        Ty::Int32 | Ty::Int64 | Ty::Double => {
            let _ = write!(out, "{}", value.int());
        }
        Ty::Quantity => quantity(out, value),
        Ty::IntOrString => {
            let (kind, number) = (u8::from(value.as_str().is_some()), value.int());
            let text = value.str();
            let _ = write!(out, "{{Type:(intstr.Type){kind} IntVal:(int32){number} StrVal:(string){text}}}");
        }
        Ty::Time | Ty::MicroTime => {
            out.push_str("{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}");
        }
        Ty::Struct(id) => structure(out, id.get(), value),
        Ty::List(item) => match value.items() {
            [] => out.push_str("<nil>"),
            items => {
                out.push('[');
                for (at, one) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(' ');
                    }
                    body(out, *item, one);
                }
                out.push(']');
            }
        },
        Ty::Map(item) => match value.entries() {
            entries if entries.is_empty() => out.push_str("<nil>"),
            entries => {
                out.push_str("map[");
                for (at, (key, one)) in entries.iter().enumerate() {
                    if at > 0 {
                        out.push(' ');
                    }
                    out.push_str(key);
                    out.push(':');
                    body(out, *item, one);
                }
                out.push(']');
            }
        },
    }
}

/// A quantity's inner parts: a number, a power of ten, the text it keeps, and the format.
fn quantity(out: &mut String, value: &Value) {
    let written = match value {
        Value::Int(n) => n.to_string(),
        other => other.str().to_owned(),
    };
    let (number, scale, kept, format) = parts(&written);
    let _ = write!(
        out,
        "{{i:(resource.int64Amount){{value:(int64){number} scale:(resource.Scale){scale}}} \
         d:(resource.infDecAmount){{Dec:(*inf.Dec)<nil>}} s:(string){kept} Format:(resource.Format){format}}}"
    );
}

fn parts(text: &str) -> (i128, i32, &str, &'static str) {
    if text.is_empty() {
        return (0, 0, "", "");
    }
    let end = text.find(|c: char| !matches!(c, '0'..='9' | '.' | '+' | '-')).unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let number: i128 = format!("{whole}{fraction}").parse().unwrap_or(0);
    let binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].iter().position(|known| *known == suffix);
    if let Some(power) = binary {
        let value = number.checked_shl(10 * (power as u32 + 1)).unwrap_or(i128::MAX);
        return (value, 0, if number % 8 == 0 { "" } else { text }, "BinarySI");
    }
    let exponent =
        [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
    let exponent = exponent.iter().find(|(known, _)| *known == suffix).map_or(0, |(_, power)| *power);
    let scale = exponent - fraction.len() as i32;
    let plain = digits.trim_start_matches(['+', '-']);
    let keeps = scale % 3 == 0 && ((!plain.ends_with("000") && !plain.starts_with('0')) || plain == "0");
    (number, scale, if keeps { text } else { "" }, "DecimalSI")
}

#[cfg(test)]
mod tests {
    use super::*;

    const VECTORS: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/kubernetes/template-hashes.jsonl"));

    #[test]
    fn hashes_are_the_recorded_ones() {
        let mut wrong = Vec::new();
        let mut counts = [0, 0];
        for line in VECTORS.lines() {
            let case = json::parse(line).unwrap();
            let template = &case["stored"]["spec"]["template"];
            let got = match case["kind"].str() {
                "Deployment" if !template.is_null() => {
                    counts[0] += 1;
                    of_template(template, None)
                }
                "StatefulSet" => {
                    let mut template = case.at(&["revision", "revision", "data", "spec", "template"]).clone();
                    if template.is_null() {
                        continue;
                    }
                    template.remove(&["$patch"]);
                    counts[1] += 1;
                    of_revision(&template, Some(0))
                }
                _ => continue,
            };
            if got != case["hash"].str() {
                wrong.push(format!(
                    "{} {}: {got}, not {}",
                    case["kind"].str(),
                    case["label"].str(),
                    case["hash"].str()
                ));
            }
        }
        assert!(wrong.is_empty(), "{} wrong of {counts:?}:\n{}", wrong.len(), wrong.join("\n"));
        assert!(counts[0] >= 100 && counts[1] >= 2, "{counts:?}");
    }

    #[test]
    fn collisions_are_mixed_in() {
        let template = json::parse(
            r#"{"metadata":{"labels":{"app":"nginx"}},"spec":{"containers":[{"name":"nginx","image":"nginx","resources":{},
            "terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"Always"}],
            "restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},
            "schedulerName":"default-scheduler"}}"#,
        )
        .unwrap();
        assert_eq!(of_template(&template, None), "69b9cdbbdd");
        assert_eq!(of_template(&template, Some(1)), "588b787965");
        assert_eq!(of_template(&template, Some(0)), "85c8b8d7d8");
    }
}
