//! Types from their text, or from the tree of a program, without evaluating it.
//!
//! This is how signatures, aliases and `Type.new` read types: names, brackets and literals only.

use std::sync::Arc;

use hierarch_source::{Error, Result, Source};
use hierarch_syntax::ast::{Ast, Expr, ExprId, List, UnaryOp};

use super::build::Arity;
use super::builtin::Definitions;
use super::{Kind, ReferenceType, RuntimeType, Type};
use crate::regex::Regexp;
use crate::{Hash, Str, Value, issues, ruby_class};

impl Type {
    /// Reads a type from its text.
    ///
    /// ```
    /// use hierarch_pcore::Type;
    /// use hierarch_pcore::types::NoDefinitions;
    ///
    /// let type_ = Type::parse("Hash[String, Array[Integer, 1]]", &NoDefinitions)?;
    /// assert_eq!(type_.to_string(), "Hash[String, Array[Integer, 1]]");
    /// # Ok::<(), hierarch_source::Error>(())
    /// ```
    pub fn parse(text: &str, definitions: &dyn Definitions) -> Result<Type> {
        let source = Source::unnamed(text);
        let program = hierarch_syntax::parse(&source).program.map_err(issues::of_type_text)?;
        Self::interpret(&program.ast, program.root, definitions)
    }

    /// Reads a type from an expression of a program.
    pub fn interpret(ast: &Ast, id: ExprId, definitions: &dyn Definitions) -> Result<Type> {
        match literal(ast, id, definitions)? {
            Value::Type(type_) => Ok(type_),
            _ => Err(issues::not_a_type_expression(text_of(ast, id))),
        }
    }
}

impl Type {
    /// Reads the type that an alias stands for. The reference quotes an expression that is not a type from the name of the
    /// alias on, without its last bracket.   case: lang/exactness
    pub fn interpret_alias(ast: &Ast, id: ExprId, definitions: &dyn Definitions) -> Result<Type> {
        Self::interpret(ast, id, definitions).map_err(|error| {
            let is_whole = error.details(issues::TYPE_EXPRESSION).any(|text| text == text_of(ast, id));
            match alias_text(ast, id).filter(|_| is_whole) {
                Some(quote) => issues::not_a_type_expression(quote),
                None => error,
            }
        })
    }
}

/// Returns the text from the name of an alias to the last parameter of what it stands for.
fn alias_text(ast: &Ast, id: ExprId) -> Option<&str> {
    let text = ast.source().text();
    let quoted = text_of(ast, id);
    let at = text.find(quoted).filter(|_| text.matches(quoted).count() == 1);
    let at = at.unwrap_or(ast.span(id).start as usize);
    let name = text.get(..at)?.trim_end().strip_suffix('=')?.trim_end();
    let start = name.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    text.get(start..(at + quoted.len()).checked_sub(1)?).map(str::trim_end)
}

/// Reads a literal of a type expression: a type, or what parametrizes one.
pub fn literal(ast: &Ast, id: ExprId, definitions: &dyn Definitions) -> Result<Value> {
    let read = |id| literal(ast, id, definitions);
    Ok(match ast.expr(id) {
        Expr::Undef => Value::Undef,
        Expr::Default => Value::Default,
        Expr::Boolean(truth) => truth.into(),
        Expr::Integer { value, .. } => value.into(),
        Expr::Float(value) => value.into(),
        Expr::String(text) | Expr::Name(text) => ast.text(text).into(),
        Expr::Regex(source) => Regexp::new(ast.text(source))?.into(),
        Expr::Heredoc { text, .. } => read(text)?,
        Expr::Array(elements) => list(ast, elements, definitions)?.into(),
        Expr::Hash(entries) => hash(ast, entries, definitions)?.into(),
        Expr::Reference(name) => named(ast.text(name), definitions)?.into(),
        Expr::Access { left, keys } => access(ast, id, (left, keys), definitions)?,
        Expr::Unary { op: UnaryOp::Minus, operand } => match read(operand)? {
            Value::Integer(number) => number.wrapping_neg().into(),
            Value::Float(number) => (-number).into(),
            _ => return Err(issues::not_a_type_expression(text_of(ast, id))),
        },
        _ => return Err(issues::not_a_type_expression(text_of(ast, id))),
    })
}

fn list(ast: &Ast, elements: List, definitions: &dyn Definitions) -> Result<Vec<Value>> {
    ast.list(elements).iter().map(|id| literal(ast, *id, definitions)).collect()
}

fn hash(ast: &Ast, entries: List, definitions: &dyn Definitions) -> Result<Hash> {
    let mut hash = Hash::with_capacity(entries.len());
    for id in ast.list(entries) {
        if let Expr::Entry { key, value } = ast.expr(*id) {
            hash.insert(literal(ast, key, definitions)?, literal(ast, value, definitions)?);
        }
    }
    Ok(hash)
}

fn named(name: &str, definitions: &dyn Definitions) -> Result<Type> {
    Type::find(name.strip_prefix("::").unwrap_or(name), definitions)
}

fn access(ast: &Ast, id: ExprId, parts: (ExprId, List), definitions: &dyn Definitions) -> Result<Value> {
    let (left, keys) = parts;
    let Expr::Reference(name) = ast.expr(left) else {
        return Err(issues::not_a_type_expression(text_of(ast, id)));
    };
    let keys = list(ast, keys, definitions)?;
    let type_ = named(ast.text(name), definitions)?;
    if let Kind::Reference(_) = type_.kind() {
        if ast.text(name).eq_ignore_ascii_case("TypeReference") {
            return Err(issues::not_parametrized_type("TypeReference"));
        }
        return Ok(unresolved(ast, id).into());
    }
    if let Some(required) = wrong_count(&type_, &keys) {
        return Err(issues::type_parameter_count(type_.name(), required, keys.len()));
    }
    if let Some(made) = specified(&type_, &keys, || issues::not_a_type_expression(text_of(ast, id)))? {
        return Ok(made.into());
    }
    type_.parametrize(&keys).map_err(|failure| reworded(ast, id, (&type_, &keys), failure.error))
}

/// Does what the brackets of a specification do in their own way: those of an expression take lists apart, and clamp sizes.
fn specified(type_: &Type, keys: &[Value], no_type: impl Fn() -> Error) -> Result<Option<Type>> {
    match (type_.kind(), keys) {
        (kind, keys) if takes_no_list(kind) && keys.iter().any(|key| key.as_array().is_some()) => {
            Err(words_of_its_own(kind).unwrap_or_else(no_type))
        }
        (Kind::Tuple(_), [.., Value::Default, Value::Integer(most @ ..0)]) => {
            Err(issues::range_order("0", &most.to_string()))
        }
        (Kind::Runtime(_), keys) => Ok(RuntimeType::of_pattern(keys)),
        _ => Ok(None),
    }
}

/// Tells whether a list among the parameters of a type is wrong. Other types take lists, or see to them.
fn takes_no_list(kind: &Kind) -> bool {
    words_of_its_own(kind).is_some()
        || matches!(
            kind,
            Kind::Optional(_)
                | Kind::NotUndef(_)
                | Kind::Sensitive(_)
                | Kind::Type(_)
                | Kind::Iterable(_)
                | Kind::Iterator(_)
                | Kind::Variant(_)
                | Kind::Array(_)
                | Kind::Hash(_)
                | Kind::Integer(_)
                | Kind::Float(_)
                | Kind::Collection(_)
                | Kind::String(_)
                | Kind::Init(_)
        )
}

/// Returns what types say of a list among their parameters that do not say what all say.
fn words_of_its_own(kind: &Kind) -> Option<Error> {
    Some(match kind {
        Kind::Enum(_) => issues::enum_parameters(),
        Kind::Pattern(_) => issues::pattern_parameters("Array"),
        Kind::Boolean(_) => issues::boolean_parameter(),
        Kind::Timestamp(_) => issues::bad_time_bound("Timestamp", "Array"),
        Kind::Timespan(_) => issues::bad_time_bound("Timespan", "Array"),
        _ => return None,
    })
}

/// A reference to a type that nobody defined, parameters and all.
fn unresolved(ast: &Ast, id: ExprId) -> Type {
    ReferenceType::new(Str::from(text_of(ast, id))).into()
}

/// Says how many parameters a type requires if it is not given that many.
fn wrong_count(type_: &Type, keys: &[Value]) -> Option<&'static str> {
    let Arity { least, most, words } = type_.kind().rules().arity()?;
    (!(least..=most).contains(&keys.len())).then_some(words)
}

/// Puts an error of the access operator in the words that stand for it here.
fn reworded(ast: &Ast, id: ExprId, (type_, keys): (&Type, &[Value]), error: Error) -> Error {
    let is_odd = |key: &&Value| !matches!(key, Value::String(_) | Value::Regexp(_));
    let class = keys.iter().find(is_odd).map_or("String", ruby_class);
    match (type_.kind(), error.code) {
        (_, "OPERATOR_NOT_APPLICABLE") => return issues::not_parametrized_type(&type_.to_string()),
        (Kind::Boolean(_), _) => return issues::boolean_parameter(),
        (Kind::Enum(_), code) if code != "BAD_TYPE_SLICE_ARITY" => return issues::enum_parameters(),
        (Kind::Pattern(_), _) => return issues::pattern_parameters(class),
        (Kind::Resource(resource), "ILLEGAL_RESOURCE_SPECIALIZATION") if resource.type_name().is_none() => {
            return issues::resource_type_name(class);
        }
        _ => {}
    }
    match error.code {
        "BAD_TYPE_SLICE_TYPE"
        | "BAD_COLLECTION_SLICE_TYPE"
        | "BAD_TYPE_SPECIALIZATION"
        | "BAD_INTEGER_SLICE_TYPE"
        | "BAD_FLOAT_SLICE_TYPE" => issues::not_a_type_expression(text_of(ast, id)),
        _ => error,
    }
}

/// Returns the text of an expression, from the first to the last character of what it is made of.
fn text_of(ast: &Ast, id: ExprId) -> &str {
    let source: &Arc<Source> = ast.source();
    let text = source.text();
    let mut span = ast.span(id);
    cover(ast, id, &mut span);
    let end = match ast.expr(id) {
        Expr::Access { .. } => closing(text, span.end as usize, ']'),
        _ => span.end as usize,
    };
    text.get(span.start as usize..end).unwrap_or(text).trim()
}

fn cover(ast: &Ast, id: ExprId, span: &mut hierarch_source::Span) {
    *span = span.to(ast.span(id));
    ast.each_child(id, |child| cover(ast, child, span));
}

/// Returns the offset after the bracket that closes at or after an offset.
fn closing(text: &str, from: usize, bracket: char) -> usize {
    if text[..from].ends_with(bracket) {
        return from;
    }
    text[from..].find(bracket).map_or(from, |at| from + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_facts;
    use crate::types::NoDefinitions;

    fn check(text: &str, expected: &str) {
        let found = match Type::parse(text, &NoDefinitions) {
            Ok(type_) => type_.to_string(),
            Err(error) => error.message.clone(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn types_print_as_they_canonically_are() {
        for (text, expected) in [
            ("Integer[default,5]", "Integer[default, 5]"),
            ("Array[1,2]", "Array[Any, 1, 2]"),
            ("Variant[Integer]", "Integer"),
            (
                "Struct[{a=>Integer, Optional[b]=>String}]",
                "Struct[{'a' => Integer, Optional['b'] => String}]",
            ),
            ("Struct[a => Optional[Integer]]", "Struct[{'a' => Optional[Integer]}]"),
            ("Pattern[/a\\/b/, 'c']", "Pattern[/a\\/b/, /c/]"),
            ("Callable[[Integer, 0, 2], String]", "Callable[[Integer, 0, 2], String]"),
            ("Callable[0,0,Callable]", "Callable[0, 0, Callable]"),
            ("Enum[b,a,b]", "Enum['a', 'b']"),
            ("File['a']", "File['a']"),
            (
                "Class[Foo::Bar]",
                "Illegal Class name in class reference. A TypeReference['Foo::Bar']-Type cannot be used where a String is expected",
            ),
            ("Class['Foo']", "Class[foo]"),
            ("Foo[1]", "TypeReference['Foo[1]']"),
            ("Integer[-3, -1]", "Integer[-3, -1]"),
            ("Catalogentry", "CatalogEntry"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn what_is_no_type_is_refused() {
        for (text, expected) in [
            ("nope", "The expression <nope> is not a valid type specification."),
            ("1 + 2", "The expression <1 + 2> is not a valid type specification."),
            ("Array[1]", "The expression <Array[1]> is not a valid type specification."),
            (
                "Array[Integer,1,2,3]",
                "Invalid number of type parameters specified: Array requires 1 to 3, 4 provided",
            ),
            ("Numeric[1]", "Not a parameterized type <Numeric>"),
        ] {
            check(text, expected);
        }
    }

    /// A text that names a type in a way no type can be named.
    #[test]
    fn texts_that_are_not_types() {
        check_facts(&[
            ("Type('Integer[a]')", "The expression <Integer[a]> is not a valid type specification."),
            ("Type('Integer[1.5]')", "The expression <Integer[1.5]> is not a valid type specification."),
            (
                "Type('Integer[String]')",
                "The expression <Integer[String]> is not a valid type specification.",
            ),
            ("Type('Integer[2, 1]')", "'from' must be less or equal to 'to'. Got (2, 1"),
            ("Type('Float[a]')", "The expression <Float[a]> is not a valid type specification."),
            ("Type('String[a]')", "The expression <String[a]> is not a valid type specification."),
            ("Type('String[Integer]')", "String[0]"),
            ("Type('String[2, 1]')", "'from' must be less or equal to 'to'. Got (2, 1"),
            ("Type('Array[a]')", "The expression <Array[a]> is not a valid type specification."),
            (
                "Type('Array[Integer, a]')",
                "The expression <Array[Integer, a]> is not a valid type specification.",
            ),
            (
                "Type('Hash[a, Integer]')",
                "The expression <Hash[a, Integer]> is not a valid type specification.",
            ),
            (
                "Type('Hash[String, Integer, a]')",
                "The expression <Hash[String, Integer, a]> is not a valid type specification.",
            ),
            ("Type('Struct[a]')", "The expression <Struct[a]> is not a valid type specification."),
            ("Type('Enum[1]')", "Enum parameters must be identifiers or strings"),
            (
                "Type('Pattern[1]')",
                "Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got 'Integer",
            ),
            ("Type('Variant[1]')", "The expression <Variant[1]> is not a valid type specification."),
            ("Type('Optional[1]')", "The expression <Optional[1]> is not a valid type specification."),
            ("Type('Collection[a]')", "The expression <Collection[a]> is not a valid type specification."),
            ("Type('Timespan[true]')", "Unable to create a Puppet::Pops::Time::Timespan from a TrueClass"),
            ("Type('Callable[a]')", "Callable[Runtime[ruby, 'a']]"),
            ("Type('Boolean[1]')", "Boolean parameter must be true or false"),
            ("Type('Sensitive[1]')", "The expression <Sensitive[1]> is not a valid type specification."),
        ]);
    }
}
