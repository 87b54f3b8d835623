//! `os_transport_url`: the URL of a message queue.

use crate::prelude::*;
use crate::ruby::class_name;
use issues::modules::{transport_url, transport_url_count};

use super::addresses::in_brackets;

/// The function `os_transport_url`.
pub(super) static OS_TRANSPORT_URL: Function = Function {
    name: "os_transport_url",
    doc: "Returns the URL of a message queue, made of `transport`, `host` or `hosts`, and if given `port`, `username`, `password`, `virtual_host`, `query` and `ssl`.",
    dispatches: &[on(&["*Any args"], os_transport_url)],
    examples: &[
        Gives(
            "os_transport_url({transport => rabbit, hosts => ['192.0.2.1', '::1'], port => 5672, username => u, password => 'p@'})",
            "'rabbit://u:p%40@192.0.2.1:5672,u:p%40@[::1]:5672/'",
        ),
        Gives(
            "os_transport_url({transport => rabbit, host => a, virtual_host => v, query => {k => 1}, ssl => '1'})",
            "'rabbit://a/v?k=1&ssl=1'",
        ),
        Fails("os_transport_url({host => a})", "os_transport_url(): transport is required"),
    ],
};

fn os_transport_url(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(transport_url_count().into());
    }
    let given = match call.take(0) {
        Value::Hash(given) => given,
        other => return Err(transport_url(format!("Requires an hash, got {}", class_name(&other))).into()),
    };
    check_kinds(&given)?;
    let text = |name: &str| given.get_str(name).map(ruby_text);
    let transport = text("transport").ok_or_else(|| transport_url("transport is required"))?;
    let hosts = match (given.get_str("host"), given.get_str("hosts")) {
        (None, None) => return Err(transport_url("host or hosts is required").into()),
        (Some(_), Some(_)) => return Err(transport_url("cannot use both host and hosts.").into()),
        (Some(host), None) => vec![host.clone()],
        (None, Some(hosts)) => hosts.as_array().unwrap_or_default().to_vec(),
    };
    let user = user_of(&given);
    let port = text("port").map_or(String::new(), |port| format!(":{port}"));
    let hosts: Vec<String> =
        hosts.iter().map(|host| format!("{user}{}{port}", ruby_text(&in_brackets(host)))).collect();
    let path = text("virtual_host").unwrap_or_default();
    let query = query_of(call, &given)?;
    Ok(format!("{transport}://{}/{path}{query}", hosts.join(",")).into())
}

/// Checks that everything is of the kind that it has to be.
fn check_kinds(given: &Hash) -> Result<()> {
    for (name, value) in given {
        let name = ruby_text(name);
        let wanted = match name.as_str() {
            "port" => continue,
            "hosts" => "Array",
            "query" => "Hash",
            _ => "String",
        };
        if class_name(value) != wanted {
            return Err(transport_url(format!("{name} should be a {wanted}")).into());
        }
    }
    Ok(())
}

fn user_of(given: &Hash) -> String {
    let part = |name: &str| given.get_str(name).map(ruby_text).filter(|text| !text.is_empty()).map(escaped);
    match (part("username"), part("password")) {
        (None, _) => String::new(),
        (Some(user), None) => format!("{user}@"),
        (Some(user), Some(password)) => format!("{user}:{password}@"),
    }
}

fn query_of(call: &mut Call, given: &Hash) -> Result<String> {
    let mut query = given.get_str("query").and_then(Value::as_hash).cloned().unwrap_or_default();
    if let Some(ssl) = given.get_str("ssl") {
        query.insert("ssl", call.call_function("bool2num", vec![ssl.clone()], false)?);
    }
    let pairs = query.iter().map(|(name, value)| format!("{}={}", ruby_text(name), ruby_text(value)));
    let pairs: Vec<String> = pairs.collect();
    Ok(if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) })
}

/// Escapes all bytes that have a meaning in URLs.
fn escaped(text: String) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.~".contains(&byte);
    let escape = |byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(escape).collect()
}
