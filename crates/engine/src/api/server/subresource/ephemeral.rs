//! ephemeralcontainers and resize: the two ways into a running pod's spec.

use crate::base::Value;

/// Of a resize only the resources of containers count; other containers are for the validation to refuse.
pub fn take_resources(sent: &Value, new: &mut Value) {
    const LISTS: [&str; 2] = ["containers", "initContainers"];
    let names = |object: &Value, list: &str| -> Vec<_> {
        object["spec"][list].items().iter().map(|container| container["name"].smol()).collect()
    };
    if LISTS.iter().any(|list| names(sent, list) != names(new, list)) {
        new.set(&["spec"], sent["spec"].clone());
        return;
    }
    for list in LISTS {
        for (container, from) in new.at_mut(&["spec", list]).list_mut().iter_mut().zip(sent["spec"][list].items()) {
            for key in ["resources", "resizePolicy"] {
                if from[key] != container[key] && !from[key].is_null() {
                    container.set(&[key], from[key].clone());
                }
            }
        }
    }
}
