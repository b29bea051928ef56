//! Arithmetic on address prefixes, IPv4 and IPv6.

use std::net::IpAddr;

use super::{Arguments, Outcome, fail, whole, wrong};
use crate::terraform::value::{Type, Value};

#[derive(Clone, Copy)]
struct Prefix {
    /// The address, its last bit at the bottom.
    bits: u128,
    length: u32,
    /// 32 or 128.
    width: u32,
}

impl Prefix {
    fn parse(text: &str) -> Result<Prefix, String> {
        let invalid = || format!("invalid CIDR expression: invalid CIDR address: {text}");
        let (address, length) = text.split_once('/').ok_or_else(invalid)?;
        let address: IpAddr = address.parse().map_err(|_| invalid())?;
        let (bits, width) = match address {
            IpAddr::V4(v4) => (u128::from(v4.to_bits()), 32),
            IpAddr::V6(v6) => (v6.to_bits(), 128),
        };
        let digits = !length.is_empty() && length.bytes().all(|b| b.is_ascii_digit());
        let length = length.parse::<u32>().ok().filter(|length| digits && *length <= width).ok_or_else(invalid)?;
        Ok(Prefix { bits, length, width }.masked())
    }

    /// A number shifted out of the address is nothing.
    fn high(self, value: u128, length: u32) -> u128 {
        value.checked_shl(self.width - length).unwrap_or(0)
    }

    fn masked(self) -> Prefix {
        let all = if self.width == 32 { u128::from(u32::MAX) } else { u128::MAX };
        let host = all.checked_shr(self.length + 128 - self.width).map_or(0, |host| host);
        let host = if self.width == 32 { all.checked_shr(self.length).unwrap_or(0) } else { host };
        Prefix { bits: self.bits & !host, ..self }
    }

    fn address(self, bits: u128) -> String {
        match self.width {
            32 => std::net::Ipv4Addr::from_bits(bits as u32).to_string(),
            _ => std::net::Ipv6Addr::from_bits(bits).to_string(),
        }
    }

    fn text(self) -> String {
        format!("{}/{}", self.address(self.bits), self.length)
    }

    /// How many addresses or networks a number of bits holds.
    fn capacity(bits: u32) -> Option<u128> {
        1u128.checked_shl(bits)
    }
}

fn prefix(arguments: &Arguments) -> Result<Prefix, super::Fault> {
    Prefix::parse(arguments.str(0)).or_else(fail)
}

fn number(arguments: &Arguments, index: usize) -> Result<i64, super::Fault> {
    whole(arguments.value(index)).or_else(fail)
}

/// A number of any size, counted as far as it matters.
fn large(arguments: &Arguments, index: usize) -> Result<i64, super::Fault> {
    match arguments.value(index).as_number() {
        Some(number) if number.is_whole() => {
            Ok(number.to_i64().unwrap_or(if number.is_negative() { i64::MIN } else { i64::MAX }))
        }
        _ => fail("value must be a whole number"),
    }
}

pub fn cidrhost(arguments: &mut Arguments) -> Outcome {
    let wanted = large(arguments, 1)?;
    let prefix = prefix(arguments)?;
    let capacity = Prefix::capacity(prefix.width - prefix.length);
    let size = u128::from(wanted.unsigned_abs());
    let fits = capacity.is_none_or(|capacity| if wanted < 0 { size <= capacity } else { size < capacity });
    if !fits {
        return fail(format!("prefix of {} does not accommodate a host numbered {wanted}", prefix.length));
    }
    let host = if wanted < 0 { capacity.unwrap_or(0).wrapping_sub(size) } else { size };
    Ok(Value::string(prefix.address(prefix.bits | host)))
}

pub fn cidrnetmask(arguments: &mut Arguments) -> Outcome {
    let prefix = prefix(arguments)?;
    if prefix.width != 32 {
        return fail(format!("IPv6 addresses cannot have a netmask: {}", arguments.str(0)));
    }
    let mask = u32::MAX.checked_shl(32 - prefix.length).unwrap_or(0);
    Ok(Value::string(prefix.address(u128::from(mask))))
}

pub fn cidrsubnet(arguments: &mut Arguments) -> Outcome {
    let (more, wanted) = (number(arguments, 1)?, large(arguments, 2)?);
    let prefix = prefix(arguments)?;
    let length = i64::from(prefix.length).saturating_add(more);
    if length > i64::from(prefix.width) || more < 0 {
        return fail(format!("insufficient address space to extend prefix of {} by {more}", prefix.length));
    }
    let length = length as u32;
    let capacity = Prefix::capacity(more as u32);
    if wanted < 0 || capacity.is_some_and(|capacity| wanted as u128 >= capacity) {
        return fail(format!("prefix extension of {more} does not accommodate a subnet numbered {wanted}"));
    }
    let bits = prefix.bits | prefix.high(wanted as u128, length);
    Ok(Value::string(Prefix { bits, length, ..prefix }.text()))
}

pub fn cidrsubnets(arguments: &mut Arguments) -> Outcome {
    let prefix = match Prefix::parse(arguments.str(0)) {
        Ok(prefix) => prefix,
        Err(reason) => return wrong(0, reason),
    };
    let mut nets = Vec::new();
    let mut next = Some(prefix.bits);
    let mut last: Option<Prefix> = None;
    for index in 1..arguments.values.len() {
        let more = match whole(arguments.value(index)) {
            Ok(more) if more < 1 => return wrong(index, "must extend prefix by at least one bit"),
            Ok(more) if more > 32 => return wrong(index, "may not extend prefix by more than 32 bits"),
            Ok(more) => more as u32,
            Err(reason) => return wrong(index, reason),
        };
        let length = prefix.length + more;
        if length > prefix.width {
            let protocol = if prefix.width == 32 { "IPv4" } else { "IPv6" };
            return wrong(
                index,
                format!("would extend prefix to {length} bits, which is too long for an {protocol} address"),
            );
        }
        // The first free address, rounded up to a network of this size.
        let size = Prefix::capacity(prefix.width - length).unwrap_or(0);
        let end = Prefix::capacity(prefix.width - prefix.length).and_then(|all| prefix.bits.checked_add(all));
        let start = next.and_then(|next| {
            let over = next.checked_rem(size).unwrap_or(0);
            if over == 0 { Some(next) } else { next.checked_add(size - over) }
        });
        let start = start.filter(|start| end.is_none_or(|end| *start < end) && *start >= prefix.bits);
        let Some(start) = start else {
            return wrong(
                index,
                format!(
                    "not enough remaining address space for a subnet with a prefix of {length} bits after {}",
                    last.unwrap_or(prefix).text()
                ),
            );
        };
        let net = Prefix { bits: start, length, ..prefix };
        nets.push(Value::string(net.text()));
        last = Some(net);
        next = start.checked_add(size);
    }
    Ok(Value::list(Type::String, nets))
}
