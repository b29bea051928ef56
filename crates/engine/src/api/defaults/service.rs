//! Defaults of Services and their neighbours. Addresses and node ports are allocated elsewhere.

use super::{Lists, fill, under};
use crate::base::Value;
use crate::list;

pub fn service(object: &mut Value) {
    let spec = object.at_mut(&["spec"]);
    fill(spec, "sessionAffinity", "None");
    if spec["sessionAffinity"].str() == "ClientIP" {
        super::fill_at(spec, &["sessionAffinityConfig", "clientIP", "timeoutSeconds"], 10800);
    } else {
        spec.remove(&["sessionAffinityConfig"]);
    }
    fill(spec, "type", "ClusterIP");
    let kind = spec["type"].smol();
    for port in spec.at_mut_list(&["ports"]) {
        fill(port, "protocol", "TCP");
        let number = port["port"].clone();
        if port["targetPort"].is_empty() && !number.is_null() {
            port.set(&["targetPort"], number);
        }
    }
    let external = matches!(kind.as_str(), "NodePort" | "LoadBalancer");
    if external || !spec["externalIPs"].is_empty() {
        fill(spec, "externalTrafficPolicy", "Cluster");
    }
    if matches!(kind.as_str(), "ClusterIP" | "NodePort" | "LoadBalancer") {
        fill(spec, "internalTrafficPolicy", "Cluster");
    }
    if kind == "LoadBalancer" {
        fill(spec, "allocateLoadBalancerNodePorts", true);
    }
    if kind == "ExternalName" {
        return;
    }
    // What the registry adds on a single-stack cluster.
    if spec["ipFamilies"].is_empty() {
        spec.set(&["ipFamilies"], list!["IPv4"]);
    }
    fill(spec, "ipFamilyPolicy", "SingleStack");
    let (one, all) = (spec["clusterIP"].clone(), spec["clusterIPs"].clone());
    if all.is_empty() && !one.is_empty() {
        spec.set(&["clusterIPs"], list![one]);
    } else if one.is_empty() && !all.is_empty() {
        spec.set(&["clusterIP"], &all[0]);
    }
}

pub fn endpoint_slice(object: &mut Value) {
    for port in object.at_mut_list(&["ports"]) {
        if port["name"].is_null() {
            port.set(&["name"], "");
        }
        fill(port, "protocol", "TCP");
    }
    for endpoint in object.at_mut_list(&["endpoints"]) {
        fill(endpoint, "conditions", Value::empty_map());
    }
}

pub fn network_policy(object: &mut Value) {
    under(object, &["spec"], |spec| {
        for list in ["ingress", "egress"] {
            for rule in spec.at_mut_list(&[list]) {
                for port in rule.at_mut_list(&["ports"]) {
                    fill(port, "protocol", "TCP");
                }
            }
        }
        if spec["policyTypes"].is_empty() {
            let types = if spec["egress"].is_empty() { list!["Ingress"] } else { list!["Ingress", "Egress"] };
            spec.set(&["policyTypes"], types);
        }
    });
}
