//! `regsubst`: texts with matches of a pattern replaced.

use hierarch_pcore::regex::{self, Captures, Regexp};
use hierarch_pcore::types::Kind;

use crate::prelude::*;

/// The function `regsubst`.
pub(super) static REGSUBST: Function = Function {
    name: "regsubst",
    doc: "Returns a String, or each of an Array, with the first match of a pattern replaced, or with flag `G` all of them. In the replacement `\\0` stands for the match, `\\1` for a group, `\\k<name>` for a named one; a Hash gives a replacement for each text matched. A pattern given as String takes the flags `I` (ignore case), `M` (points match line ends) and `E` (blanks and comments) too.",
    dispatches: &[
        on(
            &[
                TARGET,
                "String pattern",
                REPLACEMENT,
                "?Optional[Pattern[/^[GEIM]*$/]] flags",
                "?Enum['N', 'E', 'S', 'U'] encoding",
            ],
            of_string,
        ),
        on(
            &[TARGET, "Variant[Regexp, Type[Regexp]] pattern", REPLACEMENT, "?Pattern[/^G?$/] flags"],
            of_regexp,
        ),
    ],
    examples: &[
        Gives("regsubst('abcABC', 'b', 'x', 'GI')", "'axcAxC'"),
        Gives("regsubst('10.20', '(\\d+)\\.(\\d+)', '\\2.\\1')", "'20.10'"),
        Gives("regsubst(['ab', 'cb'], /b/, 'x')", "['ax', 'cx']"),
        Gives("regsubst('abc', 'a|b', {a => 'x'}, 'G')", "'xc'"),
        Fails("regsubst('abc', '(', 'x')", "end pattern with unmatched parenthesis: /(/"),
        Fails(
            "regsubst(1, 'b', 'x')",
            "'regsubst' parameter 'target' expects a value of type Array or String, got Integer",
        ),
    ],
};

const TARGET: &str = "Variant[Array[String], String] target";
const REPLACEMENT: &str = "Variant[String, Hash[String, String]] replacement";

fn of_string(call: &mut Call) -> Result<Value> {
    call.count_slow_work()?;
    if call.count() > 4 {
        deprecated(call, issues::REGSUBST_ENCODING);
    }
    let flags = call.str(3);
    let pattern = with_flags(call, call.str(1), flags)?;
    substitute(call, &pattern, flags.contains('G'))
}

/// Makes a pattern with options. They do not show in its source, but Ruby names them where the source is malformed.
fn with_flags(call: &Call, source: &str, flags: &str) -> Result<Arc<Regexp>> {
    let letters: String = [('M', 'm'), ('I', 'i'), ('E', 'x')]
        .into_iter()
        .filter(|(flag, _)| flags.contains(*flag))
        .map(|(_, letter)| letter)
        .collect();
    if letters.is_empty() {
        return call.pattern(source);
    }
    // With `x`, a comment at the end must not swallow the parenthesis.
    let end = if letters.contains('x') { "\n)" } else { ")" };
    call.pattern(&format!("(?{letters}:{source}{end}")).map_err(|unwind| match regex::check(source) {
        Err(plain) => issues::argument(format!("{}{letters}", plain.message)).into(),
        Ok(()) => unwind,
    })
}

fn of_regexp(call: &mut Call) -> Result<Value> {
    call.count_slow_work()?;
    let is_global = call.str(3) == "G";
    match call.value(1) {
        Value::Regexp(regexp) => substitute(call, &Arc::clone(regexp), is_global),
        Value::Type(type_) => match type_.resolved().kind() {
            Kind::Regexp(type_) => match type_.regexp() {
                Some(regexp) => substitute(call, &Arc::clone(regexp), is_global),
                None => substitute(call, &Regexp::new("")?, is_global),
            },
            _ => Ok(call.take(0)),
        },
        _ => Ok(call.take(0)),
    }
}

fn substitute(call: &Call, pattern: &Regexp, is_global: bool) -> Result<Value> {
    let one = |text: &Value| {
        let text = replaced(call, text.as_str().unwrap_or_default(), pattern, is_global)?;
        Ok(Value::from(text))
    };
    match call.value(0) {
        Value::Array(elements) => Ok(Value::array(elements.iter().map(one).collect::<Result<_>>()?)),
        text => one(text),
    }
}

fn replaced(call: &Call, text: &str, pattern: &Regexp, is_global: bool) -> Result<String> {
    let mut out = String::new();
    let (mut copied, mut start) = (0, 0);
    while start <= text.len()
        && let Some(captures) = pattern.captures_from(text, start)?
    {
        let (from, to) = captures.get(0).unwrap_or((start, start));
        out.push_str(&text[copied..from]);
        match call.value(2) {
            Value::Hash(hash) => {
                out.extend(hash.get_str(&text[from..to]).map(Value::to_string));
            }
            template => {
                let template = template.as_str().unwrap_or_default();
                Replacement { template, text, pattern, captures: &captures }.write(&mut out)?;
            }
        }
        call.check_size(out.len())?;
        copied = to;
        start = if from == to { to + text[to..].chars().next().map_or(1, char::len_utf8) } else { to };
        if !is_global {
            break;
        }
    }
    out.push_str(&text[copied..]);
    call.check_size(out.len())?;
    Ok(out)
}

/// A replacement for one match.
struct Replacement<'a> {
    template: &'a str,
    text: &'a str,
    pattern: &'a Regexp,
    captures: &'a Captures,
}

impl<'a> Replacement<'a> {
    fn write(&self, out: &mut String) -> Result<()> {
        let mut rest = self.template;
        while let Some((before, after)) = rest.split_once('\\') {
            out.push_str(before);
            let Some(c) = after.chars().next() else {
                out.push('\\');
                return Ok(());
            };
            rest = &after[c.len_utf8()..];
            match c {
                'k' => match rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
                    Some((name, after)) => {
                        out.push_str(self.named(name)?);
                        rest = after;
                    }
                    None => out.push_str("\\k"),
                },
                '\\' => out.push('\\'),
                c => match self.special(c) {
                    Some(text) => out.push_str(text),
                    None => out.extend(['\\', c]),
                },
            }
        }
        out.push_str(rest);
        Ok(())
    }

    /// Returns what a backslash with a character stands for, if it stands for something.
    fn special(&self, c: char) -> Option<&'a str> {
        let (from, to) = self.captures.get(0)?;
        Some(match c {
            '0' | '&' => &self.text[from..to],
            '`' => &self.text[..from],
            '\'' => &self.text[to..],
            '+' => (1..self.captures.len()).rev().find_map(|group| self.group(group)).unwrap_or_default(),
            // Groups that have names have no numbers.
            '1'..='9' if !self.pattern.names().is_empty() => "",
            '1'..='9' => self.group(c.to_digit(10)? as usize).unwrap_or_default(),
            _ => return None,
        })
    }

    fn group(&self, group: usize) -> Option<&'a str> {
        self.captures.text(self.text, group)
    }

    fn named(&self, name: &str) -> Result<&'a str> {
        let names = self.pattern.names();
        let mut groups = (1..=names.len()).rev().filter(|group| names[group - 1] == name).peekable();
        if groups.peek().is_none() {
            return Err(issues::no_such_group(name).into());
        }
        Ok(groups.find_map(|group| self.group(group)).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    /// Programs, and what Puppet makes of them.
    const WHAT_IS_FOUND_IS_REPLACED: &[(&str, &str)] = &[
        ("regsubst('abab', 'a', 'x')", "'xbab'"),
        ("regsubst('abab', 'a', 'x', 'G')", "'xbxb'"),
        ("regsubst('ABab', 'a', 'x', 'GI')", "'xBxb'"),
        (r#"regsubst("a\nb", 'a.b', 'x', 'M')"#, "'x'"),
        (r#"regsubst("a\nb", 'a.b', 'x')"#, r#""a\nb""#),
        ("regsubst('a b', 'a b', 'x', 'E')", "'a b'"),
        (r"regsubst('abc', '(b)(c)', '\2\1')", "'acb'"),
        (r"regsubst('abc', '(?<x>b)', '[\k<x>]')", "'a[b]c'"),
        (r"regsubst('abc', 'b', '[\0]')", "'a[b]c'"),
        (r"regsubst('abc', 'b', '[\&]')", "'a[b]c'"),
        (r#"regsubst('abc', 'b', "[\\\\]")"#, r"'a[\]c'"),
        ("regsubst('abc', '', '-', 'G')", "'-a-b-c-'"),
        ("regsubst('', '', 'x')", "'x'"),
        (
            "regsubst('abc', /B/, 'x', 'I')",
            "Evaluation Error: Error while evaluating a Function Call, The function 'regsubst' was called with arguments it does not accept. It expects one of:\n  (Variant[Array[String], String] target, String pattern, Variant[String, Hash[String, String]] replacement, Pattern[/^[GEIM]*$/] flags?, Enum['E', 'N', 'S', 'U'] encoding?)\n    rejected: parameter 'pattern' expects a String value, got Regexp\n  (Variant[Array[String], String] target, Variant[Regexp, Type[Regexp]] pattern, Variant[String, Hash[String, String]] replacement, Pattern[/^G?$/] flags?)\n    rejected: parameter 'flags' expects a match for Pattern[/^G?$/], got 'I' (line: 1, column: 1)",
        ),
        ("regsubst('abc', /(?i:B)/, 'x')", "'axc'"),
        ("regsubst('aXbX', /x/i, '-', 'G')", "Syntax error at 'i' (line: 1, column: 21)"),
        ("regsubst(['ab', 'cb'], 'b', 'x')", "['ax', 'cx']"),
        ("regsubst([], 'b', 'x')", "[]"),
        (
            "regsubst(['a', 1], 'b', 'x')",
            "Evaluation Error: Error while evaluating a Function Call, The function 'regsubst' was called with arguments it does not accept. It expects one of:\n  (Variant[Array[String], String] target, String pattern, Variant[String, Hash[String, String]] replacement, Pattern[/^[GEIM]*$/] flags?, Enum['E', 'N', 'S', 'U'] encoding?)\n    rejected: parameter 'target' variant 0 index 1 expects a String value, got Integer\n    rejected: parameter 'target' variant 1 expects a String value, got Tuple\n  (Variant[Array[String], String] target, Variant[Regexp, Type[Regexp]] pattern, Variant[String, Hash[String, String]] replacement, Pattern[/^G?$/] flags?)\n    rejected: parameter 'target' variant 0 index 1 expects a String value, got Integer\n    rejected: parameter 'target' variant 1 expects a String value, got Tuple (line: 1, column: 1)",
        ),
        ("regsubst('abc', 'b', {b => 'y'})", "'ayc'"),
        ("regsubst('abc', '[bc]', {b => 'y'}, 'G')", "'ay'"),
        (
            "regsubst('abc', '[', 'x')",
            "Evaluation Error: Error while evaluating a Function Call, premature end of char-class: /[/ (line: 1, column: 1)",
        ),
        (
            "regsubst('abc', 'b', 'x', 'Q')",
            "Evaluation Error: Error while evaluating a Function Call, The function 'regsubst' was called with arguments it does not accept. It expects one of:\n  (Variant[Array[String], String] target, String pattern, Variant[String, Hash[String, String]] replacement, Pattern[/^[GEIM]*$/] flags?, Enum['E', 'N', 'S', 'U'] encoding?)\n    rejected: parameter 'flags' expects an undef value or a match for Pattern[/^[GEIM]*$/], got 'Q'\n  (Variant[Array[String], String] target, Variant[Regexp, Type[Regexp]] pattern, Variant[String, Hash[String, String]] replacement, Pattern[/^G?$/] flags?)\n    rejected: parameter 'pattern' expects a value of type Regexp or Type[Regexp], got String (line: 1, column: 1)",
        ),
        ("regsubst('abc', 'b', 'x', 'G', 'U')", "'axc'"),
        (
            "regsubst('abc', 'b', 'x', 'G', 'Z')",
            "Evaluation Error: Error while evaluating a Function Call, The function 'regsubst' was called with arguments it does not accept. It expects one of:\n  (Variant[Array[String], String] target, String pattern, Variant[String, Hash[String, String]] replacement, Pattern[/^[GEIM]*$/] flags?, Enum['E', 'N', 'S', 'U'] encoding?)\n    rejected: parameter 'encoding' expects a match for Enum['E', 'N', 'S', 'U'], got 'Z'\n  (Variant[Array[String], String] target, Variant[Regexp, Type[Regexp]] pattern, Variant[String, Hash[String, String]] replacement, Pattern[/^G?$/] flags?)\n    rejected: expects between 3 and 4 arguments, got 5 (line: 1, column: 1)",
        ),
        (
            "regsubst(1, 'b', 'x')",
            "Evaluation Error: Error while evaluating a Function Call, 'regsubst' parameter 'target' expects a value of type Array or String, got Integer (line: 1, column: 1)",
        ),
        (
            "regsubst('abc', 1, 'x')",
            "Evaluation Error: Error while evaluating a Function Call, 'regsubst' parameter 'pattern' expects a value of type String, Regexp, or Type[Regexp], got Integer (line: 1, column: 1)",
        ),
        (
            "regsubst('abc', 'b')",
            "Evaluation Error: Error while evaluating a Function Call, 'regsubst' expects between 3 and 5 arguments, got 2 (line: 1, column: 1)",
        ),
        (
            "regsubst(Sensitive('abc'), 'b', 'x')",
            "Evaluation Error: Error while evaluating a Function Call, 'regsubst' parameter 'target' expects a value of type Array or String, got Sensitive[String] (line: 1, column: 1)",
        ),
        (
            "regsubst('abc', Pattern[/b/], 'x')",
            "Evaluation Error: Error while evaluating a Function Call, 'regsubst' parameter 'pattern' expects a value of type String, Regexp, or Type[Regexp], got Type[Pattern[/b/]] (line: 1, column: 1)",
        ),
        ("regsubst('abc', Regexp[/b/], 'x')", "'axc'"),
        ("regsubst('abc', Regexp, 'x')", "'xabc'"),
    ];

    #[test]
    fn what_is_found_is_replaced() {
        check_calls(WHAT_IS_FOUND_IS_REPLACED);
    }
}
