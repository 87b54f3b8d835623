//! Texts with `%{…}` in them, compiled once: which parts are text, which are to be filled in.

use hierarch_pcore::Str;

use crate::key::{Segment, split};

/// A text with tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// The text as it was written.
    pub source: Str,
    /// What it consists of.
    pub parts: Vec<TemplatePart>,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    /// Text that stands for itself.
    Text(Str),
    /// A variable, or something in it.
    Variable(Variable),
    /// A call such as `lookup('key')`.
    Call(Call),
}

/// A variable expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The expression as it was written, without the braces.
    pub text: Str,
    /// The name of the variable; none if the expression is malformed.
    pub root: Option<Str>,
    /// What to dig for in its value.
    pub segments: Vec<Segment>,
}

/// A call of an interpolation method.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Which one.
    pub method: Method,
    /// The text between the quotes.
    pub argument: Str,
    /// The whole text consists of this call.
    pub is_whole: bool,
    /// The argument as a variable, for `scope`.
    pub variable: Option<Variable>,
}

/// The interpolation methods.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// Looks a key up; `hiera` is another name of it.
    Lookup,
    /// Looks a key up and keeps the type of what it finds.
    Alias,
    /// Reads a variable.
    Scope,
    /// Gives its argument.
    Literal,
    /// There is no such method.
    Unknown(Str),
}

impl std::fmt::Display for TemplatePart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Variable(variable) => f.write_str(&variable.text),
            Self::Call(call) => call.fmt(f),
        }
    }
}

impl std::fmt::Display for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let method = match &self.method {
            Method::Lookup => "lookup",
            Method::Alias => "alias",
            Method::Scope => "scope",
            Method::Literal => "literal",
            Method::Unknown(name) => name,
        };
        write!(f, "{method}('{}')", self.argument)
    }
}

/// Tells whether a text has tokens.
pub(crate) fn has_tokens(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"%{").is_some()
}

impl Template {
    /// Compiles a text.
    pub fn new(source: &str) -> Self {
        let mut parts = Vec::new();
        let (mut text_start, mut at) = (0, 0);
        while let Some(found) = source[at..].find("%{") {
            let open = at + found;
            let Some(length) = source[open..].find('}') else { break };
            let end = open + length + 1;
            push_text(&mut parts, &source[text_start..open]);
            let inside = source[open + 2..end - 1].trim_matches(is_stripped);
            if !is_empty(inside) {
                parts.push(expression(inside, end - open == source.len()));
            }
            (text_start, at) = (end, end);
        }
        push_text(&mut parts, &source[text_start..]);
        Self { source: source.into(), parts }
    }
}

fn push_text(parts: &mut Vec<TemplatePart>, text: &str) {
    if !text.is_empty() {
        parts.push(TemplatePart::Text(text.into()));
    }
}

/// Ruby strips NUL along with blanks.
fn is_stripped(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r' | '\0')
}

/// These stand for nothing, which makes `%{}` a way to break up text.
fn is_empty(inside: &str) -> bool {
    matches!(inside, "" | "::" | "\"\"" | "''" | "\"::\"" | "'::'")
}

fn expression(inside: &str, is_whole: bool) -> TemplatePart {
    let Some((name, argument)) = call_of(inside) else {
        return TemplatePart::Variable(Variable::new(inside));
    };
    let method = match name {
        "lookup" | "hiera" => Method::Lookup,
        "alias" => Method::Alias,
        "scope" => Method::Scope,
        "literal" => Method::Literal,
        other => Method::Unknown(other.into()),
    };
    let variable = (method == Method::Scope).then(|| Variable::new(argument));
    TemplatePart::Call(Call { method, argument: argument.into(), is_whole, variable })
}

/// Splits `name('argument')`; no blanks, one quoted argument that is not empty.
fn call_of(inside: &str) -> Option<(&str, &str)> {
    let (name, rest) = inside.split_once('(')?;
    let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let quoted = rest.strip_suffix(')')?;
    let quote = quoted.chars().next().filter(|c| *c == '"' || *c == '\'')?;
    let argument = quoted.strip_prefix(quote)?.strip_suffix(quote)?;
    (is_word && !argument.is_empty() && !argument.contains(quote)).then_some((name, argument))
}

impl Variable {
    /// Takes an expression apart.
    pub fn new(text: &str) -> Self {
        let mut segments = split(text).unwrap_or_default();
        let root = if segments.is_empty() { None } else { Some(segments.remove(0).to_string().into()) };
        Self { text: text.into(), root, segments }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let parts = Template::new(source).parts;
        let shown: Vec<String> = parts
            .iter()
            .map(|part| match part {
                TemplatePart::Text(text) => format!("text({text})"),
                TemplatePart::Variable(variable) => format!("var({})", variable.text),
                TemplatePart::Call(call) => {
                    format!("{:?}({}){}", call.method, call.argument, u8::from(call.is_whole))
                }
            })
            .collect();
        assert_eq!(shown.join(" "), expected, "{source}");
    }

    #[test]
    fn tokens_are_found_and_empty_ones_vanish() {
        check("a%{b}c", "text(a) var(b) text(c)");
        check("a%{}b%{::}", "text(a) text(b)");
        check("%{ b }", "var(b)");
    }

    #[test]
    fn there_is_no_nesting_and_no_end() {
        check("%{facts.%{x}}", "var(facts.%{x) text(})");
        check("a %{b", "text(a %{b)");
    }

    #[test]
    fn calls_have_one_quoted_argument() {
        check("%{lookup('k')}", "Lookup(k)1");
        check("x%{alias(\"k\")}", "text(x) Alias(k)0");
        check("%{foo('k')}", "Unknown(\"foo\")(k)1");
        check("%{lookup( 'k' )}%{lookup('')}", "var(lookup( 'k' )) var(lookup(''))");
    }
}
