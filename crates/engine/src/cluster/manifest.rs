//! Objects the API server itself brings along.

use crate::api::Config;
use crate::base::Value;
use crate::{list, map};

pub fn namespace(name: &str) -> Value {
    map! { "apiVersion" => "v1", "kind" => "Namespace", "metadata" => map! { "name" => name } }
}

/// The Service `kubernetes` with its endpoints (kube-apiserver's own controller).
pub fn apiserver(config: &Config) -> Vec<Value> {
    let (address, port) = config.address.rsplit_once(':').unwrap_or((config.address.as_str(), "6443"));
    let port: i64 = port.parse().unwrap_or(6443);
    let first =
        config.service_cidr.split('/').next().and_then(|net| net.rsplit_once('.')).map(|(net, _)| format!("{net}.1"));
    let https = map! { "name" => "https", "port" => port, "protocol" => "TCP" };
    let mut service = map! {
        "apiVersion" => "v1", "kind" => "Service",
        "metadata" => map! {
            "name" => "kubernetes", "namespace" => "default",
            "labels" => map! { "component" => "apiserver", "provider" => "kubernetes" },
        },
        "spec" => map! {
            "type" => "ClusterIP", "sessionAffinity" => "None",
            "ports" => list![map! { "name" => "https", "port" => 443, "protocol" => "TCP", "targetPort" => port }],
        },
    };
    if let Some(first) = first {
        service.set(&["spec", "clusterIP"], first.clone());
        service.set(&["spec", "clusterIPs"], list![first]);
    }
    let endpoints = map! {
        "apiVersion" => "v1", "kind" => "Endpoints",
        "metadata" => map! {
            "name" => "kubernetes", "namespace" => "default",
            "labels" => map! { "endpointslice.kubernetes.io/skip-mirror" => "true" },
        },
        "subsets" => list![map! { "addresses" => list![map! { "ip" => address }], "ports" => list![https.clone()] }],
    };
    let slice = map! {
        "apiVersion" => "discovery.k8s.io/v1", "kind" => "EndpointSlice", "addressType" => "IPv4",
        "metadata" => map! {
            "name" => "kubernetes", "namespace" => "default",
            "labels" => map! { "kubernetes.io/service-name" => "kubernetes" },
        },
        "endpoints" => list![map! { "addresses" => list![address], "conditions" => map! { "ready" => true } }],
        "ports" => list![https],
    };
    vec![service, endpoints, slice]
}
