//! Types from text and from type expressions, without running anything: names, brackets and literals.

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::types::Definitions;
use hierarch_pcore::{Hash, Type, Value};
use hierarch_source::{Result, Source};
use hierarch_syntax::ast::{Ast, Expr, ExprId, List, UnaryOp};
use hierarch_syntax::parse;

use crate::issues;

/// Reads a type such as `Array[Integer[1, 5]]`.
///
/// ```
/// use hierarch_eval::type_text::read;
/// use hierarch_pcore::types::NoDefinitions;
///
/// let type_ = read("Hash[String, Integer[1]]", &NoDefinitions)?;
/// assert_eq!(type_.to_string(), "Hash[String, Integer[1]]");
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn read(text: &str, definitions: &dyn Definitions) -> Result<Type> {
    let program = parse(&Source::unnamed(text)).program.map_err(|_| issues::bad_type_text(text))?;
    match value(&program.ast, program.root, definitions)? {
        Value::Type(type_) => Ok(type_),
        _ => Err(issues::bad_type_text(text)),
    }
}

/// Makes a type of a type expression, such as the right side of an alias.
pub(crate) fn type_of(ast: &Ast, id: ExprId, definitions: &dyn Definitions) -> Result<Type> {
    match value(ast, id, definitions)? {
        Value::Type(type_) => Ok(type_),
        other => Err(issues::bad_type_text(&other.program_text())),
    }
}

/// Makes a value of a literal or a type of a type expression.
pub(crate) fn value(ast: &Ast, id: ExprId, definitions: &dyn Definitions) -> Result<Value> {
    Ok(match ast.expr(id) {
        Expr::Undef | Expr::Nop => Value::Undef,
        Expr::Default => Value::Default,
        Expr::Boolean(truth) => truth.into(),
        Expr::Integer { value, .. } => value.into(),
        Expr::Float(number) => number.into(),
        Expr::String(text) | Expr::Name(text) => ast.text(text).into(),
        Expr::Regex(text) => Regexp::new(ast.text(text))?.into(),
        Expr::Reference(name) => Type::find(ast.text(name), definitions)?.into(),
        Expr::Array(elements) => Value::array(values(ast, elements, definitions)?),
        Expr::Hash(entries) => hash(ast, entries, definitions)?.into(),
        Expr::Access { left, keys } => access(ast, left, keys, definitions)?,
        Expr::Unary { op: UnaryOp::Paren, operand } => value(ast, operand, definitions)?,
        Expr::Unary { op: UnaryOp::Minus, operand } => negated(&value(ast, operand, definitions)?)?,
        _ => return Err(issues::bad_type_text(span_text(ast, id))),
    })
}

fn values(ast: &Ast, list: List, definitions: &dyn Definitions) -> Result<Vec<Value>> {
    ast.list(list).iter().map(|id| value(ast, *id, definitions)).collect()
}

fn hash(ast: &Ast, entries: List, definitions: &dyn Definitions) -> Result<Hash> {
    let mut hash = Hash::with_capacity(entries.len());
    for entry in ast.list(entries) {
        if let Expr::Entry { key, value: entry_value } = ast.expr(*entry) {
            hash.insert(value(ast, key, definitions)?, value(ast, entry_value, definitions)?);
        }
    }
    Ok(hash)
}

fn access(ast: &Ast, left: ExprId, keys: List, definitions: &dyn Definitions) -> Result<Value> {
    let keys = values(ast, keys, definitions)?;
    match value(ast, left, definitions)? {
        Value::Type(type_) => Ok(type_.parametrize(&keys)?),
        other => Err(issues::bad_type_text(&other.program_text())),
    }
}

fn negated(value: &Value) -> Result<Value> {
    match value {
        Value::Integer(number) => Ok(number.wrapping_neg().into()),
        Value::Float(number) => Ok((-number).into()),
        other => Err(issues::bad_type_text(&other.program_text())),
    }
}

fn span_text(ast: &Ast, id: ExprId) -> &str {
    ast.source().text().get(ast.span(id).range()).unwrap_or_default()
}
