//! For tests of types beside their code: a reader of values and types as programs write them. Recorded cases are judged by
//! xtask, with the evaluator.

use std::cell::RefCell;
use std::collections::HashMap;

use hierarch_source::{Error, Result, Source};
use hierarch_syntax::ast::{Ast, Expr, ExprId, List, UnaryOp};

use crate::convert::{self, ConversionHost};
use crate::types::{AliasType, Definitions, Kind, ObjectType};
use crate::value::Timestamp;
use crate::{Hash, Type, Value, infer, mismatch};

/// Aliases that a case defines.
#[derive(Default)]
struct Program {
    aliases: RefCell<HashMap<String, Type>>,
}

impl Definitions for Program {
    fn type_named(&self, name: &str) -> Result<Option<Type>> {
        Ok(self.aliases.borrow().get(&name.to_lowercase()).cloned())
    }
}

impl ConversionHost for Program {
    fn now(&self) -> Timestamp {
        Timestamp(0)
    }
}

/// The types that programs make values of by name.
pub(crate) const CONSTRUCTED: [&str; 16] = [
    "Integer",
    "Float",
    "Numeric",
    "Boolean",
    "String",
    "Array",
    "Hash",
    "Regexp",
    "SemVer",
    "SemVerRange",
    "Timestamp",
    "Timespan",
    "Binary",
    "Sensitive",
    "URI",
    "Type",
];

/// What this reader does not know.
const UNKNOWN: &str = "UNKNOWN";

fn unknown(what: &str) -> Error {
    Error::new(UNKNOWN, format!("the reader for tests does not know {what}"))
}

/// Refuses the name of a type that nobody defined.
fn known(value: Value) -> Result<Value> {
    match value.as_type().map(Type::kind) {
        Some(Kind::Reference(reference)) if reference.text() != "UnresolvedReference" => {
            Err(crate::issues::unknown_type(reference.text()))
        }
        _ => Ok(value),
    }
}

impl Program {
    fn run(&self, text: &str) -> Result<Value> {
        let source = Source::unnamed(text);
        let program = hierarch_syntax::parse(&source).program?;
        self.declare(&program.ast, program.root)?;
        let value = self.eval(&program.ast, program.root)?;
        match program.ast.expr(program.root) {
            Expr::Reference(_) => known(value),
            _ => Ok(value),
        }
    }

    /// Declares aliases before they are defined, so that they may name each other.
    fn declare(&self, ast: &Ast, root: ExprId) -> Result<()> {
        let statements = match ast.expr(root) {
            Expr::Block(list) => ast.list(list).to_vec(),
            _ => vec![root],
        };
        let mut pending = Vec::new();
        for id in statements {
            let Expr::TypeAlias { name, type_expr } = ast.expr(id) else { continue };
            let name = ast.text(name);
            if let Some(init) = object_init(ast, type_expr) {
                let object = ObjectType::declare(name);
                self.aliases.borrow_mut().insert(name.to_lowercase(), object.clone().into());
                pending.push((None, Some(object), init));
            } else {
                let alias = AliasType::declare(name);
                self.aliases.borrow_mut().insert(name.to_lowercase(), alias.clone().into());
                pending.push((Some(alias), None, type_expr));
            }
        }
        for (alias, object, id) in pending {
            if let Some(alias) = alias {
                alias.define(&Type::interpret(ast, id, self)?)?;
            }
            if let Some(object) = object {
                object.define(crate::types::literal(ast, id, self)?.as_hash().unwrap_or(&Hash::new()))?;
            }
        }
        Ok(())
    }

    fn eval(&self, ast: &Ast, id: ExprId) -> Result<Value> {
        Ok(match ast.expr(id) {
            Expr::Undef | Expr::TypeAlias { .. } => Value::Undef,
            Expr::Default => Value::Default,
            Expr::Boolean(truth) => truth.into(),
            Expr::Integer { value, .. } => value.into(),
            Expr::Float(value) => value.into(),
            Expr::String(text) | Expr::Name(text) => ast.text(text).into(),
            Expr::Regex(_) | Expr::Reference(_) => crate::types::literal(ast, id, self)?,
            Expr::Array(list) => self.list(ast, list)?.into(),
            Expr::Hash(entries) => self.hash(ast, entries)?.into(),
            Expr::Unary { op: UnaryOp::Paren, operand } => self.eval(ast, operand)?,
            Expr::Unary { op: UnaryOp::Minus, operand } => match self.eval(ast, operand)? {
                Value::Integer(number) => (-number).into(),
                Value::Float(number) => (-number).into(),
                _ => return Err(unknown("this minus")),
            },
            Expr::Block(list) => {
                let mut last = Value::Undef;
                for id in ast.list(list) {
                    last = self.eval(ast, *id)?;
                }
                last
            }
            Expr::Access { left, keys } => match self.eval(ast, left)? {
                Value::Type(type_) => {
                    type_.parametrize(&self.list(ast, keys)?).map_err(|failure| failure.error)?
                }
                _ => return Err(unknown("access to values")),
            },
            Expr::Call { functor, arguments, lambda: None, .. } => {
                let arguments = self.list(ast, arguments)?;
                self.call(&known(self.eval(ast, functor)?)?, &arguments)?
            }
            Expr::MethodCall { functor, arguments, lambda: None } => match ast.expr(functor) {
                Expr::Dot { left, name } => {
                    let mut all = vec![self.eval(ast, left)?];
                    all.extend(self.list(ast, arguments)?);
                    self.call(&self.eval(ast, name)?, &all)?
                }
                _ => return Err(unknown("this call")),
            },
            other => return Err(unknown(&format!("{other:?}"))),
        })
    }

    fn list(&self, ast: &Ast, list: List) -> Result<Vec<Value>> {
        ast.list(list).iter().map(|id| self.eval(ast, *id)).collect()
    }

    fn hash(&self, ast: &Ast, entries: List) -> Result<Hash> {
        let mut hash = Hash::new();
        for id in ast.list(entries) {
            if let Expr::Entry { key, value } = ast.expr(*id) {
                hash.insert(self.eval(ast, key)?, self.eval(ast, value)?);
            }
        }
        Ok(hash)
    }

    fn call(&self, function: &Value, arguments: &[Value]) -> Result<Value> {
        let within = |error: Error| error;
        match (function, arguments) {
            (Value::Type(type_), arguments) => convert::new(type_, arguments, self).map_err(within),
            (Value::String(name), [Value::Type(type_), rest @ ..]) if name == "new" => {
                convert::new(type_, rest, self).map_err(within)
            }
            (Value::String(name), [value, Value::Type(type_), rest @ ..]) if name == "convert_to" => {
                let all: Vec<Value> = std::iter::once(value).chain(rest).cloned().collect();
                convert::new(type_, &all, self).map_err(within)
            }
            (Value::String(name), [Value::Type(wanted), value]) if name == "assert_type" => {
                if wanted.has(value) {
                    return Ok(value.clone());
                }
                let text = mismatch::describe_value("assert_type():", wanted, value);
                Err(within(Error::new("RUNTIME_ERROR", text)))
            }
            (Value::String(name), [value]) if name == "type" => Ok(infer::detailed(value).into()),
            (Value::String(name), [Value::Sensitive(value)]) if name == "unwrap" => Ok((**value).clone()),
            _ => Err(unknown(&format!("the function {function}"))),
        }
    }
}

/// Reads a value as a program writes it.
pub(crate) fn value(text: &str) -> Value {
    Program::default().run(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Reads a type as a program writes it.
pub(crate) fn type_(text: &str) -> Type {
    value(text).as_type().unwrap_or_else(|| panic!("{text} is no type")).clone()
}

/// Checks which values a type has and which it has not.
pub(crate) fn check_has(text: &str, has: &[&str], lacks: &[&str]) {
    let wanted = type_(text);
    for given in has {
        assert!(wanted.has(&value(given)), "{given} is not of {text}");
    }
    for given in lacks {
        assert!(!wanted.has(&value(given)), "{given} is of {text}");
    }
}

/// Checks which types may be used where one is wanted and which may not.
pub(crate) fn check_accepts(text: &str, accepts: &[&str], refuses: &[&str]) {
    let wanted = type_(text);
    for given in accepts {
        assert!(wanted.accepts(&type_(given)), "{text} does not accept {given}");
    }
    for given in refuses {
        assert!(!wanted.accepts(&type_(given)), "{text} accepts {given}");
    }
}

/// Checks what an expression of types prints as, or how it fails.
pub(crate) fn check_prints(text: &str, expected: &str) {
    let found = match Program::default().run(text) {
        Ok(value) => value.program_text(),
        Err(error) => error.message.clone(),
    };
    assert_eq!(found, expected, "{text}");
}

/// Checks what each of these expressions prints as, or how it fails, and tells of all that differ at once. The answers are
/// Puppet's, without the words about the expression around them.
#[track_caller]
pub(crate) fn check_facts(facts: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (code, expected) in facts {
        let found = match Program::default().run(code) {
            Ok(value) => value.program_text(),
            Err(error) => error.message.clone(),
        };
        if found != *expected {
            wrong.push(format!("{code}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns the initializer if an alias defines an object type.
fn object_init(ast: &Ast, id: ExprId) -> Option<ExprId> {
    let Expr::Access { left, keys } = ast.expr(id) else {
        return matches!(ast.expr(id), Expr::Hash(_)).then_some(id);
    };
    let is_object = matches!(ast.expr(left), Expr::Reference(name) if ast.text(name) == "Object");
    is_object.then(|| ast.list(keys).first().copied()).flatten()
}
