//! Who owns which field: server-side apply and the managedFields of every other write.
//!
//! Stands for apimachinery's managedfields over structured-merge-diff. Field sets are kept as the FieldsV1 trees that
//! objects carry, so an untouched entry is shared, not rebuilt. Left out: converting sets between versions of a kind
//! (paths of another version are taken as they are).

mod compare;
mod fields;
mod managed;
mod server_side;
mod spot;
mod typed;
mod upgrade;

pub use managed::update_managed_fields;
pub use server_side::{ApplyError, Conflict, apply};
pub use spot::Root;
pub use upgrade::upgraded;

use crate::base::Time;

/// Who writes, how and when.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'a> {
    /// The field manager: the `fieldManager` parameter, or the user agent up to its slash.
    pub manager: &'a str,
    /// The version the request speaks (`apps/v1`), of the parent object for /scale.
    pub api_version: &'a str,
    /// `status`, `scale`; "" for the object itself.
    pub subresource: &'a str,
    pub now: Time,
}

#[cfg(test)]
mod tests;
