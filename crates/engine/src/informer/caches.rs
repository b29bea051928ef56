//! The objects as the latest watch delivery left them. Every watcher is served at the same instant after a commit, so
//! one set of caches stands for all of them; objects are shared with the store.

use crate::base::{BTreeMap, BTreeSet};

use crate::base::SmolStr;

use crate::api::{object, resource};
use crate::base::Value;
use crate::store::{Change, Key};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Caches {
    revision: u64,
    objects: BTreeMap<Key, Value>,
    /// Controller uid ("" = none) and resource → keys, for pods, ReplicaSets and whatever else is owned.
    by_owner: BTreeMap<(SmolStr, SmolStr), BTreeSet<Key>>,
    /// Node name ("" = none yet) → pods.
    by_node: BTreeMap<SmolStr, BTreeSet<Key>>,
}

impl Caches {
    /// Takes in a delivered change.
    pub fn apply(&mut self, change: &Change) {
        self.revision = change.revision;
        if let Some(old) = self.objects.get(&change.key) {
            let old = old.clone();
            self.index(&change.key, &old, false);
        }
        if change.after.is_null() {
            self.objects.remove(&change.key);
        } else {
            self.index(&change.key, &change.after, true);
            self.objects.insert(change.key.clone(), change.after.clone());
        }
    }

    fn index(&mut self, key: &Key, value: &Value, add: bool) {
        let owner = object::controller_of(value).map(|owner| owner["uid"].smol()).unwrap_or_default();
        change(&mut self.by_owner, (owner, key.resource.clone()), key, add);
        if key.resource == resource::PODS {
            change(&mut self.by_node, value.at(&["spec", "nodeName"]).smol(), key, add);
        }
    }

    /// The revision of the latest delivery.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    pub fn get(&self, key: &Key) -> Option<&Value> {
        self.objects.get(key)
    }

    pub fn find(&self, resource: &str, namespace: &str, name: &str) -> Option<&Value> {
        self.objects.get(&Key { resource: resource.into(), namespace: namespace.into(), name: name.into() })
    }

    pub fn list<'a>(
        &'a self,
        resource: &'a str,
        namespace: Option<&'a str>,
    ) -> impl Iterator<Item = (&'a Key, &'a Value)> {
        let start = Key {
            resource: resource.into(),
            namespace: namespace.unwrap_or_default().into(),
            name: SmolStr::default(),
        };
        self.objects
            .range(start..)
            .take_while(move |(key, _)| key.resource == resource && namespace.is_none_or(|ns| key.namespace == ns))
    }

    /// Every object of a namespace, whatever its resource.
    pub fn in_namespace<'a>(&'a self, namespace: &'a str) -> impl Iterator<Item = (&'a Key, &'a Value)> {
        self.objects.iter().filter(move |(key, _)| key.namespace == namespace)
    }

    /// Objects of a resource whose controller has this uid ("" = those without a controller).
    pub fn owned<'a>(&'a self, uid: &str, resource: &str) -> impl Iterator<Item = (&'a Key, &'a Value)> {
        let keys = self.by_owner.get(&(uid.into(), resource.into()));
        keys.into_iter().flatten().filter_map(|key| Some((key, self.objects.get(key)?)))
    }

    /// Pods bound to a node ("" = pods not yet bound).
    pub fn pods_on<'a>(&'a self, node: &str) -> impl Iterator<Item = (&'a Key, &'a Value)> {
        let keys = self.by_node.get(node);
        keys.into_iter().flatten().filter_map(|key| Some((key, self.objects.get(key)?)))
    }
}

fn change<K: Ord>(index: &mut BTreeMap<K, BTreeSet<Key>>, at: K, key: &Key, add: bool) {
    if add {
        index.entry(at).or_default().insert(key.clone());
    } else if let Some(keys) = index.get_mut(&at) {
        keys.remove(key);
        if keys.is_empty() {
            index.remove(&at);
        }
    }
}
