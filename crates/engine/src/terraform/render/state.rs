//! Objects of a state as text: `terraform show` and `terraform state show`.

use super::difference::Differ;
use super::human::Human;
use super::paint::Paint;
use crate::terraform::address::{InstanceAddress, Mode};
use crate::terraform::schema::Schema;
use crate::terraform::value::{self, Value};

/// One object, its address as a comment above it. `note` stands behind the address: ` (tainted)`.
pub fn instance(address: &InstanceAddress, note: &str, value: &Value, schema: &Schema, paint: Paint) -> String {
    let human = Human { paint, plain: true, all: false };
    let differ = Differ { replace_paths: &[], legacy: schema.legacy, relevant: None };
    let difference = differ.block(&schema.block, value, value, &mut Vec::new());
    let resource = &address.resource;
    let kind = if resource.mode == Mode::Data { "data" } else { "resource" };
    let body = human.value(&difference, 0);
    format!("# {address}:{note}\n{kind} \"{}\" \"{}\" {body}\n", resource.kind, resource.name)
}

/// A value as it stands in a state.
pub fn plain_value(value: &Value, sensitive: bool, paint: Paint) -> String {
    if sensitive {
        return "(sensitive value)".into();
    }
    let differ = Differ { replace_paths: &[], legacy: false, relevant: None };
    let ty = value.ty();
    let difference = differ.value(&ty, value, value, &mut Vec::new());
    Human { paint, plain: true, all: false }.value(&difference, 0)
}

/// Output values, `name = value` each on its line.
pub fn outputs<'a>(outputs: impl Iterator<Item = (&'a str, &'a Value, bool)>) -> String {
    let mut out = String::new();
    for (name, value, sensitive) in outputs {
        let text = if sensitive { "<sensitive>".into() } else { value::text::console(value) };
        out.push_str(&format!("{name} = {text}\n"));
    }
    out
}
