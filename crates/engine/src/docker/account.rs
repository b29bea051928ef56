//! Whom a container's programs run as, and what they find in their environment.

use super::container::Container;
use super::{Outcome, fail};
use crate::base::{Time, Value};
use crate::process::{Env, Node};

/// User, group and home of whom a container runs as.
pub fn account(container: &Container, user: &str) -> Outcome<(String, String, String)> {
    let read = |path: &str| container.files().read_text("/", path).unwrap_or_default();
    let (name, group) = user.split_once(':').unwrap_or((user, ""));
    let name = if name.is_empty() { "root" } else { name };
    let passwd = read("/etc/passwd");
    let entry = passwd
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find(|f| f.first() == Some(&name) || f.get(2) == Some(&name));
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty();
    let beyond = |text: &str| text.parse::<i128>().is_ok_and(|id| !(0..=2_147_483_647).contains(&id));
    if beyond(name) && entry.is_none() || beyond(group) {
        return fail(400, "uids and gids must be in range 0-2147483647");
    }
    let (uid, gid, home) = match entry {
        Some(fields) => {
            let field = |at: usize| fields.get(at).copied().unwrap_or_default().to_string();
            (field(2), field(3), field(5))
        }
        None if number(name) => (name.to_string(), "0".into(), "/".into()),
        None => return fail(400, format!("unable to find user {name}: no matching entries in passwd file")),
    };
    if group.is_empty() {
        return Ok((uid, gid, home));
    }
    let groups = read("/etc/group");
    let found = groups.lines().find_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        (fields.first() == Some(&group)).then(|| fields.get(2).copied().unwrap_or("0").to_string())
    });
    match found {
        Some(gid) => Ok((uid, gid, home)),
        None if number(group) => Ok((uid, group.to_string(), home)),
        None => fail(400, format!("unable to find group {group}: no matching entries in group file")),
    }
}

/// What `id` reads.
pub fn write_account(container: &mut Container, account: &(String, String, String), now: Time) {
    let (uid, gid, _) = account;
    let text = format!("Uid:\t{uid}\t{uid}\t{uid}\t{uid}\nGid:\t{gid}\t{gid}\t{gid}\t{gid}\n");
    let node =
        Node::File { content: std::sync::Arc::new(text.into_bytes()), modified: now, mode: 0o444, read_only: false };
    container.files_mut().mount("/proc/self/status", node);
}

/// The variables of a program: those links set, the container's own, and more where `exec` gives some.
pub fn environment(container: &Container, links: Vec<(String, String)>, more: &Value, home: &str, tty: bool) -> Env {
    let mut env = Env::new();
    let given = || container.config["Env"].items().iter().filter_map(|entry| entry.str().split_once('='));
    if given().any(|(name, _)| name == "PATH") {
        env.insert("PATH".into(), String::new());
    }
    env.insert("HOSTNAME".into(), container.config["Hostname"].str().into());
    if tty {
        env.insert("TERM".into(), "xterm".into());
    }
    env.extend(links);
    env.extend(given().map(|(name, value)| (name.into(), value.into())));
    for entry in more.items() {
        match entry.str().split_once('=') {
            Some((name, value)) => env.insert(name.into(), value.into()),
            None => drop(env.remove(entry.str())),
        }
    }
    if !env.contains_key("HOME") {
        env.insert("HOME".into(), home.into());
    }
    env
}
