//! `enclose_ipv6` and `stdlib::ip_in_range`: addresses of machines.

use super::address::Network;
use crate::collections::flattened;
use crate::prelude::*;
use issues::stdlib::{NO_FAMILY, bare_count, no_address, no_addresses};

/// The function `enclose_ipv6`.
pub(super) static ENCLOSE_IPV6: Function = Function {
    name: "enclose_ipv6",
    doc: "Returns addresses, each once, those of version 6 in brackets. `*` is left as it is.",
    dispatches: &[legacy(-1, enclose_ipv6)],
    examples: &[
        Gives("enclose_ipv6(['127.0.0.1', '::1', '*'])", "['127.0.0.1', '[::1]', '*']"),
        Fails("enclose_ipv6(['x'])", "enclose_ipv6(): Wrong argument given x is not an ip address."),
    ],
};

/// The function `stdlib::ip_in_range`.
pub(super) static IP_IN_RANGE: Function = Function {
    name: "stdlib::ip_in_range",
    doc: "Tells whether an address is in a network, or in any of several.",
    dispatches: &[on(&["String ipaddress", "Variant[String, Array] range"], ip_in_range).returns("Boolean")],
    examples: &[
        Gives("stdlib::ip_in_range('192.0.2.7', '192.0.2.0/24')", "true"),
        Gives("stdlib::ip_in_range('192.0.2.7', ['10.0.0.0/8', '2001:db8::/32'])", "false"),
        Fails("stdlib::ip_in_range('x', '10.0.0.0/8')", "invalid address: "),
    ],
};

fn enclose_ipv6(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(bare_count("enclose_ipv6", call.count(), "1").into());
    }
    if !matches!(call.value(0), Value::String(_) | Value::Array(_)) {
        return Err(no_addresses(call.value(0)).into());
    }
    let mut enclosed = Hash::new();
    for value in flattened(call.arguments()).into_iter().filter(|value| !value.is_undef()) {
        enclosed.insert(in_brackets(&value)?, true);
    }
    Ok(Value::array(enclosed.keys().cloned().collect()))
}

fn in_brackets(value: &Value) -> Result<Value> {
    if value.as_str() == Some("*") {
        return Ok(value.clone());
    }
    let network = value.as_str().and_then(|text| Network::read(text).ok());
    let network = network.ok_or_else(|| no_address(value))?;
    Ok(if network.is_ipv6() { format!("[{network}]").into() } else { value.clone() })
}

fn ip_in_range(call: &mut Call) -> Result<Value> {
    let address = read(call.value(0))?;
    let ranges = call.value(1).as_array().unwrap_or(&call.arguments()[1..]);
    let ranges = ranges.iter().map(read).collect::<Result<Vec<Network>>>()?;
    Ok(ranges.iter().any(|range| range.includes(&address)).into())
}

fn read(value: &Value) -> Result<Network> {
    let text = value.as_str().ok_or_else(|| issues::argument(NO_FAMILY))?;
    Ok(Network::read(text)?)
}
