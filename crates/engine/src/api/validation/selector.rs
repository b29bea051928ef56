//! Label selectors.

use super::common::Errors;
use super::names;
use crate::api::field_error::Path;
use crate::base::Value;

/// A LabelSelector; says whether it is sound.
pub fn label_selector(errors: &mut Errors, at: &Path, selector: &Value) -> bool {
    let before = errors.0.len();
    let labels = at.child("matchLabels");
    errors.labels(&labels, &selector["matchLabels"]);
    for (index, term) in selector["matchExpressions"].items().iter().enumerate() {
        let here = at.child("matchExpressions").index(index);
        operator(errors, &here, term, false);
        errors.label_key(&here.child("key"), term["key"].str());
        for (index, value) in term["values"].items().iter().enumerate() {
            let complaints = names::label_value(value.str());
            errors.complain(&here.child("values").index(index), value.str(), complaints);
        }
    }
    errors.0.len() == before
}

/// The operator of a requirement and the number of its values; node selectors know `Gt` and `Lt`, too.
pub fn operator(errors: &mut Errors, here: &Path, term: &Value, of_node: bool) {
    let values = term["values"].items().len();
    let at = here.child("values");
    match term["operator"].str() {
        "In" | "NotIn" => {
            if values == 0 {
                errors.required(&at, "must be specified when `operator` is 'In' or 'NotIn'");
            }
        }
        "Exists" | "DoesNotExist" => {
            if values > 0 {
                errors.forbidden(&at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
            }
        }
        "Gt" | "Lt" if of_node => {
            if values != 1 {
                errors.required(&at, "must be specified single value when `operator` is 'Lt' or 'Gt'");
            }
        }
        other => errors.invalid(&here.child("operator"), other, "not a valid selector operator"),
    }
}
