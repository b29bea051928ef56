//! ephemeralcontainers and resize: the two ways into a running pod's spec.

use crate::base::Value;

/// Of a resize only cpu and memory of containers count.
pub fn take_resources(sent: &Value, new: &mut Value) {
    for list in ["containers", "initContainers"] {
        let count = new["spec"][list].items().len();
        for index in 0..count {
            let name = new["spec"][list][index]["name"].smol();
            let from = sent["spec"][list].items().iter().find(|container| container["name"] == name.as_str().into());
            let Some(from) = from else { continue };
            let (mut resources, policy) = (from["resources"].clone(), from["resizePolicy"].clone());
            // Other resources stay as they are.
            let old = new["spec"][list][index]["resources"].clone();
            for part in ["requests", "limits"] {
                let foreign = |key: &str| !matches!(key, "cpu" | "memory");
                for (key, value) in old[part].entries().iter().filter(|(key, _)| foreign(key)) {
                    resources.set(&[part, key], value);
                }
                let added: Vec<_> = resources[part]
                    .entries()
                    .keys()
                    .filter(|key| foreign(key) && !old[part].has(key))
                    .cloned()
                    .collect();
                for key in added {
                    resources.remove(&[part, &key]);
                }
            }
            if resources == old && policy == new["spec"][list][index]["resizePolicy"] {
                continue;
            }
            if let Some(container) = new.at_mut(&["spec", list]).list_mut().get_mut(index) {
                container.set(&["resources"], resources);
                if !policy.is_null() {
                    container.set(&["resizePolicy"], policy);
                }
            }
        }
    }
}
