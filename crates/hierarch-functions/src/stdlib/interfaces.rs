//! `stdlib::has_interface_with`, `has_ip_address` and `has_ip_network`: the network interfaces of the node.

use crate::prelude::*;
use crate::ruby::equal;
use issues::stdlib::{count, no_method};

/// The function `stdlib::has_interface_with`.
pub(super) static HAS_INTERFACE_WITH: Function = Function {
    name: "stdlib::has_interface_with",
    doc: "Tells whether the node has an interface of a name, or one with an address (`ip`, `mac`), a `netmask` or a `network`, after the fact `networking`.",
    dispatches: &[
        on(&["String[1] interface"], has_interface).returns("Boolean"),
        on(
            &["Enum['macaddress', 'netmask', 'ipaddress', 'network', 'ip', 'mac'] kind", "String[1] value"],
            has_interface_with,
        )
        .returns("Boolean"),
    ],
    examples: &[
        Fails(
            "stdlib::has_interface_with('')",
            "parameter 'interface' expects a String[1] value, got String",
        ),
        Fails("stdlib::has_interface_with('x', 'y')", "parameter 'kind' expects a match for Enum"),
    ],
};

/// The function `has_ip_address`.
pub(super) static HAS_IP_ADDRESS: Function = Function {
    name: "has_ip_address",
    doc: "Tells whether an interface of the node has an address, after the facts `interfaces` and `ipaddress_…`.",
    dispatches: &[legacy(-1, has_ip_address)],
    examples: &[
        Fails("has_ip_address('192.0.2.1')", "Undefined variable 'interfaces'; "),
        Fails("has_ip_address()", "has_ip_address(): Wrong number of arguments given (0 for 1)"),
    ],
};

/// The function `has_ip_network`.
pub(super) static HAS_IP_NETWORK: Function = Function {
    name: "has_ip_network",
    doc: "Tells whether an interface of the node is in a network, after the facts `interfaces` and `network_…`.",
    dispatches: &[legacy(-1, has_ip_network)],
    examples: &[
        Fails("has_ip_network('192.0.2.0')", "Undefined variable 'interfaces'; "),
        Fails("has_ip_network()", "has_ip_network(): Wrong number of arguments given (0 for 1)"),
    ],
};

fn has_interface(call: &mut Call) -> Result<Value> {
    let name = call.take(0);
    Ok(interfaces(call)?.contains_key(&name).into())
}

fn has_interface_with(call: &mut Call) -> Result<Value> {
    let kind = match call.str(0) {
        "ipaddress" => "ip",
        "macaddress" => "mac",
        other => other,
    }
    .to_owned();
    let interfaces = interfaces(call)?;
    let has = |interface: &Value| {
        let value = interface.as_hash().and_then(|interface| interface.get_str(&kind));
        value.is_some_and(|value| equal(value, call.value(1)))
    };
    Ok(interfaces.values().any(has).into())
}

fn interfaces(call: &mut Call) -> Result<Hash> {
    let mut value = call.variable("facts").unwrap_or_default();
    for name in ["networking", "interfaces"] {
        let hash = value.as_hash().ok_or_else(|| no_method("[]", &value))?;
        value = hash.get_str(name).cloned().unwrap_or_default();
    }
    Ok(value.as_hash().cloned().ok_or_else(|| no_method("key?", &value))?)
}

fn has_ip_address(call: &mut Call) -> Result<Value> {
    has_fact(call, "ipaddress")
}

fn has_ip_network(call: &mut Call) -> Result<Value> {
    has_fact(call, "network")
}

/// Tells whether the fact of a kind, for the node or one of its interfaces, has the value that is asked for.
fn has_fact(call: &mut Call, kind: &str) -> Result<Value> {
    if call.count() != 1 {
        return Err(count(call.name(), call.count(), "1").into());
    }
    let wanted = call.take(0);
    let interfaces = match call.variable("interfaces") {
        None if call.settings().strict_variables => {
            return Err(issues::undefined_variable("interfaces", "").into());
        }
        None | Some(Value::Undef) => return Ok(false.into()),
        Some(interfaces) => interfaces,
    };
    let names = interfaces.as_str().ok_or_else(|| no_method("split", &interfaces))?;
    let mut has = |name: &str| call.variable(name).is_some_and(|value| equal(&value, &wanted));
    Ok((has(kind) || names.split(',').any(|name| has(&format!("{kind}_{}", name.to_lowercase())))).into())
}
