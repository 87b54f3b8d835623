//! For tests: a reader of values and types as programs write them, and the recorded cases that it can judge.

use std::cell::RefCell;
use std::collections::HashMap;

use hierarch_source::{Error, Result, Source};
use hierarch_syntax::ast::{Ast, Expr, ExprId, List, UnaryOp};

use crate::convert::{self, Host};
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

impl Host for Program {
    fn now(&self) -> Timestamp {
        Timestamp(0)
    }
}

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

/// Returns the initializer if an alias defines an object type.
fn object_init(ast: &Ast, id: ExprId) -> Option<ExprId> {
    let Expr::Access { left, keys } = ast.expr(id) else {
        return matches!(ast.expr(id), Expr::Hash(_)).then_some(id);
    };
    let is_object = matches!(ast.expr(left), Expr::Reference(name) if ast.text(name) == "Object");
    is_object.then(|| ast.list(keys).first().copied()).flatten()
}

/// Answers a case as the recorder does; nothing if it takes more than this reader knows.
fn answer(case: &serde_json::Value) -> Option<serde_json::Value> {
    use serde_json::json;
    let program = Program::default();
    let field = |name: &str| case[name].as_str().unwrap_or_default();
    let run = |text: &str| program.run(text);
    if let Some(setup) = case["setup"].as_str()
        && let Err(error) = run(setup)
    {
        return (error.code != UNKNOWN).then(|| json!({ "error": error.message }));
    }
    let result = match field("kind") {
        "instance" => run(field("type")).and_then(|type_| Ok((type_, run(field("value"))?))).map(|(type_, value)| {
            json!({ "instance": type_.as_type().is_some_and(|type_| type_.has(&value)) })
        }),
        "assignable" => run(field("a")).and_then(|a| Ok((a, run(field("b"))?))).map(|(a, b)| {
            let accepts = a.as_type().zip(b.as_type()).is_some_and(|(a, b)| a.accepts(b));
            json!({ "assignable": accepts })
        }),
        "infer" => run(field("value")).map(|value| {
            json!({ "inferred": {
                "detailed": infer::detailed(&value).to_string(),
                "reduced": infer::reduced(&value).to_string(),
                "generalized": infer::generic(&value).to_string(),
            } })
        }),
        "type" => run(field("type")).map(|type_| json!({ "canonical": type_.to_string() })),
        _ => run(field("code")).map(|value| {
            json!({ "result": value.program_text(), "result_type": infer::detailed(&value).to_string() })
        }),
    };
    match result {
        Ok(answer) => Some(answer),
        Err(error) if error.code == UNKNOWN => None,
        Err(error) => Some(json!({ "error": error.message })),
    }
}

const BRACKETS: &str = "Evaluation Error: Error while evaluating a '[]' expression, ";
const CALL: &str = "Evaluation Error: Error while evaluating a Function Call, ";
const METHOD: &str = "Evaluation Error: Error while evaluating a Method call, ";
const NAME: &str = "Evaluation Error: Error while evaluating a Type-Name, ";

/// Tells whether an answer is what was recorded. Which expression an error is wrapped in is not ours to say.
fn holds(case: &serde_json::Value, answer: &serde_json::Value) -> bool {
    if let Some(error) = case.get("error") {
        let recorded = error["message"].as_str().unwrap_or_default();
        let crashed = error.get("class").is_some() || recorded.starts_with("undefined method");
        let given = answer["error"].as_str().unwrap_or_default();
        let prefixes = ["", "Evaluation Error: ", BRACKETS, CALL, METHOD, NAME];
        let fits = prefixes.iter().any(|prefix| recorded == format!("{prefix}{given}"));
        return crashed || (answer.get("error").is_some() && fits);
    }
    let keys = ["instance", "assignable", "inferred", "canonical", "result", "result_type"];
    keys.iter().all(|key| case.get(*key) == answer.get(*key))
}

/// Cases that do not hold, each because integers are 64 bits wide here as everywhere else in the language.
const PENDING: [&str; 2] = ["Integer('9223372036854775808')", "Integer(1e20)"];

/// The cases of the whole project that are about types.
const PROJECT: [&str; 6] =
    ["types_instance", "types_assignable", "types_infer", "types_string", "convert", "mismatch"];

/// Cases of this crate: answers of the reference to random questions, and to questions about object types.
const OWN: [&str; 5] =
    ["random_types", "random_mismatches", "random_aliases", "random_conversions", "objects"];

/// Judges the cases of some files; returns how many hold and what differs.
fn judge(folder: &str, files: &[&str]) -> (usize, Vec<String>) {
    let (mut holding, mut wrong) = (0, Vec::new());
    for file in files {
        let Ok(text) = std::fs::read_to_string(format!("{folder}/{file}.jsonl")) else { continue };
        for line in text.lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("a case");
            match answer(&case) {
                None => {}
                Some(answer) if holds(&case, &answer) => holding += 1,
                Some(_) if case["code"].as_str().is_some_and(|code| PENDING.contains(&code)) => {}
                Some(answer) => wrong.push(format!("{file}: {line}\n    gives {answer}")),
            }
        }
    }
    (holding, wrong)
}

fn check(folder: &str, files: &[&str], least: usize) {
    let (holding, wrong) = judge(folder, files);
    assert!(wrong.is_empty(), "{holding} hold, {} differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(holding >= least, "only {holding} cases were judged");
}

#[test]
fn recorded_cases_of_the_project_hold() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/cases/lang").to_owned();
    match std::env::var("HIERARCH_CASES") {
        Ok(folder) => check(&folder, &PROJECT, 0),
        Err(_) => check(&own, &PROJECT, 1_880),
    }
}

#[test]
fn recorded_cases_of_this_crate_hold() {
    check(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases"), &OWN, 1_600);
}

#[test]
fn a_spoiled_case_is_found() {
    for line in [
        r#"{"kind":"instance","type":"Integer","value":"1","instance":false}"#,
        r#"{"kind":"assignable","a":"Integer","b":"String","assignable":true}"#,
        r#"{"kind":"eval","code":"Integer('1')","result":"2","result_type":"Integer[1, 1]"}"#,
        r#"{"kind":"eval","code":"Integer('x')","error":{"message":"no"}}"#,
        r#"{"kind":"infer","value":"1","inferred":{"detailed":"Integer","reduced":"Integer","generalized":"Integer"}}"#,
    ] {
        let case: serde_json::Value = serde_json::from_str(line).expect("a case");
        assert!(!holds(&case, &answer(&case).expect("an answer")), "{line}");
    }
}
