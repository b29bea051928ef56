//! The words a kubectl user may write for a resource, as data: plural, singular, short and kind names, with or
//! without version and group, and categories. Custom resources are added by whoever holds them.

use super::{Kind, kinds};

/// A resource argument taken apart: `deploy.v1.apps` → resource `deploy`, version `v1`, group `apps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument<'a> {
    pub resource: &'a str,
    /// Empty when not given.
    pub version: &'a str,
    /// `None` when not given.
    pub group: Option<&'a str>,
}

impl<'a> Argument<'a> {
    /// The readings kubectl tries, in its order: `resource.version.group`, `resource.group`, the bare word.
    pub fn readings(text: &'a str) -> Vec<Argument<'a>> {
        let mut out = Vec::new();
        if let Some((resource, rest)) = text.split_once('.') {
            if let Some((version, group)) = rest.split_once('.') {
                out.push(Argument { resource, version, group: Some(group) });
            }
            out.push(Argument { resource, version: "", group: Some(rest) });
        } else {
            out.push(Argument { resource: text, version: "", group: None });
        }
        out
    }
}

/// The resource a word stands for; the first in the order of discovery wins, plurals before singulars before short
/// names. Case does not matter for names (`Pods`, `PODS`, and the kind name `Pod`, whose small form is the
/// singular), but a short name is written small (`PO` is nothing).
pub fn resolve(text: &str) -> Option<&'static Kind> {
    let lower = text.to_lowercase();
    let short = text.split('.').next().unwrap_or_default();
    Argument::readings(&lower).into_iter().find_map(|argument| {
        let fits = |kind: &&Kind| {
            argument.group.is_none_or(|group| {
                // `deployments.app` is a prefix match in kubectl's mapper, too.
                kind.group == group || (!group.is_empty() && kind.group.starts_with(group))
            }) && (argument.version.is_empty() || kind.version == argument.version)
        };
        let by = |test: &dyn Fn(&Kind) -> bool| {
            let exact = |kind: &&Kind| argument.group.is_some_and(|group| kind.group == group);
            let all = || kinds().iter().filter(fits).filter(|kind| test(kind));
            all().find(exact).or_else(|| all().next())
        };
        by(&|kind| kind.resource == argument.resource)
            .or_else(|| by(&|kind| kind.singular == argument.resource))
            .or_else(|| by(&|kind| kind.short_names.contains(&short)))
    })
}

/// The resources of a category (`all`, `api-extensions`), each once, in the order of discovery.
pub fn category(name: &str) -> Vec<&'static Kind> {
    let mut out: Vec<&'static Kind> = Vec::new();
    for kind in kinds().iter().filter(|kind| kind.categories.contains(&name)) {
        if !out.iter().any(|seen| seen.group == kind.group && seen.resource == kind.resource) {
            out.push(kind);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_resources() {
        let check = |text: &str, want: &str| {
            let got = resolve(text).map_or("-".to_owned(), |kind| format!("{} {}", kind.api_version(), kind.resource));
            assert_eq!(got, want, "{text}");
        };
        check("po", "v1 pods");
        check("pod", "v1 pods");
        check("Pods", "v1 pods");
        check("POD", "v1 pods");
        check("PO", "-");
        check("deploy.v1.apps", "apps/v1 deployments");
        check("deployments.apps", "apps/v1 deployments");
        check("deployment.app", "apps/v1 deployments");
        check("hpa", "autoscaling/v2 horizontalpodautoscalers");
        check("hpa.v1.autoscaling", "autoscaling/v1 horizontalpodautoscalers");
        check("ev", "v1 events");
        check("events.events.k8s.io", "events.k8s.io/v1 events");
        check("ing", "networking.k8s.io/v1 ingresses");
        check("foo", "-");
        check("pods.apps", "-");
        check("", "-");
        let all: Vec<_> = category("all").iter().map(|kind| kind.resource).collect();
        assert_eq!(
            all.join(" "),
            "pods replicationcontrollers services daemonsets deployments replicasets statefulsets horizontalpodautoscalers cronjobs jobs"
        );
    }
}
