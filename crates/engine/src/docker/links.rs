//! Links between containers of the default bridge: the names they give, what the one that links finds in its
//! environment and in /etc/hosts. In other networks a link is one more name for the name server (`networks`).

use super::container::Container;
use super::networks::dotted;
use super::ports::port_number;
use super::{Engine, Outcome, fail};
use crate::base::Value;

/// Whom a link is for, and what it was called when the link was made.
#[derive(Clone)]
pub struct Link {
    id: String,
    name: String,
}

impl Engine {
    /// The containers a container links to: alias and whom it is for.
    pub(super) fn links_of(&self, name: &str) -> Vec<(String, Link)> {
        let start = format!("{name}/");
        let own = self.links.range(start.clone()..).take_while(|(key, _)| key.starts_with(&start));
        own.map(|(key, link)| (key.get(start.len()..).unwrap_or_default().to_string(), link.clone())).collect()
    }

    /// The container that another one calls so.
    pub(super) fn linked_as(&self, name: &str) -> Option<&String> {
        self.links.get(name).map(|link| &link.id).filter(|id| self.containers.contains_key(*id))
    }

    fn name_now(&self, link: &Link) -> String {
        self.containers.get(&link.id).map_or_else(|| link.name.clone(), |other| other.name.clone())
    }

    /// The names other containers have for this one.
    pub(super) fn link_names(&self, id: &str) -> impl Iterator<Item = String> {
        self.links.iter().filter(move |(_, link)| link.id == id).map(|(name, _)| format!("/{name}"))
    }

    /// `Links` as they are told: `/other:/own/alias`.
    pub(super) fn links_value(&self, name: &str) -> Value {
        let mut links: Vec<String> = self
            .links_of(name)
            .iter()
            .map(|(alias, link)| format!("/{}:/{name}/{alias}", self.name_now(link)))
            .collect();
        links.sort();
        if links.is_empty() { Value::Null } else { Value::list(links.into_iter().map(Value::from).collect()) }
    }

    /// The links a new container asks for; of one alias the first holds.
    pub(super) fn attach_links(&mut self, container: &mut Container, mode: &str) -> Outcome<()> {
        let links = std::mem::take(container.host.at_mut(&["Links"]));
        if !matches!(mode, "bridge" | "host" | "none") {
            return Ok(());
        }
        let mut wanted = Vec::new();
        for link in links.items() {
            let (name, alias) = link.str().split_once(':').unwrap_or((link.str(), link.str()));
            let start = format!("could not get container for {name}: ");
            if name.is_empty() {
                return fail(400, format!("{start}invalid name or ID supplied: \"\""));
            }
            let other = self.container(name).map_err(|(_, why)| (400, format!("{start}{why}")))?;
            wanted.push((
                format!("{}/{}", container.name, alias.trim_start_matches('/')),
                Link { id: other.id.clone(), name: other.name.clone() },
            ));
        }
        for (name, link) in wanted {
            self.links.entry(name).or_insert(link);
        }
        Ok(())
    }

    /// Takes the name `own/alias` away.
    pub(super) fn remove_link(&mut self, name: &str) -> Outcome<()> {
        let plain = name.strip_prefix('/').unwrap_or(name);
        if self.linked_as(plain).is_none() {
            return fail(404, format!("No such container: {name}"));
        }
        self.links.remove(plain);
        let own = plain.split('/').next().and_then(|own| self.names.get(own)).cloned();
        if let Some(id) = own.filter(|id| self.containers.get(id).is_some_and(Container::is_running)) {
            self.write_host_files(&id);
        }
        Ok(())
    }

    /// Of a container that is no more: those that link to it go on to want it.
    pub(super) fn forget_links(&mut self, name: &str) {
        let start = format!("{name}/");
        self.links.retain(|key, _| !key.starts_with(&start));
    }

    pub(super) fn rename_links(&mut self, old: &str, new: &str) {
        for (alias, link) in self.links_of(old) {
            self.links.remove(&format!("{old}/{alias}"));
            self.links.insert(format!("{new}/{alias}"), link);
        }
    }

    /// The running containers a container on the default bridge links to: alias, container, address.
    fn linked(&self, container: &Container) -> Outcome<Vec<(String, &Container, String)>> {
        let bridged = |of: &Container| {
            let own = of.networks.iter().find(|own| own.network == "bridge")?;
            Some(own.endpoint.as_ref().map_or(String::new(), |endpoint| dotted(endpoint.address)))
        };
        let mut found = Vec::new();
        if self.links.is_empty() || bridged(container).is_none() {
            return Ok(found);
        }
        for (alias, link) in self.links_of(&container.name) {
            let Some(other) = self.containers.get(&link.id).filter(|other| other.is_running()) else {
                let names = format!("/{} AS /{}/{alias}", self.name_now(&link), container.name);
                return fail(500, format!("Cannot link to a non running container: {names}"));
            };
            let Some(address) = bridged(other) else {
                return fail(500, format!("container {} not attached to default bridge network", link.id));
            };
            found.push((alias, other, address));
        }
        Ok(found)
    }

    /// Lines of /etc/hosts.
    pub(super) fn link_hosts(&self, container: &Container) -> String {
        let line = |(alias, other, address): (String, &Container, String)| {
            let name = if alias == other.name { String::new() } else { format!(" {}", other.name) };
            format!("{address}\t{alias} {}{name}\n", other.config["Hostname"].str())
        };
        self.linked(container).unwrap_or_default().into_iter().map(line).collect()
    }

    /// The variables links set, which come before a container's own.
    pub(super) fn link_variables(&self, container: &Container) -> Outcome<Vec<(String, String)>> {
        let mut all = Vec::new();
        for (alias, other, address) in self.linked(container)? {
            variables(&mut all, &alias, &container.name, other, &address);
        }
        Ok(all)
    }
}

fn variables(out: &mut Vec<(String, String)>, alias: &str, own: &str, other: &Container, address: &str) {
    let start = alias.to_uppercase().replace('-', "_");
    let mut set = |key: String, value: String| out.push((format!("{start}_{key}"), value));
    let exposed = other.config["ExposedPorts"].entries();
    let mut ports: Vec<(bool, u16, &str)> = exposed
        .keys()
        .map(|port| {
            let (number, protocol) = port_number(port);
            (protocol != "tcp", number, protocol)
        })
        .collect();
    ports.sort_unstable();
    let url = |number: u16, protocol: &str| format!("{protocol}://{address}:{number}");
    if let Some((_, number, protocol)) = ports.first() {
        set("PORT".into(), url(*number, protocol));
    }
    // Ports that follow each other are told as a range too, when the range is over.
    let mut range: Option<(u16, u16, &str)> = None;
    for at in 0..=ports.len() {
        let next = ports.get(at).map(|(_, number, protocol)| (*number, *protocol));
        if let Some((number, protocol)) = next {
            let key = format!("PORT_{number}_{}", protocol.to_uppercase());
            set(key.clone(), url(number, protocol));
            set(format!("{key}_ADDR"), address.to_string());
            set(format!("{key}_PORT"), number.to_string());
            set(format!("{key}_PROTO"), protocol.to_string());
        }
        match (range, next) {
            (Some((first, last, own)), Some((number, protocol)))
                if own == protocol && number == last.wrapping_add(1) =>
            {
                range = Some((first, number, own));
            }
            (before, _) => {
                if let Some((first, last, protocol)) = before.filter(|(first, last, _)| first != last) {
                    let key = format!("PORT_{first}_{}", protocol.to_uppercase());
                    set(format!("{key}_START"), url(first, protocol));
                    set(format!("{key}_PORT_START"), first.to_string());
                    set(format!("{key}_END"), url(last, protocol));
                    set(format!("{key}_PORT_END"), last.to_string());
                }
                range = next.map(|(number, protocol)| (number, number, protocol));
            }
        }
    }
    set("NAME".into(), format!("/{own}/{alias}"));
    let env = other.config["Env"].items();
    for (key, value) in env.iter().filter_map(|entry| entry.str().split_once('=')) {
        if !matches!(key, "HOME" | "PATH") {
            set(format!("ENV_{key}"), value.to_string());
        }
    }
}
