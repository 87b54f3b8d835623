//! Type sets: `type S = TypeSet { types => { A => {…}, B => A {…}, C => Integer } }`.
//!
//! A member is an initializer of an object type, `Object {…}`, another member with what it adds, or any type. Members know
//! each other by their simple names.

use hierarch_pcore::types::{AliasType, Definitions, ObjectType, TypeSetType, literal};
use hierarch_pcore::{Hash, Str, Type, Value};
use hierarch_source::Result;
use hierarch_syntax::ast::{Ast, Expr, ExprId};
use rustc_hash::FxHashMap;

/// Reads the initializer of a type set.
pub(crate) fn define(ast: &Ast, name: &Str, init: ExprId, outer: &dyn Definitions) -> Result<TypeSetType> {
    let mut settings = Hash::new();
    let mut members = Vec::new();
    for (key, value) in entries(ast, init) {
        match (simple_name(ast, key), ast.expr(value)) {
            (Some(key), Expr::Hash(_)) if key == "types" => members = read_members(ast, name, value),
            (Some(key), _) => {
                settings.insert(key, literal(ast, value, outer)?);
            }
            (None, _) => {
                settings.insert(literal(ast, key, outer)?, literal(ast, value, outer)?);
            }
        }
    }
    let known = KnownTypes { outer, members: members.iter().map(Member::entry).collect() };
    for member in &members {
        member.define(ast, &known)?;
    }
    let types: Hash = members.iter().map(|member| (member.name.clone(), member.target.type_())).collect();
    if entries(ast, init).any(|(key, _)| simple_name(ast, key).as_deref() == Some("types")) {
        settings.insert("types", types);
    }
    TypeSetType::of_members(name.clone(), &settings)
}

/// One type of a set.
struct Member {
    name: Str,
    expr: ExprId,
    target: Target,
}

/// What a member becomes; it is known by name before it is defined.
enum Target {
    Object(ObjectType),
    Alias(AliasType),
}

impl Target {
    fn type_(&self) -> Type {
        match self {
            Self::Object(object) => object.clone().into(),
            Self::Alias(alias) => alias.clone().into(),
        }
    }
}

impl Member {
    fn entry(&self) -> (String, Type) {
        (self.name.to_ascii_lowercase().to_string(), self.target.type_())
    }

    fn define(&self, ast: &Ast, known: &KnownTypes<'_>) -> Result<()> {
        match &self.target {
            Target::Object(object) => object.define(&self.initializer(ast, known)?),
            Target::Alias(alias) => alias.define(&Type::interpret(ast, self.expr, known)?),
        }
    }

    fn initializer(&self, ast: &Ast, known: &KnownTypes<'_>) -> Result<Hash> {
        let mut init = Hash::new();
        match ast.expr(self.expr) {
            Expr::ResourceDefaults { type_ref, operations, .. } => {
                if !is_named(ast, type_ref, "object") {
                    init.insert("parent", Type::interpret(ast, type_ref, known)?);
                }
                for operation in ast.list(operations) {
                    if let Expr::Attribute { name, value, .. } = ast.expr(*operation) {
                        init.insert(ast.text(name), literal(ast, value, known)?);
                    }
                }
            }
            Expr::Access { keys, .. } => {
                for key in ast.list(keys) {
                    init = hash_of(literal(ast, *key, known)?);
                }
            }
            _ => init = hash_of(literal(ast, self.expr, known)?),
        }
        Ok(init)
    }
}

fn hash_of(value: Value) -> Hash {
    value.as_hash().cloned().unwrap_or_default()
}

fn read_members(ast: &Ast, set: &str, types: ExprId) -> Vec<Member> {
    let read = |(key, expr): (ExprId, ExprId)| {
        let name = simple_name(ast, key)?;
        let full = Str::from(format!("{set}::{name}"));
        let target = if is_object(ast, expr) {
            Target::Object(ObjectType::declare(full))
        } else {
            Target::Alias(AliasType::declare(full))
        };
        Some(Member { name, expr, target })
    };
    entries(ast, types).filter_map(read).collect()
}

fn entries<'a>(ast: &'a Ast, hash: ExprId) -> impl Iterator<Item = (ExprId, ExprId)> + 'a {
    let list = match ast.expr(hash) {
        Expr::Hash(entries) => ast.list(entries),
        _ => &[],
    };
    list.iter().filter_map(|id| match ast.expr(*id) {
        Expr::Entry { key, value } => Some((key, value)),
        _ => None,
    })
}

fn simple_name(ast: &Ast, key: ExprId) -> Option<Str> {
    match ast.expr(key) {
        Expr::Name(text) | Expr::String(text) | Expr::Reference(text) => Some(ast.text(text).into()),
        _ => None,
    }
}

fn is_named(ast: &Ast, expr: ExprId, name: &str) -> bool {
    matches!(ast.expr(expr), Expr::Reference(text) if ast.text(text).eq_ignore_ascii_case(name))
}

fn is_object(ast: &Ast, expr: ExprId) -> bool {
    match ast.expr(expr) {
        Expr::Hash(_) | Expr::ResourceDefaults { .. } => true,
        Expr::Access { left, keys } => is_named(ast, left, "object") && keys.len() == 1,
        _ => false,
    }
}

/// The names that members of a set see: each other before all that is known outside.
struct KnownTypes<'a> {
    outer: &'a dyn Definitions,
    members: FxHashMap<String, Type>,
}

impl Definitions for KnownTypes<'_> {
    fn type_named(&self, name: &str) -> Result<Option<Type>> {
        let key = name.to_ascii_lowercase();
        match self.members.get(&key) {
            Some(type_) => Ok(Some(type_.clone())),
            None => self.outer.type_named(name),
        }
    }
}
