//! The forms names must have (apimachinery's `util/validation`), and the words for those that have not.

pub const SUBDOMAIN: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const LABEL_1035: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const LABEL_VALUE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const QUALIFIED: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const CONFIG_KEY: &str = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
pub const ENV_NAME: &str =
    "a valid environment variable name must consist only of printable ASCII characters other than '='";
/// Strict names of variables, as clients want them.
pub const ENV_KEY: &str = "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";
pub const PERCENT: &str = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
pub const IP: &str = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
pub const CIDR: &str = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
pub const NOT_NEGATIVE: &str = "must be greater than or equal to 0";
pub const PORT: &str = "must be between 1 and 65535, inclusive";
pub const IMMUTABLE: &str = "field is immutable";

/// What is wrong with a name; nothing when all is well.
pub type Complaints = Vec<String>;

fn alphanumeric(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

/// Letters and digits at both ends, other allowed bytes between.
fn framed(text: &str, end: impl Fn(u8) -> bool, middle: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.last()) {
        (Some(first), Some(last)) => end(*first) && end(*last) && bytes.iter().all(|b| end(*b) || middle(*b)),
        _ => false,
    }
}

fn is_label(text: &str) -> bool {
    framed(text, alphanumeric, |b| b == b'-')
}

pub fn subdomain(text: &str) -> Complaints {
    let mut out = Vec::new();
    if text.len() > 253 {
        out.push("must be no more than 253 characters".to_owned());
    }
    if !text.split('.').all(is_label) {
        out.push(SUBDOMAIN.to_owned());
    }
    out
}

/// A host name whose first part may be `*`.
pub fn host(text: &str) -> Complaints {
    const WILDCARD: &str = "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    if !text.contains('*') {
        return subdomain(text);
    }
    let fits = text.strip_prefix("*.").is_some_and(|rest| subdomain(rest).is_empty());
    if fits { Complaints::default() } else { vec![WILDCARD.to_string()] }
}

pub fn label(text: &str) -> Complaints {
    let mut out = Vec::new();
    if text.len() > 63 {
        out.push("must be no more than 63 characters".to_owned());
    }
    if !is_label(text) {
        let dotted = text.contains('.') && text.split('.').all(is_label);
        out.push(if dotted { "must not contain dots".to_owned() } else { LABEL.to_owned() });
    }
    out
}

pub fn label_1035(text: &str) -> Complaints {
    let mut out = Vec::new();
    if text.len() > 63 {
        out.push("must be no more than 63 characters".to_owned());
    }
    if !is_label(text) || text.starts_with(|c: char| c.is_ascii_digit()) {
        out.push(LABEL_1035.to_owned());
    }
    out
}

pub fn label_value(text: &str) -> Complaints {
    let mut out = Vec::new();
    if text.len() > 63 {
        out.push("must be no more than 63 bytes".to_owned());
    }
    if !text.is_empty() && !is_qualified_part(text) {
        out.push(LABEL_VALUE.to_owned());
    }
    out
}

/// The name of a variable as kubectl takes it from its arguments.
pub fn env_key(text: &str) -> Option<&'static str> {
    let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let wrong = text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) || !text.chars().all(good);
    wrong.then_some(ENV_KEY)
}

fn is_qualified_part(text: &str) -> bool {
    framed(text, |b| b.is_ascii_alphanumeric(), |b| matches!(b, b'-' | b'_' | b'.'))
}

/// `name` or `prefix/name`: label keys, taints, resources.
pub fn qualified(text: &str) -> Complaints {
    qualified_as("a valid label key", text)
}

fn qualified_as(what: &str, text: &str) -> Complaints {
    let mut out = Vec::new();
    let parts: Vec<&str> = text.split('/').collect();
    let name = match parts.as_slice() {
        [name] => *name,
        [prefix, name] => {
            if prefix.is_empty() {
                out.push("prefix part must be non-empty".to_owned());
            } else {
                out.extend(subdomain(prefix).into_iter().map(|text| format!("prefix part {text}")));
            }
            *name
        }
        _ => {
            out.push(format!(
                "{what} {QUALIFIED} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            ));
            return out;
        }
    };
    if name.is_empty() {
        out.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        out.push("name part must be no more than 63 bytes".to_owned());
    }
    if !is_qualified_part(name) {
        out.push(format!("name part {QUALIFIED}"));
    }
    out
}

/// Keys of ConfigMaps and Secrets.
pub fn config_key(key: &str) -> Complaints {
    let mut out = Vec::new();
    if key.len() > 253 {
        out.push("must be no more than 253 characters".to_owned());
    }
    let fine = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    if key.is_empty() || !key.bytes().all(fine) {
        out.push(CONFIG_KEY.to_owned());
        return out;
    }
    match key {
        "." => out.push("must not be '.'".to_owned()),
        ".." => out.push("must not be '..'".to_owned()),
        _ if key.starts_with("..") => out.push("must not start with '..'".to_owned()),
        _ => {}
    }
    out
}

/// Environment variables: anything printable but `=`.
pub fn env_name(name: &str) -> Complaints {
    let fine = !name.is_empty() && name.bytes().all(|b| (b' '..=b'~').contains(&b) && b != b'=');
    if fine { Vec::new() } else { vec![ENV_NAME.to_owned()] }
}

/// Names of ports (IANA service names).
pub fn port_name(name: &str) -> Complaints {
    let mut out: Complaints = Vec::new();
    if name.len() > 15 {
        out.push("must be no more than 15 characters".to_owned());
    }
    if name.is_empty() || !name.bytes().all(|b| alphanumeric(b) || b == b'-') {
        out.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)".to_owned());
    }
    if !name.bytes().any(|b| b.is_ascii_lowercase()) {
        out.push("must contain at least one letter (a-z)".to_owned());
    }
    if name.contains("--") {
        out.push("must not contain consecutive hyphens".to_owned());
    }
    if name.starts_with('-') || name.ends_with('-') {
        out.push("must not begin or end with a hyphen".to_owned());
    }
    out
}

/// Names that become a path segment (RBAC).
pub fn path_segment(name: &str) -> Complaints {
    match name {
        "." => return vec!["may not be '.'".to_owned()],
        ".." => return vec!["may not be '..'".to_owned()],
        _ => {}
    }
    ["/", "%"].iter().filter(|part| name.contains(**part)).map(|part| format!("may not contain '{part}'")).collect()
}

pub fn is_ip(text: &str) -> bool {
    text.parse::<std::net::IpAddr>().is_ok()
}

pub fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    let most = if address.contains(':') { 128 } else { 32 };
    is_ip(address) && bits.parse::<u8>().is_ok_and(|bits| bits <= most)
}

/// `25%` → 25
pub fn percent(text: &str) -> Option<i64> {
    let digits = text.strip_suffix('%')?;
    let fine = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    fine.then(|| digits.parse().unwrap_or(i64::MAX))
}
