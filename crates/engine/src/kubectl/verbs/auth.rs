//! `auth can-i --list`, `auth reconcile`, `set subject`, `certificate approve` and `deny`.

use crate::base::http::Method;
use crate::base::{Value, columns};
use crate::kubectl::args::{Args, DryRun};
use crate::kubectl::io::{Failure, Io, Outcome, Stop, body, fail, server_failure};
use crate::kubectl::mapper::Mapper;
use crate::kubectl::{manifest, print, select};
use crate::map;

const GROUP: &str = "rbac.authorization.k8s.io";

fn words(value: &Value) -> String {
    let all: Vec<&str> = value.items().iter().map(Value::str).collect();
    format!("[{}]", all.join(" "))
}

/// Rules of one group, resource and verb each.
fn broken_down(rules: &[Value]) -> Vec<Value> {
    let mut out = Vec::new();
    let one = |text: &Value| Value::list(vec![text.clone()]);
    for rule in rules {
        for verb in rule["verbs"].items() {
            for group in rule["apiGroups"].items() {
                for resource in rule["resources"].items() {
                    let mut part =
                        map! { "verbs" => one(verb), "apiGroups" => one(group), "resources" => one(resource) };
                    let names = rule["resourceNames"].items();
                    for name in names {
                        part.set(&["resourceNames"], one(name));
                        out.push(part.clone());
                    }
                    if names.is_empty() {
                        out.push(part);
                    }
                }
            }
            for url in rule["nonResourceURLs"].items() {
                out.push(map! { "verbs" => one(verb), "nonResourceURLs" => one(url) });
            }
        }
    }
    out
}

pub fn can_list(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.words.is_empty() {
        return fail("list option must be specified with no arguments");
    }
    if args.is("quiet") || args.is("all-namespaces") || !args.get("subresource").is_empty() {
        return fail("list option can't be specified with neither quiet, all-namespaces nor subresource options");
    }
    let review = map! {
        "apiVersion" => "authorization.k8s.io/v1", "kind" => "SelfSubjectRulesReview",
        "spec" => map! { "namespace" => io.namespace.as_str() },
    };
    let request = io.request(Method::Post, "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews").with_body(review);
    let answer = io.must(request)?;
    let status = &answer["status"];
    let mut rules: Vec<Value> = Vec::new();
    for part in broken_down(status["resourceRules"].items()) {
        let alike =
            |rule: &&mut Value| ["apiGroups", "resources", "resourceNames"].iter().all(|f| rule[*f] == part[*f]);
        match rules.iter_mut().find(alike) {
            Some(rule) => {
                let mut verbs = rule["verbs"].items().to_vec();
                verbs.extend(part["verbs"].items().iter().cloned());
                rule.set(&["verbs"], verbs);
            }
            None => rules.push(part),
        }
    }
    rules.extend(broken_down(status["nonResourceRules"].items()));
    // Sorted by the text of the Go struct, in which the groups follow the verbs.
    rules.sort_by_cached_key(|rule| {
        let parts = ["verbs", "apiGroups", "resources", "resourceNames", "nonResourceURLs"];
        parts.map(|part| format!("{},", words(&rule[part]))).concat()
    });
    let mut text = String::new();
    if !args.is("no-headers") {
        text.push_str("Resources\tNon-Resource URLs\tResource Names\tVerbs\n");
    }
    for rule in &rules {
        let (resource, group) = (rule["resources"][0].str(), rule["apiGroups"][0].str());
        let full = match (group, resource.split_once('/')) {
            ("", _) => resource.to_string(),
            (group, Some((resource, sub))) => format!("{resource}.{group}/{sub}"),
            (group, None) => format!("{resource}.{group}"),
        };
        text.push_str(&format!(
            "{full}\t{}\t{}\t{}\n",
            words(&rule["nonResourceURLs"]),
            words(&rule["resourceNames"]),
            words(&rule["verbs"])
        ));
    }
    let rows: Vec<Vec<String>> = text.lines().map(|line| line.split('\t').map(str::to_string).collect()).collect();
    io.out(columns::table(&rows, &mut Vec::new()));
    Ok(())
}

/// Whether a rule allows all of a smaller one.
fn covers(rule: &Value, part: &Value) -> bool {
    let all = |field: &str| {
        let own = rule[field].items();
        part[field].items().iter().all(|item| {
            own.contains(item)
                || own.iter().any(|own| own.str() == "*")
                || own.iter().any(|own| {
                    let sub = item.str().split_once('/').map_or("", |(_, sub)| sub);
                    !sub.is_empty() && own.str() == format!("*/{sub}")
                })
        })
    };
    let names = rule["resourceNames"].is_empty()
        || (!part["resourceNames"].is_empty()
            && part["resourceNames"].items().iter().all(|name| rule["resourceNames"].items().contains(name)));
    all("verbs") && all("apiGroups") && all("resources") && all("nonResourceURLs") && names
}

fn uncovered(owner: &Value, servant: &Value) -> Vec<Value> {
    let parts = broken_down(servant["rules"].items());
    parts.into_iter().filter(|part| !owner["rules"].items().iter().any(|rule| covers(rule, part))).collect()
}

/// One line per rule or subject, as Go shows the struct.
fn shown(item: &Value, of_role: bool) -> String {
    if of_role {
        let parts = [
            ("Verbs", "verbs"),
            ("APIGroups", "apiGroups"),
            ("Resources", "resources"),
            ("ResourceNames", "resourceNames"),
            ("NonResourceURLs", "nonResourceURLs"),
        ];
        let parts = parts.map(|(name, field)| format!("{name}:{}", words(&item[field])));
        return format!("\t\t{{{}}}\n", parts.join(" "));
    }
    let parts = [("Kind", "kind"), ("APIGroup", "apiGroup"), ("Name", "name"), ("Namespace", "namespace")];
    let parts = parts.map(|(name, field)| format!("{name}:{}", item[field].str()));
    format!("\t\t{{{}}}\n", parts.join(" "))
}

pub fn reconcile(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if !args.words.is_empty() {
        return fail("no arguments are allowed");
    }
    let dry_run = args.dry_run()?;
    if dry_run == DryRun::Server {
        return fail("--dry-run=server for command reconcile is not supported yet");
    }
    if !manifest::given(args) {
        return fail("must specify one of -f and -k");
    }
    let mapper = Mapper::discover(io)?;
    let (documents, mut failures) = manifest::load(args, io, &mapper)?;
    for document in documents.into_iter().filter(|document| document.mapping.group == GROUP) {
        let of_role = matches!(document.mapping.kind.as_str(), "Role" | "ClusterRole");
        let (field, noun) = if of_role { ("rules", "rules") } else { ("subjects", "subjects") };
        let remove = args.is(if of_role { "remove-extra-permissions" } else { "remove-extra-subjects" });
        let mut expected = document.object.clone();
        for subject in expected.at_mut(&["subjects"]).list_mut() {
            if matches!(subject["kind"].str(), "User" | "Group") && subject["apiGroup"].is_null() {
                subject.set(&["apiGroup"], GROUP);
            }
        }
        if expected["subjects"].is_empty() {
            expected.remove(&["subjects"]);
        }
        let namespace = document.namespace(io);
        let path = document.mapping.path(&namespace, document.name());
        let request = io.request(Method::Get, path.clone());
        let response = io.send(request)?;
        let existing = body(&response);
        let missing;
        let (mut extra, mut operation) = (Vec::new(), "create");
        let mut result = expected.clone();
        if response.ok() {
            operation = "";
            result = existing.clone();
            for field in ["annotations", "labels"] {
                for (key, value) in expected.at(&["metadata", field]).entries().iter() {
                    if !existing.at(&["metadata", field]).has(key) {
                        result.set(&["metadata", field, key], value.clone());
                        operation = "update";
                    }
                }
            }
            (extra, missing) = if of_role {
                (uncovered(&expected, &existing), uncovered(&existing, &expected))
            } else {
                let without = |from: &Value, what: &Value| -> Vec<Value> {
                    let known = what["subjects"].items();
                    from["subjects"].items().iter().filter(|subject| !known.contains(subject)).cloned().collect()
                };
                (without(&existing, &expected), without(&expected, &existing))
            };
            if remove && !(missing.is_empty() && extra.is_empty()) {
                result.set(&[field], expected[field].clone());
                operation = "update";
            } else if !missing.is_empty() {
                let mut all = existing[field].items().to_vec();
                all.extend(missing.iter().cloned());
                result.set(&[field], all);
                operation = "update";
            }
            if !of_role && existing["roleRef"] != expected["roleRef"] {
                operation = "recreate";
                result.set(&["roleRef"], expected["roleRef"].clone());
            }
        } else if response.code == 404 {
            missing = expected[field].items().to_vec();
        } else {
            failures.push(server_failure(&response));
            continue;
        }
        let protected =
            existing.at(&["metadata", "annotations"]).get("rbac.authorization.kubernetes.io/autoupdate").str()
                == "false";
        if dry_run == DryRun::None && !protected && !operation.is_empty() {
            if operation == "recreate" {
                let request = io.request(Method::Delete, path.clone());
                io.must(request)?;
                result.remove(&["metadata", "resourceVersion"]);
                result.remove(&["metadata", "uid"]);
            }
            let request = if operation == "update" {
                io.request(Method::Put, path)
            } else {
                io.request(Method::Post, document.mapping.path(&namespace, ""))
            };
            let response = io.send(request.with_body(result.clone()))?;
            if !response.ok() {
                failures.push(server_failure(&response));
                continue;
            }
            result = body(&response);
        }
        print::action(&result, "reconciled", args, io, &mapper)?;
        if operation.is_empty() {
            continue;
        }
        let caveat =
            if protected { ", but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)" } else { "" };
        io.err(format!("\treconciliation required {operation}{caveat}\n"));
        for (list, title, on) in [(&missing, "missing", true), (&extra, "extra", remove)] {
            if on && !list.is_empty() {
                let verb = if title == "missing" { "added" } else { "removed" };
                let lines: String = list.iter().map(|item| shown(item, of_role)).collect();
                io.err(format!("\t{title} {noun} {verb}:\n{lines}"));
            }
        }
    }
    select::finish(failures)
}

pub fn set_subject(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let mapper = Mapper::discover(io)?;
    let (found, mut failures) = select::fetch(args, io, &mapper, select::Rules::default())?;
    if !failures.is_empty() {
        return select::finish(failures);
    }
    let lists = [("user", "User"), ("group", "Group"), ("serviceaccount", "ServiceAccount")];
    if lists.iter().all(|(flag, _)| args.list(flag).is_empty()) {
        return fail("you must specify at least one value of user, group or serviceaccount");
    }
    let mut subjects = Vec::new();
    for (flag, kind) in lists {
        let mut names = args.split(flag);
        names.sort();
        names.dedup();
        for name in names {
            if kind != "ServiceAccount" {
                subjects.push(map! { "kind" => kind, "apiGroup" => GROUP, "name" => name });
                continue;
            }
            let Some((namespace, name)) =
                name.split_once(':').filter(|(_, name)| !name.is_empty() && !name.contains(':'))
            else {
                return fail("serviceaccount must be <namespace>:<name>");
            };
            let namespace = if namespace.is_empty() { io.namespace.as_str() } else { namespace };
            subjects.push(map! { "kind" => kind, "namespace" => namespace, "name" => name });
        }
    }
    let dry_run = args.dry_run()?;
    for item in found {
        if !matches!(item.mapping.kind.as_str(), "RoleBinding" | "ClusterRoleBinding") {
            failures.push(Failure::Full(format!(
                "error: {}/{} setting subjects is only supported for RoleBinding/ClusterRoleBinding\n",
                item.mapping.qualified(),
                item.name()
            )));
            continue;
        }
        let mut all = item.object["subjects"].items().to_vec();
        let before = all.len();
        all.extend(subjects.iter().filter(|new| !item.object["subjects"].items().contains(new)).cloned());
        if all.len() == before {
            continue;
        }
        let mut object = item.object.clone();
        object.set(&["subjects"], all.clone());
        if dry_run != DryRun::Client && !args.is("local") {
            let mut request = io.request(Method::Patch, item.path()).with_body(map! { "subjects" => all });
            request.content_type = super::apply::STRATEGIC.into();
            if dry_run == DryRun::Server {
                request = request.with_query("dryRun", "All");
            }
            let response = io.send(request.with_query("fieldManager", args.get("field-manager")))?;
            if !response.ok() {
                let text = server_failure(&response);
                failures.push(Failure::Plain(format!("failed to patch subjects to rolebinding: {}", text.text())));
                continue;
            }
            object = body(&response);
        }
        print::action(&object, "subjects updated", args, io, &mapper)?;
    }
    select::finish(failures)
}

pub fn certificate(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if args.words.is_empty() && !manifest::given(args) {
        return fail("one or more CSRs must be specified as <name> or -f <filename>");
    }
    let approve = args.command.ends_with("approve");
    let (kind, other, reason, verb) = if approve {
        ("Approved", "Denied", "KubectlApprove", "approved")
    } else {
        ("Denied", "Approved", "KubectlDeny", "denied")
    };
    let mapper = Mapper::discover(io)?;
    let inner = match args.words.is_empty() || args.words.iter().any(|word| word.contains('/')) {
        true => args.clone(),
        false => {
            args.with_words(std::iter::once("certificatesigningrequests".into()).chain(args.words.clone()).collect())
        }
    };
    let (found, mut failures) = select::fetch(&inner, io, &mapper, select::Rules::default())?;
    for item in found {
        if item.mapping.kind != "CertificateSigningRequest" {
            failures.push(Failure::Plain(format!(
                "can only handle CertificateSigningRequest.certificates.k8s.io objects, got {}",
                item.mapping.qualified_kind()
            )));
            continue;
        }
        let mut object = item.object.clone();
        let mut conditions = object.at(&["status", "conditions"]).items().to_vec();
        let has = |kind: &str| conditions.iter().any(|condition| condition["type"].str() == kind);
        if has(other) {
            failures
                .push(Failure::Plain(format!("certificate signing request \"{}\" is already {other}", item.name())));
            continue;
        }
        if !has(kind) || args.is("force") {
            if !has(kind) {
                let now = io.now().rfc3339();
                conditions.push(map! {
                    "type" => kind, "status" => "True", "reason" => reason, "lastUpdateTime" => now,
                    "lastTransitionTime" => Value::Null,
                    "message" => format!("This CSR was {verb} by kubectl certificate {}.", if approve { "approve" } else { "deny" }),
                });
            }
            object.set(&["status", "conditions"], conditions);
            let request = io.request(Method::Put, format!("{}/approval", item.path())).with_body(object);
            let response = io.send(request)?;
            if !response.ok() {
                return Err(Stop::Fail(vec![server_failure(&response)], 1));
            }
            object = body(&response);
        }
        print::action(&object, verb, args, io, &mapper)?;
    }
    select::finish(failures)
}
