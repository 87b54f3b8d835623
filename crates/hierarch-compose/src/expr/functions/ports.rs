//! Ports: what `80-90:8080-8090/udp` says, as a map.

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use super::Example::{Fails, Gives};
use super::{Function, function};
use crate::expr::{issues, python};

pub(super) static FUNCTIONS: &[Function] = &[function(
    "portspec",
    "Reads ports: a number, a text such as 80:8080/udp with ranges such as 80-90, or a map with `source`, `target`, \
     `source_range`, `target_range` and `protocol`.",
    |call| Ok(portspec(call.value()?)?.into()),
)
.examples(&[
    Gives(
        "{portspec: '80:8080'}",
        "{'protocol': 'tcp', 'source': 80, 'target': 8080, 'source_range': None, 'target_range': None}",
    ),
    Fails("{portspec: 70000}", "is out of range \"(min:1, max:65535)\""),
])];

/// What a port can be, both ends included.
const PORTS: (f64, f64) = (1.0, 65535.0);

const PROTOCOLS: [&str; 3] = ["udp", "tcp", "icmp"];

fn portspec(value: Value) -> Result<Value> {
    let mut spec = match &value {
        Value::Integer(_) | Value::Boolean(_) => {
            [("source", value.clone()), ("target", value), ("protocol", "tcp".into())].into_iter().collect()
        }
        value if !python::is_true(value) => return Ok(Value::Undef),
        Value::String(text) => parsed(text),
        Value::Hash(map) => (**map).clone(),
        other => return Err(issues::invalid_ports(&python::text(other))),
    };
    for name in ["source", "source_range", "target", "target_range", "protocol"] {
        if !spec.contains_str(name) {
            spec.insert(name, Value::Undef);
        }
    }
    let is_given = |name: &&str| spec.get_str(name).is_some_and(|value| !value.is_undef());
    if !["source", "source_range", "target", "target_range"].iter().any(is_given) {
        return Err(issues::empty_ports(&python::repr(&Value::hash(spec))));
    }
    check_end(&mut spec, "source", "source_range")?;
    check_end(&mut spec, "target", "target_range")?;
    match spec.get_str("protocol").filter(|protocol| python::is_true(protocol)) {
        Some(protocol) if !PROTOCOLS.contains(&python::text(protocol).as_str()) => {
            Err(issues::unknown_protocol(&python::text(protocol), &PROTOCOLS.join(", ")))
        }
        _ => Ok(Value::hash(spec)),
    }
}

/// Reads `SOURCE[-END][:TARGET[-END]][/PROTOCOL]`.
fn parsed(text: &str) -> Hash {
    let (ports, protocol) = text.split_once('/').unwrap_or((text, ""));
    let (source, target) = ports.split_once(':').unwrap_or((ports, ""));
    let target = if target.is_empty() { source } else { target };
    let mut spec = Hash::new();
    spec.insert("protocol", if protocol.is_empty() { "tcp" } else { protocol });
    for (end, port) in [("source", source), ("target", target)] {
        if port.contains('-') {
            spec.insert(format!("{end}_range"), Value::array(port.split('-').map(Value::from).collect()));
        } else {
            spec.insert(end, port);
        }
    }
    spec
}

/// Checks a port and the range that it must lie in.
fn check_end(spec: &mut Hash, name: &str, range_name: &str) -> Result<()> {
    let range = match spec.get_str(range_name) {
        Some(range) if python::is_true(range) => Some(range_of(range)?),
        _ => None,
    };
    let Some(port) = spec.get_str(name).filter(|port| !port.is_undef()).cloned() else { return Ok(()) };
    let port = match port {
        Value::Integer(_) | Value::Boolean(_) => port,
        other => integer(&other).ok_or_else(|| issues::no_integer(&python::text(&other)))?,
    };
    let number = number(&port)?;
    for (least, most) in [PORTS].into_iter().chain(range) {
        if number < least || number > most {
            return Err(issues::port_out_of_range(&python::text(&port), name, least, most));
        }
    }
    spec.insert(name, port);
    Ok(())
}

/// Reads the two ends of a range; `UNBOUNDED` has none.
fn range_of(range: &Value) -> Result<(f64, f64)> {
    let Some([least, most]) = range.as_array() else {
        return Err(issues::invalid_range(&python::text(range)));
    };
    let end = |value: &Value, unbounded: f64| match value.as_str() {
        Some("UNBOUNDED") => Ok(unbounded),
        _ => number(value),
    };
    let (least, most) = (end(least, f64::NEG_INFINITY)?, end(most, f64::INFINITY)?);
    if least > most { Err(issues::invalid_range(&python::text(range))) } else { Ok((least, most)) }
}

fn integer(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => text.trim().parse::<i64>().ok().map(Value::from),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "Python cuts, too; what does not fit is out of range"
        )]
        Value::Float(number) => Some(Value::from(*number as i64)),
        _ => None,
    }
}

fn number(value: &Value) -> Result<f64> {
    let read = match value {
        Value::Boolean(flag) => Some(f64::from(u8::from(*flag))),
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_number(),
    };
    read.ok_or_else(|| issues::no_number(&python::text(value)))
}
