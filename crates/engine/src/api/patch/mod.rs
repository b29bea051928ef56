//! Patches: JSON patch (RFC 6902 as evanphx/json-patch has it), JSON merge patch (RFC 7386), strategic merge patch
//! (apimachinery's strategicpatch), and the two- and three-way patches kubectl computes before it sends one.
//!
//! A `TypeId` names the Go type whose fields say how lists and maps merge; `None` is a custom resource, which knows
//! JSON merge patches only. Left out: kubectl's detour over the OpenAPI document (it merges alike), and the order in
//! which Go meets the keys of a map: here keys are taken in order, so the first of several errors is always the same.

mod diff;
mod go_text;
mod json;
mod lists;
mod merge;
mod strategic;
mod three_way;

pub use go_text::go_text;
pub use json::{check as check_json, json};
pub use merge::{merge, merge_diff};
pub use strategic::{strategic, strategic_leaving};
pub use three_way::{three_way, two_way};

/// Why a patch was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchError {
    pub reason: PatchReason,
    /// What the library said; the server hides it for `Unprocessable`.
    pub message: String,
}

/// What the API server makes of the refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchReason {
    /// 400 BadRequest with the message.
    BadRequest,
    /// 413 RequestEntityTooLarge with the message.
    TooLarge,
    /// 422 Invalid, details `{}`, and `PatchError::HIDDEN` instead of the message.
    Unprocessable,
    /// 500 without a reason and without details.
    Internal,
    /// Not of the server: kubectl refuses to send a patch over changes of others (`--overwrite=false`).
    Conflict,
}

impl PatchError {
    /// The server's only words for a JSON patch that does not apply.
    pub const HIDDEN: &'static str = "the server rejected our request due to an error in our request";

    fn new(reason: PatchReason, message: impl Into<String>) -> PatchError {
        PatchError { reason, message: message.into() }
    }

    fn internal(message: impl Into<String>) -> PatchError {
        PatchError::new(PatchReason::Internal, message)
    }

    /// The message as the server answers it.
    pub fn served(&self) -> &str {
        if self.reason == PatchReason::Unprocessable { PatchError::HIDDEN } else { &self.message }
    }
}

impl std::fmt::Display for PatchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests;
