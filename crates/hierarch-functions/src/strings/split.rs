//! `split`: the parts of a text between matches of a pattern.

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::types::Kind;

use crate::prelude::*;

/// The function `split`.
pub(super) static SPLIT: Function = Function {
    name: "split",
    doc: "Returns an Array of the parts of a String between matches of a pattern, which may be a String too; what groups matched comes between them. Empty parts at the end are left out. A Sensitive String gives a Sensitive Array.",
    dispatches: &[
        on(&["String str", "String pattern"], split),
        on(&["String str", "Regexp pattern"], split),
        on(&["String str", "Type[Regexp] pattern"], split),
        on(&["Sensitive[String] sensitive", "String pattern"], split),
        on(&["Sensitive[String] sensitive", "Regexp pattern"], split),
        on(&["Sensitive[String] sensitive", "Type[Regexp] pattern"], split),
    ],
    examples: &[
        Gives("split('a,b,,', ',')", "['a', 'b']"),
        Gives("split('a1b2c', /(\\d)/)", "['a', '1', 'b', '2', 'c']"),
        Gives("split('abc', '')", "['a', 'b', 'c']"),
        Gives("split('a.b', '[.]')", "['a', 'b']"),
        Gives("split(',a,', ',')", "['', 'a']"),
        Gives("split('', ',')", "[]"),
        Gives("unwrap(split(Sensitive('a b'), ' '))", "['a', 'b']"),
        Fails("split('a', '(')", "end pattern with unmatched parenthesis: /(/"),
    ],
};

fn split(call: &mut Call) -> Result<Value> {
    call.count_slow_work()?;
    if let (Value::String(text), Value::String(separator)) = (call.value(0), call.value(1))
        && is_plain(separator)
    {
        return Ok(Value::array(plain_parts(text, separator)));
    }
    let pattern = pattern(call, call.value(1))?;
    match call.value(0) {
        Value::Sensitive(text) => {
            Ok(Value::sensitive(Value::array(parts(text.as_str().unwrap_or_default(), &pattern)?)))
        }
        text => Ok(Value::array(parts(text.as_str().unwrap_or_default(), &pattern)?)),
    }
}

/// Tells whether a pattern is one character that means nothing but itself.
fn is_plain(pattern: &str) -> bool {
    let mut characters = pattern.chars();
    let is_literal = |c: char| c.is_ascii_alphanumeric() || ",;:/=@ -_%&~'\"\n".contains(c);
    characters.next().is_some_and(is_literal) && characters.next().is_none()
}

fn plain_parts(text: &str, separator: &str) -> Vec<Value> {
    let mut parts: Vec<Value> = text.split(separator).map(Value::from).collect();
    while parts.last().is_some_and(|part| part.as_str() == Some("")) {
        parts.pop();
    }
    parts
}

fn pattern(call: &Call, value: &Value) -> Result<Arc<Regexp>> {
    let empty = || Regexp::new("").map(Arc::new);
    Ok(match value {
        Value::Regexp(regexp) => Arc::clone(regexp),
        Value::Type(type_) => match type_.resolved().kind() {
            Kind::Regexp(regexp) => regexp.regexp().map_or_else(empty, |regexp| Ok(Arc::clone(regexp)))?,
            _ => empty()?,
        },
        other => call.pattern(other.as_str().unwrap_or_default())?,
    })
}

/// An empty match cuts after the next character, and not where the part at hand begins.
fn parts(text: &str, pattern: &Regexp) -> Result<Vec<Value>> {
    let mut parts: Vec<Value> = Vec::new();
    let (mut begin, mut start, mut has_skipped) = (0, 0, false);
    while start <= text.len()
        && let Some(captures) = pattern.captures_from(text, start)?
    {
        let (from, to) = captures.get(0).unwrap_or((start, start));
        if from == to && from == start {
            if !has_skipped {
                start += text[start..].chars().next().map_or(1, char::len_utf8);
                has_skipped = true;
                continue;
            }
            parts.push(text[begin..start].into());
            begin = start;
        } else {
            parts.push(text[begin..from].into());
            (begin, start) = (to, to);
        }
        has_skipped = false;
        parts.extend((1..captures.len()).filter_map(|group| captures.text(text, group)).map(Value::from));
    }
    if begin < text.len() {
        parts.push(text[begin..].into());
    }
    while parts.last().is_some_and(|part| part.as_str() == Some("")) {
        parts.pop();
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn texts_are_split() {
        check_calls(&[
            ("split('a,b,c', ',')", "['a', 'b', 'c']"),
            ("split('a,b,c', /,/)", "['a', 'b', 'c']"),
            ("split('a,b,,', ',')", "['a', 'b']"),
            ("split(',a', ',')", "['', 'a']"),
            ("split('', ',')", "[]"),
            ("split('abc', '')", "['a', 'b', 'c']"),
            ("split('a b', ' ')", "['a', 'b']"),
            ("split(' a  b ', ' ')", "['', 'a', '', 'b']"),
            ("split(' a  b ', / /)", "['', 'a', '', 'b']"),
            ("split('a.b', '.')", "[]"),
            ("split('a.b', '[.]')", "['a', 'b']"),
            (r"split('a1b2', /(\d)/)", "['a', '1', 'b', '2']"),
            ("split('a,b', Regexp[/,/])", "['a', 'b']"),
            ("split('abc', Regexp)", "['a', 'b', 'c']"),
            (
                "split('a,b', '[')",
                "Evaluation Error: Error while evaluating a Function Call, premature end of char-class: /[/ (line: 1, column: 1)",
            ),
            ("split('grüße', 'ü')", "['gr', 'ße']"),
            (
                "split(1, ',')",
                "Evaluation Error: Error while evaluating a Function Call, The function 'split' was called with arguments it does not accept. It expects one of:\n  (String str, String pattern)\n    rejected: parameter 'str' expects a String value, got Integer\n  (String str, Regexp pattern)\n    rejected: parameter 'str' expects a String value, got Integer\n  (String str, Type[Regexp] pattern)\n    rejected: parameter 'str' expects a String value, got Integer\n  (Sensitive[String] sensitive, String pattern)\n    rejected: parameter 'sensitive' expects a Sensitive[String] value, got Integer\n  (Sensitive[String] sensitive, Regexp pattern)\n    rejected: parameter 'sensitive' expects a Sensitive[String] value, got Integer\n  (Sensitive[String] sensitive, Type[Regexp] pattern)\n    rejected: parameter 'sensitive' expects a Sensitive[String] value, got Integer (line: 1, column: 1)",
            ),
            (
                "split('a', 1)",
                "Evaluation Error: Error while evaluating a Function Call, The function 'split' was called with arguments it does not accept. It expects one of:\n  (String str, String pattern)\n    rejected: parameter 'pattern' expects a String value, got Integer\n  (String str, Regexp pattern)\n    rejected: parameter 'pattern' expects a Regexp value, got Integer\n  (String str, Type[Regexp] pattern)\n    rejected: parameter 'pattern' expects a Type[Regexp] value, got Integer\n  (Sensitive[String] sensitive, String pattern)\n    rejected: parameter 'sensitive' expects a Sensitive[String] value, got String\n  (Sensitive[String] sensitive, Regexp pattern)\n    rejected: parameter 'sensitive' expects a Sensitive[String] value, got String\n  (Sensitive[String] sensitive, Type[Regexp] pattern)\n    rejected: parameter 'sensitive' expects a Sensitive[String] value, got String (line: 1, column: 1)",
            ),
            (
                "split('a')",
                "Evaluation Error: Error while evaluating a Function Call, 'split' expects 2 arguments, got 1 (line: 1, column: 1)",
            ),
            ("split(Sensitive('a,b'), ',')", "#<Sensitive [value redacted]>"),
        ]);
    }
}
