//! `normalize_ip_for_uri` and `inet6_prefix`: addresses of version 6 as URLs and memcached want them.

use crate::prelude::*;
use crate::stdlib::address::Network;

/// The function `normalize_ip_for_uri`.
pub(super) static NORMALIZE_IP_FOR_URI: Function = Function {
    name: "normalize_ip_for_uri",
    doc: "Puts addresses of version 6 into brackets and leaves everything else as it is; one value for one, an array for several.",
    dispatches: &[on(&["*Any args"], normalize_ip_for_uri)],
    examples: &[
        Gives("normalize_ip_for_uri('::1')", "'[::1]'"),
        Gives("normalize_ip_for_uri(['192.0.2.1', '::1', '[::1]'])", "['192.0.2.1', '[::1]', '[::1]']"),
    ],
};

/// The function `inet6_prefix`.
pub(super) static INET6_PREFIX: Function = Function {
    name: "inet6_prefix",
    doc: "Writes addresses of version 6, with or without a port, as memcached's clients want them, and leaves everything else as it is; one value for one, an array for several.",
    dispatches: &[on(&["*Any args"], inet6_prefix)],
    examples: &[
        Gives("inet6_prefix('[::1]:11211')", "'inet6:[::1]:11211'"),
        Gives("inet6_prefix(['192.0.2.1', '::1'])", "['192.0.2.1', 'inet6:[::1]']"),
    ],
};

fn normalize_ip_for_uri(call: &mut Call) -> Result<Value> {
    Ok(each(call, bracketed))
}

/// Puts an address of version 6 into brackets; anything else stays.
pub(super) fn in_brackets(value: &Value) -> Value {
    changed(value, bracketed)
}

fn bracketed(text: &str) -> Option<String> {
    let is_in_brackets = text.find('[').is_some_and(|start| text[start..].rfind(']') > Some(1));
    (is_ipv6(text) && !is_in_brackets).then(|| format!("[{text}]"))
}

fn inet6_prefix(call: &mut Call) -> Result<Value> {
    Ok(each(call, |text| {
        if text.lines().any(|line| line.len() > "inet6:".len() && line.starts_with("inet6:")) {
            return None;
        }
        let is_gap = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n' | '\x0b' | '\x0c' | '[' | ']');
        let mut parts = text.split(is_gap).filter(|part| !part.is_empty());
        let address = parts.next().filter(|address| is_ipv6(address))?;
        Some(format!("inet6:[{address}]{}", parts.collect::<String>()))
    }))
}

/// Changes the texts among the arguments, or in the array that is the first.
fn each(call: &Call, change: impl Fn(&str) -> Option<String>) -> Value {
    let values = match call.arguments() {
        [Value::Array(values), ..] => values,
        values => values,
    };
    match values {
        [only] => changed(only, change),
        values => Value::array(values.iter().map(|value| changed(value, &change)).collect()),
    }
}

fn changed(value: &Value, change: impl Fn(&str) -> Option<String>) -> Value {
    value.as_str().and_then(change).map_or_else(|| value.clone(), Value::from)
}

fn is_ipv6(text: &str) -> bool {
    Network::read(text).is_ok_and(|network| network.is_ipv6())
}
