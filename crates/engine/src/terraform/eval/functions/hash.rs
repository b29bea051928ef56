//! Digests: MD5, SHA-1, SHA-256, SHA-512, and version-5 UUIDs.

use super::encoding::base64;
use super::{Arguments, Outcome, fail};
pub use crate::base::digest::{hex, md5_of, sha1_of, sha256_of, sha512_of};
use crate::terraform::value::Value;

pub fn md5(arguments: &mut Arguments) -> Outcome {
    Ok(Value::string(hex(&md5_of(arguments.str(0).as_bytes()))))
}

pub fn sha1(arguments: &mut Arguments) -> Outcome {
    Ok(Value::string(hex(&sha1_of(arguments.str(0).as_bytes()))))
}

pub fn sha256(arguments: &mut Arguments) -> Outcome {
    Ok(Value::string(hex(&sha256_of(arguments.str(0).as_bytes()))))
}

pub fn sha512(arguments: &mut Arguments) -> Outcome {
    Ok(Value::string(hex(&sha512_of(arguments.str(0).as_bytes()))))
}

pub fn base64sha256(arguments: &mut Arguments) -> Outcome {
    Ok(Value::string(base64(&sha256_of(arguments.str(0).as_bytes()))))
}

pub fn base64sha512(arguments: &mut Arguments) -> Outcome {
    Ok(Value::string(base64(&sha512_of(arguments.str(0).as_bytes()))))
}

/// Name spaces of RFC 4122; they differ in one digit.
pub fn uuidv5(arguments: &mut Arguments) -> Outcome {
    let namespace = arguments.str(0);
    let text = match namespace {
        "dns" => "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "url" => "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
        "oid" => "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
        "x500" => "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
        other => other,
    };
    let digits: String = text.chars().filter(|c| *c != '-').collect();
    let mut bytes: Vec<u8> = Vec::new();
    for pair in digits.as_bytes().chunks(2) {
        let byte = std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
        bytes.extend(byte);
    }
    if bytes.len() != 16 || digits.len() != 32 {
        return fail(format!(
            "uuidv5() doesn't support namespace {namespace} (invalid UUID length: {})",
            namespace.len()
        ));
    }
    bytes.extend_from_slice(arguments.str(1).as_bytes());
    let mut digest = sha1_of(&bytes);
    digest.truncate(16);
    for (at, byte) in digest.iter_mut().enumerate() {
        match at {
            6 => *byte = *byte & 0x0f | 0x50,
            8 => *byte = *byte & 0x3f | 0x80,
            _ => {}
        }
    }
    let text = hex(&digest);
    let parts: Vec<&str> =
        [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)].iter().filter_map(|(from, to)| text.get(*from..*to)).collect();
    Ok(Value::string(parts.join("-")))
}
