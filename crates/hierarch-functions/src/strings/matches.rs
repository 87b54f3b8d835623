//! `match`: what a pattern and its groups match in a text.

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::types::Kind;

use crate::prelude::*;

/// The function `match`.
pub(super) static MATCH: Function = Function {
    name: "match",
    doc: "Returns an Array of what a pattern and each of its groups match in a String, or `undef`; of an Array of Strings, an Array of these. The pattern may be a String, Regexp, a type of patterns, or an Array of such, of which the first that matches counts.",
    dispatches: &[
        on(&["String string", "Variant[Any, Type] pattern"], of_string),
        on(&["Array[String] string", "Variant[Any, Type] pattern"], of_array),
    ],
    examples: &[
        Gives("match('abc', 'b(.)')", "['bc', 'c']"),
        Gives("match(['a1', 'b'], /\\d/)", "[['1'], undef]"),
        Gives("match('abc', Pattern[/x/, /c/])", "['c']"),
        Fails("match('abc', Regexp)", "Given Regexp Type has no regular expression"),
        Fails(
            "match('abc', 1)",
            "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got Integer",
        ),
    ],
};

fn of_string(call: &mut Call) -> Result<Value> {
    matched(call, call.str(0), call.value(1))
}

fn of_array(call: &mut Call) -> Result<Value> {
    let pattern = call.value(1);
    let each = |text: &Value| matched(call, text.as_str().unwrap_or_default(), pattern);
    Ok(Value::array(call.array(0).iter().map(each).collect::<Result<_>>()?))
}

fn matched(call: &Call, text: &str, pattern: &Value) -> Result<Value> {
    match pattern {
        Value::String(source) => groups(text, &*call.pattern(source)?),
        Value::Regexp(regexp) => groups(text, regexp),
        Value::Array(patterns) => first(patterns.iter(), |pattern| matched(call, text, pattern)),
        Value::Type(type_) => by_type(text, type_),
        other => Err(issues::not_a_pattern(other).into()),
    }
}

fn by_type(text: &str, type_: &Type) -> Result<Value> {
    let type_ = type_.resolved();
    match type_.kind() {
        Kind::Regexp(regexp) => groups(text, regexp.regexp().ok_or_else(issues::no_regexp_in_type)?),
        Kind::Pattern(pattern) => first(pattern.patterns().iter(), |regexp| groups(text, regexp)),
        Kind::Variant(variant) => first(variant.types().iter(), |type_| by_type(text, type_)),
        _ => Err(issues::not_a_pattern(&type_.clone().into()).into()),
    }
}

/// Returns the first result that is there.
fn first<T>(patterns: impl Iterator<Item = T>, mut one: impl FnMut(T) -> Result<Value>) -> Result<Value> {
    for pattern in patterns {
        let found = one(pattern)?;
        if !found.is_undef() {
            return Ok(found);
        }
    }
    Ok(Value::Undef)
}

fn groups(text: &str, regexp: &Regexp) -> Result<Value> {
    let Some(captures) = regexp.captures(text)? else { return Ok(Value::Undef) };
    Ok(Value::array((0..captures.len()).map(|group| captures.text(text, group).into()).collect()))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn matches_are_lists() {
        check_calls(&[
            ("'abc'.match('b')", "['b']"),
            ("'abc'.match(/(a)(x)?/)", "['a', 'a', undef]"),
            ("'abc'.match('x')", "undef"),
            ("'abc'.match(Regexp[/b/])", "['b']"),
            ("'abc'.match(Pattern[/x/, /b/])", "['b']"),
            ("'abc'.match(Pattern[/x/])", "undef"),
            ("['a', 'b'].match('b')", "[undef, ['b']]"),
            ("[].match('b')", "[]"),
            (
                "'abc'.match('[')",
                "Evaluation Error: Error while evaluating a Method call, premature end of char-class: /[/ (line: 1, column: 12)",
            ),
            (
                "'abc'.match(1)",
                "Evaluation Error: Error while evaluating a Method call, match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got Integer (line: 1, column: 12)",
            ),
            (
                "1.match('a')",
                "Evaluation Error: Error while evaluating a Method call, 'match' parameter 'string' expects a value of type String or Array, got Integer (line: 1, column: 8)",
            ),
            (
                "'abc'.match(Regexp)",
                "Evaluation Error: Error while evaluating a Method call, Given Regexp Type has no regular expression (line: 1, column: 12)",
            ),
        ]);
    }
}
