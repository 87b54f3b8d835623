//! Texts: `concat`, `token`, `template`, `urljoin`, `generate_string`.

use hierarch_pcore::Value;
use hierarch_source::Result;

use super::Example::{Fails, Gives};
use super::{Call, Function, Matches, function};
use crate::expr::{file, folders, issues, python};
use crate::template as templates;

pub(super) static FUNCTIONS: &[Function] = &[
    function("concat", "Joins the texts of a list of values, with `sep` between them. What is no list stays as it is.", concat)
        .alone()
        .examples(&[
            Gives("{concat: [http://, {eval: '::web::host'}, ':', {eval: '::web::port'}]}", "'http://w1:8080'"),
            Gives("{concat: [a, b], sep: '-'}", "'a-b'"),
        ]),
    function("token", "Splits a text at a separator and gives the part with an index.", token)
        .alone()
        .examples(&[Gives("{token: ['a:b:c', ':', 1]}", "'b'"), Fails("{token: [a, ':', 5]}", "index out of range")]),
    function(
        "template",
        "Renders a text, or with `{path: FILE}` a file, as a Jinja2 template.",
        template,
    )
    .examples(&[
        Gives("{template: '{{ SELF.port + 1 }}'}", "81"),
        Gives("{template: {path: motd}}", "'hello w1'"),
    ]),
    function(
        "urljoin",
        "Makes a URL of scheme, host, port, path, query and fragment; ports that go without saying are left out.",
        urljoin,
    )
    .examples(&[
        Gives("{urljoin: [https, h, 443, a b, x=1]}", "'https://h/a%20b?x%3D1'"),
        Gives("{urljoin: [http, h, 8080]}", "'http://h:8080'"),
    ]),
    function(
        "generate_string",
        "Gives random text of `len` characters from `ranges`, or from letters and digits. It is a secret.",
        generate,
    )
    .alone()
    .examples(&[Gives("{generate_string: {len: 4}}", "<<REDACTED>>")]),
];

fn concat(call: &Call) -> Result<Matches> {
    let value = call.value()?;
    let Value::Array(items) = &value else { return Ok(value.into()) };
    let separator = call.named("sep")?.map(|value| python::text(&value)).unwrap_or_default();
    let parts: Vec<String> = items.iter().map(python::text).collect();
    let length = parts.iter().map(String::len).sum::<usize>();
    call.scope.world.budget.take(length.saturating_add(parts.len().saturating_mul(separator.len())))?;
    Ok(Value::from(parts.join(&separator)).into())
}

fn token(call: &Call) -> Result<Matches> {
    let parts = call.list(3..=3)?;
    let (text, separator) = (python::text(&parts[0]), python::text(&parts[1]));
    let Some(index) = parts[2].as_integer() else { return Err(call.wrong("an integer as index", &parts[2])) };
    if separator.is_empty() {
        return Err(call.wrong("a separator", &parts[1]));
    }
    let tokens: Vec<&str> = text.split(&separator).collect();
    let at = if index < 0 { index + tokens.len() as i64 } else { index };
    let found = usize::try_from(at).ok().and_then(|at| tokens.get(at).copied());
    Ok(Value::from(found.ok_or_else(issues::index_out_of_range)?).into())
}

fn template(call: &Call) -> Result<Matches> {
    let path = call.argument.as_hash().and_then(|map| map.get_str("path"));
    let text = match (path, call.argument) {
        (Some(_), _) if call.scope.world.safe => return Err(issues::function_unsafe("template")),
        (Some(path), _) => {
            let path = python::text(&call.resolve(path)?);
            file::read(&call.scope.world, &folders::absolute(call.scope, &path, None, false)?)?
        }
        (None, Value::String(text)) => text.to_string(),
        (None, other) => python::text(&call.resolve(other)?),
    };
    Ok(templates::render(call.scope, &text)?.into())
}

fn urljoin(call: &Call) -> Result<Matches> {
    let parts: Vec<String> = call
        .list(1..=6)?
        .iter()
        .map(|part| if part.is_undef() { String::new() } else { python::text(part) })
        .collect();
    let part = |index: usize| parts.get(index).map_or("", String::as_str);
    let (scheme, host, port) = (part(0), part(1), part(2));
    if parts.iter().all(String::is_empty) {
        return Ok(Matches::default());
    }
    let mut url = String::new();
    if !scheme.is_empty() {
        url.push_str(&format!("{scheme}:"));
    }
    if !scheme.is_empty() || !host.is_empty() {
        url.push_str(&format!("//{host}"));
        if !port.is_empty() && !matches!((scheme, port), ("http", "80") | ("https", "443")) {
            url.push_str(&format!(":{port}"));
        }
    }
    let path = percent_encoded(part(3), b"/", false);
    if !path.is_empty() && !url.is_empty() && !path.starts_with('/') {
        url.push('/');
    }
    url.push_str(&path);
    for (mark, text) in
        [('?', percent_encoded(part(4), b"", true)), ('#', percent_encoded(part(5), b"/", false))]
    {
        if !text.is_empty() {
            url.push(mark);
            url.push_str(&text);
        }
    }
    Ok(Value::from(url).into())
}

/// Writes everything but letters, digits, `_.-~` and some marks as `%XX`; in a form, a blank is `+`.
pub(crate) fn percent_encoded(text: &str, keep: &[u8], form: bool) -> String {
    let mut out = String::new();
    for &byte in text.as_bytes() {
        match byte {
            b if b.is_ascii_alphanumeric() || b"_.-~".contains(&b) || keep.contains(&b) => {
                out.push(char::from(b));
            }
            b' ' if form => out.push('+'),
            b => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

/// Random text: of `len` characters from `ranges`, or from the letters and digits.
fn generate(call: &Call) -> Result<Matches> {
    let value = call.value()?;
    let empty = hierarch_pcore::Hash::new();
    let options = value.as_hash().unwrap_or(&empty);
    let length = options.get_str("len").and_then(Value::as_integer).unwrap_or(24).max(1) as usize;
    call.scope.world.budget.take(length.saturating_mul(2))?;
    let alphabet = alphabet(options.get_str("ranges"))?;
    let mut bytes = vec![0; length * 2];
    call.scope.world.host.random(&mut bytes)?;
    // Two bytes for each character keep the bias of the remainder below one in a thousand.
    let pick = |pair: &[u8]| alphabet[usize::from(u16::from_le_bytes([pair[0], pair[1]])) % alphabet.len()];
    Ok(Value::sensitive(bytes.chunks_exact(2).map(pick).collect::<String>().into()).into())
}

fn alphabet(ranges: Option<&Value>) -> Result<Vec<char>> {
    let Some(ranges) = ranges else {
        return Ok(('0'..='9').chain('A'..='Z').chain('a'..='z').collect());
    };
    let mut letters = Vec::new();
    for range in ranges.as_array().unwrap_or_default() {
        let ends: Vec<char> = match range.as_array() {
            Some([from, to]) => {
                [from, to].iter().filter_map(|end| python::text(end).chars().next()).collect()
            }
            _ => Vec::new(),
        };
        let &[from, to] = ends.as_slice() else {
            return Err(issues::wrong_argument(
                "generate_string",
                "ranges of two characters",
                &python::repr(range),
            ));
        };
        letters.extend(from..=to);
    }
    if letters.is_empty() {
        return Err(issues::wrong_argument("generate_string", "ranges that are not empty", "none"));
    }
    Ok(letters)
}
