//! The network between containers: names (CoreDNS), Services (kube-proxy), addresses of pods and nodes.
//!
//! A request of a program is carried to the container that listens behind the address, and its answer back. Not
//! simulated: UDP but for names, network policies, TLS, addresses outside the cluster.

use crate::base::SmolStr;

use super::{Cluster, Preset, Wake};
use crate::api::object;
use crate::api::resource::{ENDPOINT_SLICES, NODES, PODS, SERVICES};
use crate::base::http::{Request, Response};
use crate::base::{Span, Value};
use crate::node::{Mail, Outgoing};

const LATENCY: Span = Span::millis(1);
/// After which a connection nobody answers is given up, and one to a host that is not there.
const GIVE_UP: Span = Span::seconds(130);
const NO_HOST: Span = Span::seconds(3);
/// Names an ExternalName may lead through.
const ALIASES: u32 = 8;

/// A request on its way, and who sent it.
#[derive(Clone, Debug)]
pub struct Parcel {
    origin: Origin,
    request: Request,
}

#[derive(Clone, Debug)]
enum Origin {
    Container(Box<Outgoing>),
    Outside(u64),
}

/// Where an address and port lead.
enum Route {
    Pod(SmolStr, u16),
    Answer(Response),
    Late(&'static str, Span),
}

impl Cluster {
    /// A request from outside to a host and port instead of the API server.
    pub(super) fn send_out(&mut self, number: u64, request: Request) {
        self.agenda.add(
            self.now + LATENCY,
            0,
            Wake::Parcel(Box::new(Parcel { origin: Origin::Outside(number), request })),
        );
    }

    /// What programs in containers have sent since the last look.
    pub(super) fn collect_parcels(&mut self) {
        for mut sent in self.kubelets.take_outgoing() {
            let request =
                std::mem::replace(&mut sent.request, Request::new(&NOBODY, "", crate::base::http::Method::Get, ""));
            let parcel = Parcel { origin: Origin::Container(Box::new(sent)), request };
            self.agenda.add(self.now + LATENCY, 0, Wake::Parcel(Box::new(parcel)));
        }
    }

    pub(super) fn carry(&mut self, parcel: Parcel) {
        let (host, port) = parcel.request.host.rsplit_once(':').unwrap_or((&parcel.request.host, "80"));
        let (host, port) = (SmolStr::new(host), port.parse::<u16>().unwrap_or(0));
        let own = self.sender(&parcel.origin);
        let route = self.route(&own, &parcel, &host, port);
        let response = match route {
            Route::Answer(response) => response,
            Route::Late(why, after) => {
                let answer = Wake::ParcelAnswer(Box::new(parcel), Box::new(Response::failed(why)));
                self.agenda.add(self.now + after, 0, answer);
                return;
            }
            Route::Pod(address, port) => {
                let from = own.at(&["status", "podIP"]).str().to_string();
                let from = if address.starts_with("127.") {
                    address.to_string()
                } else if from.is_empty() {
                    format!("{}.0.1", self.setup.pod_net())
                } else {
                    from
                };
                match self.ask_pods(&own, &address, port, &parcel.request, &from) {
                    Some(response) => response,
                    None => {
                        let failed = Box::new(Response::failed("No route to host"));
                        self.agenda.add(self.now + NO_HOST, 0, Wake::ParcelAnswer(Box::new(parcel), failed));
                        return;
                    }
                }
            }
        };
        self.hand_over(parcel, response);
    }

    pub(super) fn hand_over(&mut self, parcel: Parcel, response: Response) {
        match parcel.origin {
            Origin::Container(sent) => self.with_kubelets(0, |it, cx, see| it.answer(cx, see, &sent, response)),
            Origin::Outside(number) => self.mail.push((number, Mail::Reply(response))),
        }
    }

    /// The pod a request comes from; null for the workstation.
    fn sender(&self, origin: &Origin) -> Value {
        let Origin::Container(sent) = origin else { return Value::Null };
        let found =
            self.caches.list(&PODS, None).find(|(_, pod)| object::uid(pod) == sent.uid).map(|(_, pod)| pod.clone());
        found.unwrap_or_default()
    }

    fn route(&mut self, own: &Value, parcel: &Parcel, host: &str, port: u16) -> Route {
        let inside = !own.is_null();
        if host.starts_with("127.") {
            if !inside {
                let mut answer = None;
                self.with_docker(0, |it, cx, _| answer = Some(it.carry(cx, None, &parcel.request)));
                return Route::Answer(answer.unwrap_or_else(|| Response::failed("Connection refused")));
            }
            return Route::Pod(host.into(), port);
        }
        if let Some(service) = self.service_at(host) {
            // The nodes of a recorded cluster are where its commands were typed; others are containers of their own.
            if !inside && !matches!(self.setup.preset, Preset::Bare | Preset::BareLocalPull) {
                return Route::Late("Connection timed out", GIVE_UP);
            }
            let ports = service.at(&["spec", "ports"]).items();
            let Some(wanted) = ports.iter().find(|own| own["port"].as_int() == Some(i64::from(port))) else {
                return Route::Late("Connection timed out", GIVE_UP);
            };
            let backend = self.backend(&service, wanted);
            if port == 53 && parcel.request.agent == "dns" {
                if backend.is_none() {
                    return Route::Late("Connection timed out", Span::seconds(5));
                }
                return Route::Answer(self.name(&parcel.request.path));
            }
            return backend
                .map_or(Route::Answer(Response::failed("Connection refused")), |(to, port)| Route::Pod(to, port));
        }
        if let Some(route) = self.node_port(host, port) {
            return route;
        }
        if !inside && !matches!(self.setup.preset, Preset::Bare | Preset::BareLocalPull) {
            return Route::Late("Connection timed out", GIVE_UP);
        }
        Route::Pod(host.into(), port)
    }

    fn service_at(&self, address: &str) -> Option<Value> {
        self.caches
            .list(&SERVICES, None)
            .find(|(_, service)| {
                let own = service.at(&["spec", "clusterIPs"]).items().iter().any(|ip| ip.str() == address);
                own || service
                    .at(&["status", "loadBalancer", "ingress"])
                    .items()
                    .iter()
                    .any(|at| at["ip"].str() == address)
            })
            .map(|(_, service)| service.clone())
    }

    /// A node's address: a port of a Service there, or whoever shares the node's network.
    fn node_port(&mut self, address: &str, port: u16) -> Option<Route> {
        let is_node = self.caches.list(&NODES, None).any(|(_, node)| {
            node.at(&["status", "addresses"]).items().iter().any(|own| own["address"].str() == address)
        });
        if !is_node {
            return None;
        }
        let wanted = self.caches.list(&SERVICES, None).find_map(|(_, service)| {
            let mut ports = service.at(&["spec", "ports"]).items().iter();
            let found = ports.find(|own| own["nodePort"].as_int() == Some(i64::from(port)))?;
            Some((service.clone(), found.clone()))
        });
        if let Some((service, wanted)) = wanted {
            let backend = self.backend(&service, &wanted);
            return Some(
                backend
                    .map_or(Route::Answer(Response::failed("Connection refused")), |(to, port)| Route::Pod(to, port)),
            );
        }
        // ServiceLB holds the ports of balanced Services on the nodes.
        let balanced = self.caches.list(&SERVICES, None).find_map(|(_, service)| {
            let held = service.at(&["status", "loadBalancer", "ingress"]).items();
            held.iter().find(|entry| entry["ip"].str() == address)?;
            let mut ports = service.at(&["spec", "ports"]).items().iter();
            let found = ports.find(|own| own["port"].as_int() == Some(i64::from(port)))?;
            Some((service.clone(), found.clone()))
        });
        if let Some((service, wanted)) = balanced {
            let backend = self.backend(&service, &wanted);
            let refused = Route::Answer(Response::failed("Connection refused"));
            return Some(backend.map_or(refused, |(to, port)| Route::Pod(to, port)));
        }
        if port == 6443 {
            let text = "Client sent an HTTP request to an HTTPS server.\n";
            return Some(Route::Answer(Response::text(400, text.into())));
        }
        Some(Route::Pod(address.into(), port))
    }

    /// One of the ready endpoints of a port of a Service, by chance; of those that are ending when no other is left.
    fn backend(&mut self, service: &Value, wanted: &Value) -> Option<(SmolStr, u16)> {
        let slices = self.slices(service);
        let mut ready = Vec::new();
        let mut ending = Vec::new();
        for slice in &slices {
            let ports = slice["ports"].items();
            let Some(port) = ports.iter().find(|own| own["name"].str() == wanted["name"].str()) else { continue };
            let Some(port) = port["port"].as_int().and_then(|port| u16::try_from(port).ok()) else { continue };
            for endpoint in slice["endpoints"].items() {
                let Some(address) = endpoint["addresses"].items().first() else { continue };
                let is = |name: &str| endpoint["conditions"][name].is_true();
                if endpoint["conditions"]["ready"].as_bool() != Some(false) {
                    ready.push((address.smol(), port));
                } else if is("serving") && is("terminating") {
                    ending.push((address.smol(), port));
                }
            }
        }
        let choice = if ready.is_empty() { ending } else { ready };
        let index = if choice.len() > 1 { self.chance.below("service backend", choice.len() as u64) } else { 0 };
        choice.get(usize::try_from(index).unwrap_or(0)).cloned()
    }

    fn slices(&self, service: &Value) -> Vec<Value> {
        let name = object::name(service);
        self.caches
            .list(&ENDPOINT_SLICES, Some(object::namespace(service)))
            .map(|(_, slice)| slice)
            .filter(|slice| object::label(slice, "kubernetes.io/service-name") == name)
            .cloned()
            .collect()
    }

    /// Pods at an address: the one that listens, or why not; `None` when there is nobody.
    fn ask_pods(&mut self, own: &Value, address: &str, port: u16, request: &Request, from: &str) -> Option<Response> {
        let is_it = |pod: &Value| {
            // Who asks itself runs, whatever its status says yet.
            if address.starts_with("127.") {
                return object::uid(pod) == object::uid(own);
            }
            pod.at(&["status", "podIP"]).str() == address
                && (pod.at(&["status", "phase"]).str() == "Running" || object::uid(pod) == object::uid(own))
        };
        let pods: Vec<(SmolStr, SmolStr)> = self
            .caches
            .list(&PODS, None)
            .filter(|(_, pod)| is_it(pod))
            .map(|(_, pod)| (pod.at(&["spec", "nodeName"]).smol(), object::uid(pod).into()))
            .collect();
        let node = self.caches.list(&NODES, None).any(|(_, node)| {
            node.at(&["status", "addresses"]).items().iter().any(|own| own["address"].str() == address)
        });
        let mut last = (node || address.starts_with("127.")).then(|| Response::failed("Connection refused"));
        for (node, uid) in pods {
            let Some(response) = self.kubelets.serve(self.now, &node, &uid, port, request, from) else { continue };
            let answered = response.code != 0;
            last = Some(response);
            if answered {
                break;
            }
        }
        last
    }

    /// What CoreDNS says of a full name: addresses, one a line, or NXDOMAIN as 404.
    fn name(&self, name: &str) -> Response {
        let mut name = name.to_ascii_lowercase();
        for _ in 0..ALIASES {
            let Some(inside) = name.strip_suffix(".svc.cluster.local") else { break };
            let parts: Vec<&str> = inside.split('.').collect();
            let (host, service, namespace) = match parts.as_slice() {
                [service, namespace] => ("", *service, *namespace),
                [host, service, namespace] => (*host, *service, *namespace),
                _ => break,
            };
            let Some(found) = self.caches.find(&SERVICES, namespace, service).cloned() else { break };
            let spec = &found["spec"];
            if spec["type"].str() == "ExternalName" {
                name = spec["externalName"].str().to_ascii_lowercase();
                continue;
            }
            let headless = spec["clusterIP"].str() == "None";
            let addresses: Vec<SmolStr> = match (headless, host.is_empty()) {
                (false, true) => vec![spec["clusterIP"].smol()],
                _ => self.endpoints_named(&found, host),
            };
            if addresses.is_empty() {
                break;
            }
            return Response::text(200, addresses.join("\n"));
        }
        if let Some((address, _)) = name.strip_suffix(".pod.cluster.local").and_then(|pod| pod.split_once('.')) {
            return Response::text(200, address.replace('-', "."));
        }
        Response::text(404, String::new())
    }

    /// Addresses of ready endpoints, of all or of one by its host name.
    fn endpoints_named(&self, service: &Value, host: &str) -> Vec<SmolStr> {
        let mut found = Vec::new();
        for slice in self.slices(service) {
            for endpoint in slice["endpoints"].items() {
                let own = match endpoint["hostname"].str() {
                    "" => {
                        endpoint["addresses"].items().first().map(|ip| ip.str().replace('.', "-")).unwrap_or_default()
                    }
                    own => own.to_string(),
                };
                if endpoint["conditions"]["ready"].as_bool() != Some(false) && (host.is_empty() || own == host) {
                    found.extend(endpoint["addresses"].items().iter().map(Value::smol));
                }
            }
        }
        found
    }
}

const NOBODY: crate::base::http::User = crate::base::http::User { name: SmolStr::new_static(&""), groups: Vec::new() };
