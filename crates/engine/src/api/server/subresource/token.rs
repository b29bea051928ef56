//! serviceaccounts/token: a token that says whose it is and until when. The signature is not one anybody could check.

use crate::api::object;
use crate::api::server::body::{self, Wanted};
use crate::api::server::{Call, Result, Server};
use crate::api::status::Status;
use crate::base::http::Response;
use crate::base::{Span, Value, json};
use crate::{list, map};

impl Server {
    pub(super) fn token(&mut self, call: &mut Call<'_, '_>) -> Result<Response> {
        let mut request = body::object(call, &Wanted::new("authentication.k8s.io", "v1", "TokenRequest"))?;
        let account = self.object(call)?;
        let seconds = request["spec"]["expirationSeconds"].as_int().unwrap_or(3600);
        let why = match seconds {
            ..600 => Some("may not specify a duration less than 10 minutes"),
            4_294_967_297.. => Some("may not specify a duration larger than 2^32 seconds"),
            _ => None,
        };
        if let Some(why) = why {
            let error =
                ("spec.expirationSeconds".to_owned(), format!("Invalid value: {seconds}: {why}"), "FieldValueInvalid");
            return Err(Status::invalid("authentication.k8s.io", "TokenRequest", "", &[error]));
        }
        let issuer = "https://kubernetes.default.svc.cluster.local";
        if request["spec"]["audiences"].items().is_empty() {
            request.set(&["spec", "audiences"], list![issuer]);
        }
        let now = call.cx.now;
        let until = now + Span::seconds(seconds);
        let (namespace, name) = (object::namespace(&account), object::name(&account));
        let claims = map! {
            "aud" => &request["spec"]["audiences"], "exp" => until.as_seconds(), "iat" => now.as_seconds(),
            "nbf" => now.as_seconds(), "iss" => issuer, "jti" => call.cx.chance.uuid("token"),
            "kubernetes.io" => map! {
                "namespace" => namespace,
                "serviceaccount" => map! { "name" => name, "uid" => object::uid(&account) },
            },
            "sub" => format!("system:serviceaccount:{namespace}:{name}"),
        };
        let head = map! { "alg" => "RS256", "kid" => "drydock" };
        let signature: Vec<u8> = (0..32).flat_map(|_| call.cx.chance.bits("token").to_be_bytes()).collect();
        let token = format!(
            "{}.{}.{}",
            base64_url(json::compact(&head).as_bytes()),
            base64_url(json::compact(&claims).as_bytes()),
            base64_url(&signature)
        );
        request.set(&["metadata", "name"], name);
        request.set(&["metadata", "namespace"], namespace);
        request.set(&["metadata", "creationTimestamp"], now.rfc3339());
        request.set(&["spec", "expirationSeconds"], seconds);
        if request["spec"]["boundObjectRef"].is_null() {
            request.set(&["spec", "boundObjectRef"], Value::Null);
        }
        request.set(&["status"], map! { "token" => token, "expirationTimestamp" => until.rfc3339() });
        Ok(Response::new(201, request))
    }
}

/// base64url without padding (RFC 4648, section 5).
fn base64_url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for i in 0..=chunk.len() {
            out.push(char::from(ALPHABET[(bits >> (18 - 6 * i)) as usize & 63]));
        }
    }
    out
}
