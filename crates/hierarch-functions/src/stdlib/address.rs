//! Addresses and networks as Ruby's `IPAddr` reads, compares and writes them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use hierarch_source::Result;

use crate::issues;
use crate::issues::stdlib::{LEADING_ZEROS, ZERO_FILLED, invalid_address, invalid_length, invalid_mask};

/// An address, or the network of all that have the same first bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    /// The address, its last bits cleared.
    address: IpAddr,
    bits: u32,
    zone: String,
}

impl Network {
    /// Reads an address, alone or with the length or the mask of its network after a slash.
    pub(crate) fn read(text: &str) -> Result<Self> {
        let (address, mask) = match text.split_once('/') {
            Some((address, mask)) => (address, Some(mask)),
            None => (text, None),
        };
        let bare = address.strip_prefix('[').and_then(|address| address.strip_suffix(']'));
        let (address, zone) = match bare.unwrap_or(address).split_once('%') {
            Some((address, zone)) if !zone.is_empty() => (IpAddr::V6(read_v6(address)?), zone),
            _ if bare.is_some() => (IpAddr::V6(read_v6(bare.unwrap_or_default())?), ""),
            _ => (read_address(address)?, ""),
        };
        let bits = mask.map_or(Ok(width(address)), |mask| length_of(mask, address))?;
        Ok(Self { address: masked(address, bits), bits, zone: zone.to_owned() })
    }

    /// Tells whether it is of version 6.
    pub(crate) fn is_ipv6(&self) -> bool {
        self.address.is_ipv6()
    }

    /// Tells whether all addresses of another network are in this one.
    pub(super) fn includes(&self, other: &Self) -> bool {
        self.address.is_ipv4() == other.address.is_ipv4()
            && other.bits >= self.bits
            && masked(other.address, self.bits) == self.address
    }
}

impl fmt::Display for Network {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}", self.address)?;
        if self.zone.is_empty() { Ok(()) } else { write!(out, "%{}", self.zone) }
    }
}

fn read_address(text: &str) -> Result<IpAddr> {
    if text.contains(':') {
        return read_v6(text).map(IpAddr::V6);
    }
    let parts: Vec<&str> = text.split('.').collect();
    let is_number =
        |part: &&str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.len() == 4
        && parts.iter().all(is_number)
        && parts.iter().any(|part| part.len() > 1 && part.starts_with('0'))
    {
        return Err(issues::argument(ZERO_FILLED));
    }
    text.parse().map_err(|_| invalid_address())
}

fn read_v6(text: &str) -> Result<Ipv6Addr> {
    text.parse().map_err(|_| invalid_address())
}

fn width(address: IpAddr) -> u32 {
    if address.is_ipv4() { 32 } else { 128 }
}

fn number_of(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u32::from(address).into(),
        IpAddr::V6(address) => address.into(),
    }
}

/// Reads the number of bits that a network has in common.
fn length_of(mask: &str, address: IpAddr) -> Result<u32> {
    if !mask.is_empty() && mask.bytes().all(|byte| byte.is_ascii_digit()) {
        if mask.len() > 1 && mask.starts_with('0') {
            return Err(issues::argument(LEADING_ZEROS));
        }
        let bits = mask.parse().ok().filter(|bits| *bits <= width(address));
        return bits.ok_or_else(|| invalid_length(number_of(address)));
    }
    let ones = match (read_address(mask)?, width(address)) {
        (IpAddr::V4(mask), 32) => u128::from(u32::from(mask)) << 96,
        (IpAddr::V6(mask), 128) => u128::from(mask),
        _ => return Err(invalid_address()),
    };
    let has_holes = ones.leading_ones() + ones.trailing_zeros() < 128;
    if has_holes { Err(invalid_mask(mask, number_of(address))) } else { Ok(ones.leading_ones()) }
}

/// Clears all bits but the first so many.
fn masked(address: IpAddr, bits: u32) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - bits).unwrap_or(0);
            Ipv4Addr::from(u32::from(address) & mask).into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - bits).unwrap_or(0);
            Ipv6Addr::from(u128::from(address) & mask).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_written_with_lengths_or_masks() {
        for (text, address) in [
            ("10.1.2.3/8", Some("10.0.0.0")),
            ("10.1.2.3/255.255.0.0", Some("10.1.0.0")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("2001:db8::1/32", Some("2001:db8::")),
            ("fe80::1%eth0", Some("fe80::1%eth0")),
            ("10.1.2.3/33", None),
            ("10.1.2.3/255.0.255.0", None),
            ("10.1.2", None),
            ("x", None),
        ] {
            let read = Network::read(text).map(|network| network.to_string());
            assert_eq!(read.ok().as_deref(), address, "{text}");
        }
    }

    #[test]
    fn a_network_includes_those_within_it() {
        for (network, other, expected) in [
            ("10.0.0.0/8", "10.2.3.4", true),
            ("10.0.0.0/8", "11.2.3.4", false),
            ("10.0.0.0/8", "10.0.0.0/7", false),
            ("0.0.0.0/0", "::1", false),
            ("::/0", "::1", true),
        ] {
            let [network, other] = [network, other].map(|text| Network::read(text).expect(text));
            assert_eq!(network.includes(&other), expected, "{network:?} {other:?}");
        }
    }
}
