use super::change::{filled, normal, plan};
use super::object::Data;
use super::table::{CONTAINER, NETWORK, VOLUME};
use crate::terraform::address::Mode;
use crate::terraform::provider::{Provider, docker::Docker};
use crate::terraform::value::{PathStep, Type, Value, convert, decode, encode};

/// A configuration of this type from JSON, what is not given being null or no block.
fn object(kind: &str, json: &str) -> Value {
    let schema = Docker::default().schema(Mode::Managed, kind).expect("a type");
    let given = decode(json).expect("JSON");
    let mut values = crate::base::BTreeMap::new();
    for (name, ty) in schema.block.implied_type().attributes().expect("an object") {
        let value = match given.get(name) {
            Some(value) => pad(value, ty),
            None => match (schema.block.nested(name), ty) {
                (Some(_), Type::List(element)) => Value::list((**element).clone(), Vec::new()),
                (Some(_), Type::Set(element)) => Value::set((**element).clone(), Vec::new()),
                _ => Value::null(ty.clone()),
            },
        };
        values.insert(name.clone(), value);
    }
    Value::object(values)
}

/// Nested objects with all their attributes.
fn pad(value: &Value, ty: &Type) -> Value {
    match ty {
        Type::List(element) | Type::Set(element) if element.attributes().is_some() => {
            let items = value.items().unwrap_or_default().iter().map(|item| {
                let attributes = element.attributes().expect("an object");
                Value::object(
                    attributes
                        .iter()
                        .map(|(name, ty)| {
                            let inner = item.get(name).map(|inner| pad(inner, ty));
                            let none = || match ty {
                                Type::List(inner) if inner.attributes().is_some() => {
                                    Value::list((**inner).clone(), Vec::new())
                                }
                                _ => Value::null(ty.clone()),
                            };
                            (name.clone(), inner.unwrap_or_else(none))
                        })
                        .collect(),
                )
            });
            let items: Vec<Value> = items.collect();
            match ty {
                Type::Set(_) => Value::set((**element).clone(), items),
                _ => Value::list((**element).clone(), items),
            }
        }
        ty => convert(value, ty).expect("a value of the type"),
    }
}

/// As core proposes it: computed arguments that are not given are what they were, or unknown.
fn proposed(kind: &str, prior: &Value, config: &Value) -> Value {
    let schema = Docker::default().schema(Mode::Managed, kind).expect("a type");
    crate::terraform::core::proposed(&schema.block, prior, config)
}

fn forced(fields: &'static [super::field::Field], kind: &str, prior: &Value, config: &str) -> String {
    let config = object(kind, config);
    let (value, paths) = plan(fields, prior, &proposed(kind, prior, &config));
    let step = |step: &PathStep| match step {
        PathStep::Attribute(name) => name.to_string(),
        PathStep::Index(key) => encode(key),
    };
    let mut told: Vec<String> = paths.iter().map(|path| path.iter().map(step).collect::<Vec<_>>().join(".")).collect();
    told.dedup();
    match (value == *prior, told.is_empty()) {
        (true, _) => "nothing".into(),
        (_, true) => "in place".into(),
        _ => told.join(" "),
    }
}

const SOME: &str = r#"{"name":"web","image":"busybox:1.36","command":["sleep","300"],"env":["A=1","B=2"],
    "ports":[{"internal":80,"external":8080}],"labels":[{"label":"team","value":"a"}],
    "networks_advanced":[{"name":"n","aliases":["web"]}],"volumes":[{"volume_name":"v","container_path":"/d"}]}"#;

/// The container of `SOME` as it stands in the state once it has been read.
fn standing() -> Value {
    let config = object("docker_container", SOME);
    let null = Value::null(Type::Dynamic);
    let (planned, _) = plan(CONTAINER, &null, &proposed("docker_container", &null, &config));
    let mut data = Data::planned(CONTAINER, &planned);
    data.set_text("id", "c0ffee");
    data.set_number("memory", 0);
    data.set("entrypoint", Value::list(Type::String, Vec::new()));
    let networks = planned.get("network_data").map(Value::ty).unwrap_or_default();
    data.set("network_data", Value::list(networks.element().cloned().unwrap_or_default(), Vec::new()));
    data.set("dns", Value::set(Type::String, Vec::new()));
    let made = data.done();
    let mut read = Data::known(CONTAINER, &made);
    read.set("dns", Value::set(Type::String, Vec::new()));
    read.seen()
}

#[test]
fn what_makes_a_new_container() {
    let standing = standing();
    let told = |change: &dyn Fn(String) -> String| {
        forced(CONTAINER, "docker_container", &standing, &change(SOME.replace('\n', " ")))
    };
    assert_eq!(told(&|text| text), "nothing", "zeros, empty sets and nulls are the same");
    assert_eq!(told(&|text| text.replace("\"A=1\",\"B=2\"", "\"B=2\",\"A=1\"")), "nothing");
    assert_eq!(told(&|text| text.replace("A=1", "A=9")), "env");
    assert_eq!(told(&|text| text.replace("300", "600")), "command");
    assert_eq!(told(&|text| text.replace("8080", "9090")), "ports.0.external");
    assert_eq!(
        told(&|text| text.replace(r#""ports":[{"internal":80,"external":8080}],"#, "")),
        "ports ports.0.external ports.0.internal ports.0.ip ports.0.protocol"
    );
    assert_eq!(told(&|text| text.replace("\"value\":\"a\"", "\"value\":\"b\"")), "labels");
    assert_eq!(told(&|text| text.replace("\"aliases\":[\"web\"]", "\"aliases\":[]")), "networks_advanced");
    assert_eq!(told(&|text| text.replacen("{\"name\"", "{\"restart\":\"always\",\"name\"", 1)), "in place");
    assert_eq!(told(&|text| text.replace("\"name\":\"web\"", "\"name\":\"web\",\"memory\":64")), "in place");
    assert_eq!(told(&|text| text.replace("\"name\":\"web\"", "\"name\":\"web\",\"working_dir\":\"\"")), "nothing");
}

#[test]
fn null_and_empty_are_told_apart_where_the_sdk_does_not() {
    let standing = standing();
    let read = |name: &str| encode(standing.get(name).expect("an attribute"));
    assert_eq!(read("dns"), "[]");
    assert_eq!(read("healthcheck"), "null");
    assert_eq!(read("capabilities"), "[]");
    assert!(read("volumes").contains(r#""read_only":false"#), "a block that was read has zeros");
    assert!(read("networks_advanced").contains(r#""gw_priority":0"#));
    let config = object("docker_container", SOME);
    let null = Value::null(Type::Dynamic);
    let (planned, _) = plan(CONTAINER, &null, &proposed("docker_container", &null, &config));
    let fresh = Data::planned(CONTAINER, &planned).done();
    assert_eq!(fresh.get("dns"), planned.get("dns"), "after the making what was planned stays");
    assert_eq!(encode(fresh.get("entrypoint").expect("an attribute")), "null");
    assert_eq!(encode(fresh.get("security_opts").expect("an attribute")), "[]");
    let again = normal(&filled(CONTAINER, &fresh), &planned, true);
    assert_eq!(encode(&again), encode(&fresh));
}

#[test]
fn networks_and_volumes() {
    let null = Value::null(Type::Dynamic);
    let config = object("docker_network", r#"{"name":"n"}"#);
    let (planned, _) = plan(NETWORK, &null, &proposed("docker_network", &null, &config));
    let unknown: Vec<&str> = ["driver", "internal", "ipam_config", "ipam_driver", "ipv6", "options", "scope"]
        .into_iter()
        .filter(|name| planned.get(name).is_some_and(|value| !value.is_known()))
        .collect();
    assert_eq!(unknown, ["driver", "internal", "ipam_config", "options", "scope"]);
    let anonymous =
        object("docker_volume", r#"{"name":"x","labels":[{"label":"com.docker.volume.anonymous","value":""}]}"#);
    assert_eq!(forced(VOLUME, "docker_volume", &anonymous, "{}"), "labels");
}
