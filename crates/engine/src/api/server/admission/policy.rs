//! ValidatingAdmissionPolicies: rules in CEL on what is written, put to work by bindings.
//!
//! Left out: audit annotations, the authorizer, equivalent versions of a resource, params chosen by selector.

use crate::api::object;
use crate::api::server::{Call, Result, Server};
use crate::api::status::{Status, cause};
use crate::base::cel::{self, Failure};
use crate::base::{SmolStr, Span, Time, Value};
use crate::store::Key;
use crate::{list, map};

pub const POLICIES: &str = "validatingadmissionpolicies.admissionregistration.k8s.io";
const BINDINGS: &str = "validatingadmissionpolicybindings.admissionregistration.k8s.io";
const GROUP: &str = "admissionregistration.k8s.io";
/// So long after it is made a policy or binding is at work.
const DELAY: Span = Span::seconds(1);

/// What a policy has against a write.
struct Refusal {
    text: String,
    reason: SmolStr,
}

impl Server {
    pub(in crate::api::server) fn check_policies(
        &mut self,
        call: &mut Call<'_, '_>,
        old: &Value,
        new: &Value,
    ) -> Result<()> {
        if self.store.count(BINDINGS) == 0 || call.resource().group == GROUP {
            return Ok(());
        }
        let now = call.cx.now;
        let at_work = |object: &Value| made(object).is_some_and(|at| at + DELAY <= now);
        let bindings: Vec<Value> =
            self.store.list(BINDINGS, None).map(|(_, binding)| binding.clone()).filter(at_work).collect();
        for binding in bindings {
            let policy = self.global(POLICIES, binding["spec"]["policyName"].str());
            let Some(policy) = policy.filter(at_work) else { continue };
            let Some(refusal) = self.judge(call, &policy, &binding, old, new) else { continue };
            let (policy, binding_name) = (object::name(&policy).to_owned(), object::name(&binding).to_owned());
            let actions = binding["spec"]["validationActions"].items();
            if actions.iter().any(|action| action.str() == "Warn") {
                call.warn(format!(
                    "Validation failed for ValidatingAdmissionPolicy '{policy}' with binding '{binding_name}': {}",
                    refusal.text
                ));
            }
            if actions.iter().any(|action| action.str() == "Deny") {
                let why = format!(
                    "ValidatingAdmissionPolicy '{policy}' with binding '{binding_name}' denied request: {}",
                    refusal.text
                );
                let name = super::known_name(if new.is_null() { old } else { new });
                let mut status = Status::forbidden(&call.resource().named(), name, &why);
                (status.code, status.reason) = match refusal.reason.as_str() {
                    "Forbidden" => (403, "Forbidden"),
                    "Unauthorized" => (401, "Unauthorized"),
                    "RequestEntityTooLarge" => (413, "RequestEntityTooLarge"),
                    _ => (422, "Invalid"),
                };
                return Err(status.with("causes", list![cause("", why.as_str(), "")]));
            }
        }
        Ok(())
    }

    fn global(&self, resource: &str, name: &str) -> Option<Value> {
        let key = Key { resource: resource.into(), namespace: SmolStr::default(), name: name.into() };
        self.store.get(&key).cloned()
    }

    /// The first validation of a policy that fails, if it is about this write at all.
    fn judge(&self, call: &Call<'_, '_>, policy: &Value, binding: &Value, old: &Value, new: &Value) -> Option<Refusal> {
        let (spec, of_binding) = (&policy["spec"], &binding["spec"]["matchResources"]);
        if !self.is_about(call, &spec["matchConstraints"], old, new)
            || !(of_binding.is_null() || self.is_about(call, of_binding, old, new))
        {
            return None;
        }
        let namespace = self.namespace(&call.target.namespace).cloned().unwrap_or_default();
        let request = request(call, old, new);
        let refused = |text: String| Some(Refusal { text, reason: SmolStr::default() });
        let params = match self.params(call, spec, binding) {
            Ok(params) => params,
            Err(true) => {
                let why = "no params found for policy binding with `Deny` parameterNotFoundAction";
                return refused(format!("failed to configure binding: {why}"));
            }
            Err(false) => return None,
        };
        let mut variables = Value::empty_map();
        let ignores = spec["failurePolicy"].str() == "Ignore";
        let evaluate = |rule: &str, variables: &Value| {
            let names = [
                ("object", new),
                ("oldObject", old),
                ("request", &request),
                ("namespaceObject", &namespace),
                ("params", &params),
                ("variables", variables),
            ];
            cel::evaluate(rule, &names)
        };
        let failed = |rule: &str, error: String| match ignores {
            true => None,
            false => refused(format!("expression '{rule}' resulted in error: {error}")),
        };
        for condition in spec["matchConditions"].items() {
            match evaluate(condition["expression"].str(), &variables) {
                Ok(Value::Bool(true)) | Err(Failure::Unknown) => {}
                Ok(_) => return None,
                Err(Failure::Error(error)) => return failed(condition["expression"].str(), error),
            }
        }
        for variable in spec["variables"].items() {
            // One that fails is missed by whoever uses it.
            if let Ok(value) = evaluate(variable["expression"].str(), &variables) {
                variables.set(&[variable["name"].str()], value);
            }
        }
        for validation in spec["validations"].items() {
            let rule = validation["expression"].str();
            match evaluate(rule, &variables) {
                Ok(Value::Bool(true)) | Err(Failure::Unknown) => {}
                Err(Failure::Error(error)) => match failed(rule, error) {
                    None => {}
                    refusal => return refusal,
                },
                Ok(_) => {
                    let said = validation["message"].str().trim();
                    let text = match evaluate(validation["messageExpression"].str(), &variables) {
                        Ok(Value::Text(text)) if !text.trim().is_empty() => text.trim().to_string(),
                        _ if !said.is_empty() => said.to_string(),
                        _ => format!("failed expression: {}", rule.trim()),
                    };
                    return Some(Refusal { text, reason: validation["reason"].smol() });
                }
            }
        }
        None
    }

    /// The object a binding gives its policy; `Err(true)` where a missing one refuses.
    fn params(&self, call: &Call<'_, '_>, spec: &Value, binding: &Value) -> std::result::Result<Value, bool> {
        let (kind, reference) = (&spec["paramKind"], &binding["spec"]["paramRef"]);
        if kind.is_null() || reference.is_null() {
            return Ok(Value::Null);
        }
        let (group, version) = crate::api::schema::group_version(kind["apiVersion"].str());
        let known = crate::api::schema::kind(group, version, kind["kind"].str());
        let own = self.definitions().map(|definition| &definition["spec"]);
        let plural = match known {
            Some(known) => SmolStr::new(known.resource),
            None => own
                .filter(|spec| spec["group"].str() == group)
                .find(|spec| spec["names"]["kind"].str() == kind["kind"].str())
                .map_or(SmolStr::default(), |spec| spec["names"]["plural"].smol()),
        };
        let resource = if group.is_empty() { plural } else { format!("{plural}.{group}").into() };
        let namespace = match reference["namespace"].str() {
            "" => call.target.namespace.clone(),
            namespace => namespace.into(),
        };
        let name = reference["name"].smol();
        let key = |namespace| Key { resource: resource.clone(), namespace, name: name.clone() };
        let found = self.store.get(&key(namespace)).or_else(|| self.store.get(&key(SmolStr::default())));
        found.cloned().ok_or(reference["parameterNotFoundAction"].str() == "Deny")
    }

    fn is_about(&self, call: &Call<'_, '_>, rules: &Value, old: &Value, new: &Value) -> bool {
        let selects = |selector: &Value, labels: &Value| selector.is_null() || object::matches(selector, labels);
        let namespaced = !call.target.namespace.is_empty();
        let labels = self.namespace(&call.target.namespace).map_or(&Value::Null, |space| &space["metadata"]["labels"]);
        if namespaced && !selects(&rules["namespaceSelector"], labels) {
            return false;
        }
        let own =
            |object: &Value| !object.is_null() && selects(&rules["objectSelector"], &object["metadata"]["labels"]);
        if !own(old) && !own(new) {
            return false;
        }
        let any = |field: &str| rules[field].items().iter().any(|rule| covers(call, rule, old, new));
        (rules["resourceRules"].items().is_empty() || any("resourceRules")) && !any("excludeResourceRules")
    }
}

fn made(object: &Value) -> Option<Time> {
    object::time(&object["metadata"]["creationTimestamp"])
}

fn operation(old: &Value, new: &Value) -> &'static str {
    match (old.is_null(), new.is_null()) {
        (true, _) => "CREATE",
        (_, true) => "DELETE",
        _ => "UPDATE",
    }
}

fn covers(call: &Call<'_, '_>, rule: &Value, old: &Value, new: &Value) -> bool {
    let resource = call.resource();
    let has = |field: &str, want: &str| rule[field].items().iter().any(|item| item.str() == "*" || item.str() == want);
    let (plural, sub) = (resource.plural.as_str(), call.target.subresource.as_str());
    let named = rule["resources"].items().iter().any(|item| match item.str().split_once('/') {
        None => sub.is_empty() && (item.str() == "*" || item.str() == plural),
        Some((of, part)) => (of == "*" || of == plural) && (part == "*" || (part == sub && !sub.is_empty())),
    });
    let names = rule["resourceNames"].items();
    let name = object::name(if new.is_null() { old } else { new });
    named
        && has("apiGroups", &resource.group)
        && has("apiVersions", &resource.version)
        && has("operations", operation(old, new))
        && (names.is_empty() || names.iter().any(|item| item.str() == name))
}

/// The request as rules see it.
fn request(call: &Call<'_, '_>, old: &Value, new: &Value) -> Value {
    let (resource, user) = (call.resource(), &call.request.user);
    let groups: Vec<Value> = user.groups.iter().map(Value::from).collect();
    map! {
        "operation" => operation(old, new), "name" => object::name(if new.is_null() { old } else { new }),
        "namespace" => &call.target.namespace, "dryRun" => call.dry_run, "subResource" => &call.target.subresource,
        "kind" => map! { "group" => &resource.group, "version" => &resource.version, "kind" => &resource.kind },
        "resource" => map! { "group" => &resource.group, "version" => &resource.version, "resource" => &resource.plural },
        "userInfo" => map! { "username" => &user.name, "groups" => groups },
    }
}

/// Whether a policy asks for something that is not known here.
pub fn has_unknown(policy: &Value) -> bool {
    let rules = ["matchConditions", "variables", "validations"].iter().flat_map(|list| policy["spec"][*list].items());
    let known = |one: &Value| {
        cel::is_known(one["expression"].str())
            && (one["messageExpression"].is_empty() || cel::is_known(one["messageExpression"].str()))
    };
    rules.into_iter().any(|one| !known(one)) || !policy["spec"]["auditAnnotations"].is_empty()
}
