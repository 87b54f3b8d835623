//! The environment: `get_env`, `has_env`, `to_env`.

use std::collections::BTreeMap;

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use super::Example::{Fails, Gives};
use super::{Call, Function, Matches, function, revealed};
use crate::expr::python;

pub(super) static FUNCTIONS: &[Function] = &[
    function("get_env", "Gives an environment variable, a default, or null; without a name, all variables.", get_env)
        .alone()
        .reaching_out()
        .examples(&[
            Gives("{get_env: REGION}", "'eu'"),
            Gives("{get_env: [ZONE, a]}", "'a'"),
            Gives("{get_env: }", "{'REGION': 'eu'}"),
        ]),
    function("has_env", "Tells whether there is an environment variable.", |call| {
        let name = python::text(&call.value()?);
        Ok(Value::from(call.scope.world.host.variable(&name)?.is_some()).into())
    })
    .alone()
    .reaching_out()
    .examples(&[Gives("{has_env: ZONE}", "False")]),
    function(
        "to_env",
        "Makes variables of a map of rules: `NAME: value` sets, with `${NAME}` and `${A|B:default}` replaced; `+NAME` copies \
         (`+NAM*` all that match, `+!NAM*` all others), `-NAME` removes, `^NAME: value` puts in front of a path.",
        to_env,
    )
    .reaching_out()
    .examples(&[
        Gives("{to_env: {A: 1, B: '${A}-${REGION}', C: true, D: null}}", "{'A': '1', 'B': '1-eu', 'C': 'true'}"),
        Gives("{to_env: {'+REG*': , '^REGION': x}}", "{'REGION': 'x:eu'}"),
        Fails("{to_env: 5}", "expects a map"),
    ]),
];

fn get_env(call: &Call) -> Result<Matches> {
    let host = &call.scope.world.host;
    let arguments = match call.argument {
        Value::Array(items) => items.to_vec(),
        Value::Undef => Vec::new(),
        other => vec![other.clone()],
    };
    let Some(name) = arguments.first() else {
        let all: Hash = host.variables()?.into_iter().collect();
        return Ok(Value::from(all).into());
    };
    let name = python::text(&call.resolve(name)?);
    match (host.variable(&name)?, arguments.get(1)) {
        (Some(value), _) => Ok(Value::from(value).into()),
        (None, Some(default)) => Ok(call.resolve(default)?.into()),
        (None, None) => Ok(Matches::default()),
    }
}

/// Applies rules one after the other; what they make is seen by those that follow.
fn to_env(call: &Call) -> Result<Matches> {
    let value = call.handed_on()?;
    let Some(rules) = value.as_hash() else { return Err(call.wrong("a map", &value)) };
    let mut made = Hash::new();
    for (key, value) in rules {
        let key = key.to_string();
        match key.strip_prefix(['+', '-', '^']) {
            Some(pattern) => apply(call, &key[..1], pattern, value, &mut made)?,
            None => set(call, &key, value, &mut made)?,
        }
    }
    Ok(Value::from(made).into())
}

fn set(call: &Call, name: &str, value: &Value, made: &mut Hash) -> Result<()> {
    let secret = value.has_sensitive();
    let text = match revealed(value.clone()) {
        Value::Undef => return Ok(()),
        Value::Boolean(true) => "true".to_owned(),
        Value::Boolean(false) => String::new(),
        other => substituted(call, &python::text(&other), made)?,
    };
    made.insert(name, if secret { Value::sensitive(text.into()) } else { text.into() });
    Ok(())
}

/// Applies a rule about variables that exist, or that were made: to those whose names match, or with `!` to the others.
fn apply(call: &Call, rule: &str, pattern: &str, value: &Value, made: &mut Hash) -> Result<()> {
    let (negated, pattern) = pattern.strip_prefix('!').map_or((false, pattern), |pattern| (true, pattern));
    let chosen = |name: &str| matches(pattern.as_bytes(), name.as_bytes()) != negated;
    if rule == "-" {
        made.retain(|name, _| !chosen(&name.to_string()));
        return Ok(());
    }
    let existing: BTreeMap<String, String> =
        call.scope.world.host.variables()?.into_iter().filter(|(name, _)| chosen(name)).collect();
    if existing.is_empty() {
        return set(call, pattern, value, made);
    }
    for (name, old) in existing {
        let new = match value {
            value if rule == "^" && python::is_true(value) => format!("{}:{old}", python::text(value)),
            _ => old,
        };
        made.insert(name, new);
    }
    Ok(())
}

/// Matches a name with a pattern in which `*` is any text and `?` any character.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            matches(rest, name) || name.split_first().is_some_and(|(_, name)| matches(pattern, name))
        }
        (Some((b'?', pattern)), Some((_, name))) => matches(pattern, name),
        (Some((a, pattern)), Some((b, name))) => a == b && matches(pattern, name),
        _ => false,
    }
}

/// Replaces `${NAME}` and `${A|B:default}`; a backslash in front keeps it.
fn substituted(call: &Call, text: &str, made: &Hash) -> Result<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((inside, after)) = after.split_once('}') else { break };
        rest = after;
        if let Some(before) = before.strip_suffix('\\') {
            out.push_str(&format!("{before}${{{inside}}}"));
            continue;
        }
        out.push_str(before);
        let (names, default) = inside.split_once(':').unwrap_or((inside, ""));
        let mut found = None;
        for name in names.split('|') {
            found = match made.get_str(name) {
                Some(value) => Some(python::text(value)),
                None => call.scope.world.host.variable(name)?,
            };
            if found.is_some() {
                break;
            }
        }
        out.push_str(found.as_deref().unwrap_or(default));
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn names_match_patterns() {
        for (pattern, name, wanted) in [
            ("A*", "ABC", true),
            ("A*C", "ABC", true),
            ("A?", "AB", true),
            ("A", "AB", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), wanted, "{pattern} {name}");
        }
    }
}
