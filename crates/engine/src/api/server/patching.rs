//! PATCH: JSON, merge, strategic merge and server-side apply.

use super::{Call, Result, Server};
use crate::api::status::Status;
use crate::base::http::Response;

impl Server {
    pub(super) fn patch(&mut self, _call: &mut Call<'_, '_>) -> Result<Response> {
        Err(Status::gap("patches", ""))
    }
}
