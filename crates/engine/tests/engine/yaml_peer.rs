//! Our YAML reader beside serde_yaml, where YAML 1.1 and 1.2 agree.

use engine::base::{json, yaml};
use serde::Deserialize as _;

const TEXTS: [&str; 3] = [
    include_str!("../../src/cluster/kind.yaml"),
    include_str!("../../src/cluster/kind-static.yaml"),
    include_str!("../../src/cluster/k3s.yaml"),
];

#[test]
fn manifests_read_as_serde_yaml_reads_them() {
    let mut count = 0;
    for text in TEXTS {
        let theirs = serde_yaml::Deserializer::from_str(text).map(|one| serde_json::Value::deserialize(one).unwrap());
        let ours = yaml::parse_documents(text).unwrap();
        let ours =
            ours.iter().map(|one| serde_json::from_str::<serde_json::Value>(&json::compact(&one.value)).unwrap());
        let (ours, theirs): (Vec<_>, Vec<_>) =
            (ours.filter(|one| !one.is_null()).collect(), theirs.filter(|one| !one.is_null()).collect());
        assert_eq!(ours, theirs);
        count += ours.len();
    }
    assert!(count > 20, "{count} documents");
}
