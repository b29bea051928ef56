//! Roles, bindings, requests for certificates (but for what is inside their PEM block).

use super::common::{Errors, same};
use super::{internal, names};
use crate::api::decode::decode_base64;
use crate::api::field_error::{FieldError, Path};
use crate::base::Value;

const GROUP: &str = "rbac.authorization.k8s.io";

pub fn role(errors: &mut Errors, object: &Value, namespaced: bool) {
    for (index, rule) in object["rules"].items().iter().enumerate() {
        let at = Path::new("rules").index(index);
        let urls = &rule["nonResourceURLs"];
        if rule["verbs"].is_empty() {
            errors.required(&at.child("verbs"), "");
        }
        if !urls.is_empty() {
            if namespaced {
                let detail = "namespaced rules cannot apply to non-resource URLs";
                errors.invalid(&at.child("nonResourceURLs"), urls, detail);
            }
            if ["apiGroups", "resources", "resourceNames"].iter().any(|key| !rule[*key].is_empty()) {
                let detail = "rules cannot apply to both regular resources and non-resource URLs";
                errors.invalid(&at.child("nonResourceURLs"), urls, detail);
            }
            continue;
        }
        if rule["apiGroups"].is_empty() {
            errors.required(&at.child("apiGroups"), "resource rules must supply at least one api group");
        }
        if rule["resources"].is_empty() {
            errors.required(&at.child("resources"), "resource rules must supply at least one resource");
        }
    }
}

pub fn binding(errors: &mut Errors, object: &Value, namespaced: bool) {
    let (at, role) = (Path::new("roleRef"), &object["roleRef"]);
    errors.one_of(&at.child("apiGroup"), &role["apiGroup"], &[GROUP]);
    let kinds: &[&str] = if namespaced { &["Role", "ClusterRole"] } else { &["ClusterRole"] };
    errors.one_of(&at.child("kind"), &role["kind"], kinds);
    match role["name"].str() {
        "" => errors.required(&at.child("name"), ""),
        name => errors.complain(&at.child("name"), name, names::path_segment(name)),
    }
    for (index, subject) in object["subjects"].items().iter().enumerate() {
        let at = Path::new("subjects").index(index);
        let name = subject["name"].str();
        match subject["kind"].str() {
            "ServiceAccount" => {
                if !name.is_empty() {
                    errors.complain(&at.child("name"), name, names::subdomain(name));
                }
                if !subject["apiGroup"].is_empty() {
                    errors.one_of(&at.child("apiGroup"), &subject["apiGroup"], &[""]);
                }
                if !namespaced && subject["namespace"].is_empty() {
                    errors.required(&at.child("namespace"), "");
                }
            }
            "User" | "Group" => errors.one_of(&at.child("apiGroup"), &subject["apiGroup"], &[GROUP]),
            _ => errors.one_of(&at.child("kind"), &subject["kind"], &["ServiceAccount", "User", "Group"]),
        }
        if name.is_empty() {
            errors.required(&at.child("name"), "");
        }
    }
}

pub fn binding_update(errors: &mut Errors, new: &Value, old: &Value) {
    if !same(&new["roleRef"], &old["roleRef"]) {
        let shown = internal::compact("rbac.v1", "RoleRef", &new["roleRef"]);
        errors.push(FieldError::shown(&Path::new("roleRef"), &shown, names::IMMUTABLE));
    }
}

const USAGES: &str = "any,cert sign,client auth,code signing,content commitment,crl sign,data encipherment,decipher only,\
                      digital signature,email protection,encipher only,ipsec end system,ipsec tunnel,ipsec user,\
                      key agreement,key encipherment,microsoft sgc,netscape sgc,ocsp signing,s/mime,server auth,signing,\
                      timestamping";

pub fn signing_request(errors: &mut Errors, object: &Value) {
    let (at, spec) = (Path::new("spec"), &object["spec"]);
    let block = decode_base64(spec["request"].str()).unwrap_or_default();
    if !String::from_utf8_lossy(&block).trim_start().starts_with("-----BEGIN CERTIFICATE REQUEST-----") {
        let given = if spec["request"].is_empty() { Value::Null } else { spec["request"].clone() };
        errors.invalid(&at.child("request"), given, "PEM block type must be CERTIFICATE REQUEST");
    }
    let usages = spec["usages"].items();
    if usages.is_empty() {
        errors.required(&at.child("usages"), "");
    }
    let known: Vec<&str> = USAGES.split(',').collect();
    for (index, usage) in usages.iter().enumerate() {
        let at = at.child("usages").index(index);
        if !known.contains(&usage.str()) {
            errors.push(FieldError::not_supported(&at, usage, &known));
        } else if usages.iter().take(index).any(|before| before == usage) {
            errors.push(FieldError::duplicate(&at, usage));
        }
    }
    signer(errors, &at.child("signerName"), spec["signerName"].str());
    if spec["expirationSeconds"].as_int().is_some_and(|seconds| seconds < 600) {
        let detail = "may not specify a duration less than 600 seconds (10 minutes)";
        errors.invalid(&at.child("expirationSeconds"), &spec["expirationSeconds"], detail);
    }
}

fn signer(errors: &mut Errors, at: &Path, name: &str) {
    let form = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    match name.split('/').collect::<Vec<_>>().as_slice() {
        [""] => errors.required(at, ""),
        ["kubernetes.io", "legacy-unknown"] => {
            errors.invalid(at, name, "the legacy signerName is not allowed via this API version");
        }
        [domain, path] if domain.contains('.') => {
            for complaint in names::subdomain(domain) {
                errors.invalid(at, *domain, &format!("validating label \"{domain}\": {complaint}"));
            }
            for label in path.split('.') {
                for complaint in names::subdomain(label) {
                    errors.invalid(at, label, &format!("validating label \"{label}\": {complaint}"));
                }
            }
        }
        _ => errors.invalid(at, name, form),
    }
}
