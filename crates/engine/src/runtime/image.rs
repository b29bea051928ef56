//! Image names and the catalogue of images: what a registry would answer. Sizes, entry points and users are those of
//! the public images; contents are simulated. A repository or tag that is not in the catalogue does not exist.

use crate::base::{SmolStr, format_smolstr};

use crate::base::gap;

/// A parsed image name: `docker.io/library/nginx:1.29`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub host: SmolStr,
    pub path: SmolStr,
    pub tag: SmolStr,
    /// `sha256:…` when the name gives one.
    pub digest: SmolStr,
}

impl Reference {
    /// As containerd normalises it; the error is the text after `couldn't parse image name "…": `.
    pub fn parse(text: &str) -> Result<Reference, String> {
        let bad = || Err("invalid reference format".to_string());
        let (name, digest) = match text.split_once('@') {
            Some((name, digest)) => (name, digest),
            None => (text, ""),
        };
        if !digest.is_empty() {
            let hex = digest.strip_prefix("sha256:").unwrap_or_default();
            if hex.len() != 64 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
                return bad();
            }
        }
        let (head, rest) = name.split_once('/').unwrap_or(("", name));
        let upper = head.bytes().any(|b| b.is_ascii_uppercase());
        let is_host = head.contains('.') || head.contains(':') || head == "localhost" || upper;
        let (host, rest) = if is_host { (head, rest) } else { ("docker.io", name) };
        let (path, tag) = match rest.rsplit_once(':') {
            Some((path, tag)) if !tag.contains('/') => (path, tag),
            _ => (rest, ""),
        };
        let tag_is_good = tag.len() <= 128
            && tag
                .bytes()
                .enumerate()
                .all(|(i, b)| b.is_ascii_alphanumeric() || b == b'_' || i > 0 && matches!(b, b'.' | b'-'));
        if path.is_empty() || rest.ends_with(':') || !tag_is_good {
            return bad();
        }
        let path = if host == "docker.io" && !path.contains('/') { format!("library/{path}") } else { path.into() };
        if path.bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(format!("invalid reference format: repository name ({path}) must be lowercase"));
        }
        // Between letters and digits: one point, one or two underscores, or any number of dashes.
        let between = |run: &str| matches!(run, "" | "." | "_" | "__") || run.bytes().all(|b| b == b'-');
        let part_is_good = |part: &str| {
            let edge = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
            edge(part.bytes().next())
                && edge(part.bytes().last())
                && part.split(|c: char| c.is_ascii_alphanumeric()).all(between)
        };
        if !path.split('/').all(part_is_good) {
            return bad();
        }
        let tag = if tag.is_empty() && digest.is_empty() { "latest" } else { tag };
        Ok(Reference { host: host.into(), path: path.into(), tag: tag.into(), digest: digest.into() })
    }

    pub fn full(&self) -> String {
        let tag = if self.tag.is_empty() { String::new() } else { format!(":{}", self.tag) };
        let digest = if self.digest.is_empty() { String::new() } else { format!("@{}", self.digest) };
        format!("{}/{}{tag}{digest}", self.host, self.path)
    }

    /// The path without Docker Hub's own `library/`.
    pub fn short(&self) -> &str {
        self.path.strip_prefix("library/").unwrap_or(&self.path)
    }

    pub fn repository(&self) -> String {
        format!("{}/{}", self.host, self.path)
    }
}

/// An image as a registry has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    pub reference: Reference,
    /// Compressed bytes: what is pulled.
    pub size: u64,
    pub entrypoint: Vec<SmolStr>,
    pub command: Vec<SmolStr>,
    pub ports: Vec<u16>,
    /// User and group of the first process.
    pub user: u32,
    pub user_name: SmolStr,
    pub stop_signal: SmolStr,
    /// Which small tools and shell it has: `debian`, `busybox` or `none`.
    pub base: SmolStr,
    pub digest: SmolStr,
}

impl Image {
    pub fn id(&self) -> String {
        format!("{}@{}", self.reference.repository(), self.digest)
    }

    /// nginx's version, as far as the tag says.
    pub fn version(&self) -> String {
        let tag = self.reference.tag.as_str();
        let number = tag.split('-').next().unwrap_or(tag);
        match number {
            "latest" | "mainline" | "1" | "alpine" | "bookworm" | "trixie" => "1.31.0".into(),
            "stable" => "1.30.0".into(),
            n if n.matches('.').count() == 1 => format!("{n}.{}", if n == "1.29" { 4 } else { 0 }),
            n => n.into(),
        }
    }
}

/// Why a pull fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    Tag,
    /// Docker Hub does not say whether a repository exists.
    Denied,
    /// A registry that refuses an anonymous token.
    Token,
    NoHost,
    Refused,
    Timeout,
}

/// repository | tags | bytes | entry point | command | ports | user | stop signal | base
static CATALOGUE: &str = include_str!("images.txt");

/// What the registry has under a name.
pub fn find(reference: &Reference) -> Result<Image, Missing> {
    // The old name of the project's registry, and a mirror of the Hub's own images.
    let repository = reference.repository();
    let repository = match repository.strip_prefix("k8s.gcr.io/") {
        Some(rest) => format!("registry.k8s.io/{rest}"),
        None => repository,
    };
    let repository = match repository.strip_prefix("public.ecr.aws/docker/") {
        Some(rest) => format!("docker.io/{rest}"),
        None => repository,
    };
    let mut repository_exists = false;
    for line in CATALOGUE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut parts = line.split('|').map(str::trim);
        let mut next = || parts.next().unwrap_or_default();
        if full_repository(next()) != repository {
            continue;
        }
        repository_exists = true;
        let tags = next();
        if reference.digest.is_empty() && !tags.split_whitespace().any(|tag| tag_fits(tag, &reference.tag)) {
            continue;
        }
        let size = next().parse().unwrap_or(0);
        let words = |text: &str| text.split('\u{1}').filter(|word| !word.is_empty()).map(SmolStr::new).collect();
        let entrypoint = words(&quoted_words(next()));
        let command = words(&quoted_words(next()));
        let ports = next().split_whitespace().filter_map(|port| port.parse().ok()).collect();
        let (user, user_name) = next().split_once(':').unwrap_or(("0", "root"));
        let stop_signal = next();
        let digest = match reference.digest.as_str() {
            "" => made_digest(&format!("{repository}:{}", reference.tag)),
            digest => digest.into(),
        };
        return Ok(Image {
            reference: reference.clone(),
            size,
            entrypoint,
            command,
            ports,
            user: user.parse().unwrap_or(0),
            user_name: user_name.into(),
            stop_signal: if stop_signal.is_empty() { "SIGTERM".into() } else { stop_signal.into() },
            base: next().into(),
            digest,
        });
    }
    Err(missing(reference, repository_exists))
}

fn missing(reference: &Reference, repository_exists: bool) -> Missing {
    match reference.host.as_str() {
        _ if repository_exists => Missing::Tag,
        "docker.io" => Missing::Denied,
        "ghcr.io" => Missing::Token,
        "registry.k8s.io" | "k8s.gcr.io" | "gcr.io" | "mirror.gcr.io" | "quay.io" | "mcr.microsoft.com"
        | "public.ecr.aws" => Missing::Tag,
        host if host.starts_with("localhost") || host.starts_with("127.") => Missing::Refused,
        host if host.starts_with("10.") || host.starts_with("192.168.") => Missing::Timeout,
        _ => Missing::NoHost,
    }
}

fn full_repository(short: &str) -> String {
    Reference::parse(short).map(|reference| reference.repository()).unwrap_or_default()
}

/// Whether a tag is one of those a pattern stands for (`images.txt` tells what patterns are).
fn tag_fits(pattern: &str, tag: &str) -> bool {
    if pattern == "@" {
        let number = tag.strip_prefix('v').unwrap_or(tag);
        return number.contains('.') && number.starts_with(|c: char| c.is_ascii_digit());
    }
    let (start, with_variants) = pattern.strip_suffix('*').map_or((pattern, false), |start| (start, true));
    if !with_variants {
        return after(start, tag).contains(&"");
    }
    let alpine = |rest: &str| {
        rest.strip_prefix("3.").is_some_and(|minor| minor.parse().is_ok_and(|n: u32| (9..=23).contains(&n)))
    };
    let debian = ["", "-bookworm", "-trixie", "-bullseye", "-buster", "-perl", "-otel"];
    after(start, tag)
        .iter()
        .any(|rest| if start.ends_with("alpine") { rest.is_empty() || alpine(rest) } else { debian.contains(rest) })
}

/// What may be left of a tag after a pattern's literals and ranges.
fn after<'a>(pattern: &str, tag: &'a str) -> Vec<&'a str> {
    let Some((literal, rest)) = pattern.split_once('{') else {
        return tag.strip_prefix(pattern).into_iter().collect();
    };
    let (Some(tag), Some((range, rest))) = (tag.strip_prefix(literal), rest.split_once('}')) else { return Vec::new() };
    let (from, to) = range.split_once('-').unwrap_or((range, range));
    let digits = tag.bytes().take_while(u8::is_ascii_digit).count();
    let (number, left) = tag.split_at(digits);
    let plain = number.len() == from.len().max(number.trim_start_matches('0').len()).max(1);
    let (Ok(from), Ok(to), Ok(number)) = (from.parse::<u32>(), to.parse::<u32>(), number.parse::<u32>()) else {
        return Vec::new();
    };
    if plain && (from..=to).contains(&number) { after(rest, left) } else { Vec::new() }
}

/// Whether a tag could be one that exists: its parts are versions, or words tags are made of.
fn is_likely(tag: &str) -> bool {
    const WORDS: &str = "latest stable mainline edge lts current slim alpine perl otel bookworm bullseye trixie buster \
        jammy noble focal debian ubuntu ubi fpm apache cli jdk jre windowsservercore nanoserver musl glibc uclibc \
        management rc beta alpha community enterprise full minimal distroless nonroot debug";
    let version = |part: &str| part.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    let word = |part: &str| {
        let stem = part.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        WORDS.split_whitespace().any(|own| own == stem)
    };
    tag.split(['-', '_']).all(|part| version(part) || word(part))
}

/// What is told beside a failed pull, so that a hole of the catalogue is not taken for a mistake in a name. A tag that
/// no image would have is a mistake.
pub fn hole(reference: &Reference) -> Option<String> {
    let lines = || CATALOGUE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let names: crate::base::BTreeSet<&str> = lines().filter_map(|line| line.split('|').next()).map(str::trim).collect();
    let name = reference.full();
    let short =
        name.strip_prefix("docker.io/library/").or(name.strip_prefix("docker.io/")).unwrap_or(&name).to_string();
    let repository = reference.repository();
    let known = names.iter().any(|own| full_repository(own) == repository);
    let what = format!("image: {short}");
    if known {
        let text = "Drydock knows this image, but no such tag of it; if the tag exists, take another";
        return is_likely(&reference.tag).then(|| gap::line(&what, text));
    }
    let count = names.len();
    let text = format!("Drydock knows {count} images, and this is none of them; if it exists, take another");
    Some(gap::line(&what, &text))
}

/// Words divided by \u{1}; double quotes keep blanks.
fn quoted_words(text: &str) -> String {
    let mut quoted = false;
    text.chars()
        .filter_map(|c| match c {
            '"' => {
                quoted = !quoted;
                None
            }
            ' ' if !quoted => Some('\u{1}'),
            c => Some(c),
        })
        .collect()
}

/// 64 hex digits that depend on a text alone.
pub fn hex64(text: &str) -> String {
    let mut out = String::with_capacity(64);
    let mut state: u64 = 0xcbf2_9ce4_8422_2325;
    for round in 0..4_u64 {
        for byte in text.bytes().chain(round.to_le_bytes()) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            state ^= state >> 29;
        }
        out.push_str(&format!("{:016x}", state.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (state >> 32)));
    }
    out
}

fn made_digest(text: &str) -> SmolStr {
    format_smolstr!("sha256:{}", hex64(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_normalised_as_containerd_does() {
        let check = |text: &str, want: &str| {
            let got =
                Reference::parse(text).map(|reference| reference.full()).unwrap_or_else(|error| format!("! {error}"));
            assert_eq!(got, want, "{text}");
        };
        check("nginx", "docker.io/library/nginx:latest");
        check("nginx:1.29", "docker.io/library/nginx:1.29");
        check("lab/web", "docker.io/lab/web:latest");
        check("ghcr.io/a/b:v1", "ghcr.io/a/b:v1");
        check("localhost:5000/x", "localhost:5000/x:latest");
        check("localhost/x", "localhost/x:latest");
        check("NGINX:1", "! invalid reference format: repository name (library/NGINX) must be lowercase");
        check("nginx:not a tag", "! invalid reference format");
        check("", "! invalid reference format");
        check("a//b", "! invalid reference format");
    }

    #[test]
    fn the_catalogue_answers() {
        let find = |text: &str| find(&Reference::parse(text).unwrap());
        assert_eq!(find("nginx:1.29.0").unwrap().size, 72_000_000);
        assert_eq!(find("nginx:1.29.0").unwrap().command, ["nginx", "-g", "daemon off;"]);
        assert_eq!(find("nginx:1.29-alpine").unwrap().base, "busybox");
        assert_eq!(find("nginx:1.999"), Err(Missing::Tag));
        assert_eq!(find("busybox:no-such-tag-xyz"), Err(Missing::Tag));
        assert_eq!(find("nginx:1.161"), Err(Missing::Tag));
        assert_eq!(find("nginx:1.29.09"), Err(Missing::Tag));
        for name in [
            "nginx:1.27.3-alpine3.20",
            "php:apache",
            "eclipse-temurin:21",
            "gcr.io/google-samples/kubernetes-bootcamp:v1",
            "k8s.gcr.io/echoserver:1.4",
            "ubuntu:24.04",
            "prom/prometheus:v2.53.0",
        ] {
            assert!(find(name).is_ok(), "{name}");
        }
        assert_eq!(find("ngnix"), Err(Missing::Denied));
        assert_eq!(find("registry.example.com/a"), Err(Missing::NoHost));
        assert_eq!(hex64("a").len(), 64);
        for line in CATALOGUE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            assert_eq!(line.split('|').count(), 9, "{line}");
            assert!(
                line.split('|')
                    .nth(1)
                    .unwrap()
                    .split_whitespace()
                    .all(|tag| tag_fits(&tag.replace('*', ""), &first(tag))),
                "{line}"
            );
            assert!(line.split('|').nth(2).unwrap().trim().parse::<u64>().is_ok(), "{line}");
        }
    }

    /// A tag a pattern stands for.
    fn first(pattern: &str) -> String {
        let mut out = String::new();
        let mut rest = pattern;
        while let Some((literal, tail)) = rest.split_once('{') {
            let (range, tail) = tail.split_once('}').unwrap();
            out += literal;
            out += range.split('-').next().unwrap();
            rest = tail;
        }
        (out + rest).replace('*', "").replace('@', "v1.0")
    }
}
