//! `Puppet::LookupContext` as a value: what data functions call methods of.

use std::any::Any;
use std::sync::Arc;

use hierarch_hiera::Context;
use hierarch_pcore::mismatch::{Signature, describe_signatures};
use hierarch_pcore::types::{CallableType, Kind, ObjectType};
use hierarch_pcore::value::Foreign;
use hierarch_pcore::{Type, Value, infer};

use super::View;
use crate::evaluator::{Evaluated, Evaluator};
use crate::function::Block;
use crate::issues::NOTHING_TO_EXPLAIN;
use crate::iterate::Lazy;
use crate::scope::{Frame, ScopeId};
use crate::{Result, Unwind, issues};

/// The context that a data function was called with, and the scope that the lookup came from.
#[derive(Clone)]
pub struct LookupContext {
    context: Arc<Context>,
    scope: ScopeId,
}

/// A method: what it is called with, and what it has to do.
type Method = fn(&LookupContext, &mut Evaluator, &Frame, &[Value], Option<Block>) -> Evaluated;

static METHODS: [(&str, Method); 9] = [
    ("not_found", |_, _, _, _, _| Err(Unwind::NotFound)),
    ("explain", LookupContext::explain),
    ("interpolate", LookupContext::interpolate),
    ("cache", LookupContext::cache),
    ("cache_all", LookupContext::cache_all),
    ("cache_has_key", |context, _, _, given, _| Ok(context.context.remembered(&given[0]).is_some().into())),
    ("cached_value", |context, _, _, given, _| Ok(context.context.remembered(&given[0]).unwrap_or_default())),
    ("cached_entries", LookupContext::cached_entries),
    ("cached_file_data", cached_file_data),
];

impl LookupContext {
    /// Makes the value that a function gets.
    pub(super) fn value(context: &Arc<Context>, scope: ScopeId) -> Value {
        Value::Foreign(Arc::new(Self { context: Arc::clone(context), scope }))
    }

    /// Makes a context that no lookup is under way for, of an object that a program made.
    pub(crate) fn alone(value: &Value, scope: ScopeId) -> Option<Value> {
        let Value::Object(object) = value else { return None };
        if object.type_name() != "Puppet::LookupContext" {
            return None;
        }
        let module = object.get("module_name").and_then(|name| name.as_str().map(Into::into));
        Some(Self::value(&Arc::new(Context::alone(module)), scope))
    }

    /// Returns the lookup that the function was called for.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the context that a value is.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Foreign(foreign) => foreign.as_any().downcast_ref::<Self>().cloned(),
            _ => None,
        }
    }

    /// Tells whether there is an attribute or method of this name.
    pub(crate) fn has_member(name: &str) -> bool {
        matches!(name, "environment_name" | "module_name") || METHODS.iter().any(|(known, _)| *known == name)
    }

    /// Reads an attribute or calls a method.
    pub(crate) fn call(
        &self,
        evaluator: &mut Evaluator,
        frame: &Frame,
        name: &str,
        given: &[Value],
        block: Option<Block>,
    ) -> Evaluated {
        check(name, given, block)?;
        match name {
            "environment_name" => Ok(evaluator.environment().hiera().environment().name.as_str().into()),
            "module_name" => Ok(self.context.module_name().cloned().map(Value::String).into()),
            _ => match METHODS.iter().find(|(known, _)| *known == name) {
                Some((_, method)) => method(self, evaluator, frame, given, block),
                None => Err(issues::unknown_function(name).into()),
            },
        }
    }

    /// The block is called only if the lookup is explained.
    fn explain(&self, evaluator: &mut Evaluator, _: &Frame, _: &[Value], block: Option<Block>) -> Evaluated {
        if self.context.is_alone() {
            return Err(issues::argument(NOTHING_TO_EXPLAIN).into());
        }
        if let Some(block) = block.filter(|_| self.context.explains()) {
            let text = evaluator.call_block(block, [])?;
            self.context.explain(text.to_string());
        }
        Ok(Value::Undef)
    }

    /// Tokens see what the lookup sees. Functions run in the top scope, which all others are in, so the variables of
    /// the function are seen as well.
    fn interpolate(
        &self,
        evaluator: &mut Evaluator,
        frame: &Frame,
        given: &[Value],
        _: Option<Block>,
    ) -> Evaluated {
        self.fill_in(evaluator, frame, given[0].clone())
    }

    pub(crate) fn fill_in(&self, evaluator: &mut Evaluator, frame: &Frame, value: Value) -> Evaluated {
        let view = match self.scope {
            ScopeId::TOP => View::Frame(frame),
            scope => View::Around(scope, frame),
        };
        evaluator.looking_up(view, |session| session.interpolate(value, &self.context))
    }

    fn cache(&self, _: &mut Evaluator, _: &Frame, given: &[Value], _: Option<Block>) -> Evaluated {
        self.context.remember(given[0].clone(), given[1].clone());
        Ok(given[1].clone())
    }

    fn cache_all(&self, _: &mut Evaluator, _: &Frame, given: &[Value], _: Option<Block>) -> Evaluated {
        for (key, value) in given[0].as_hash().into_iter().flatten() {
            self.context.remember(key.clone(), value.clone());
        }
        Ok(Value::Undef)
    }

    fn cached_entries(
        &self,
        evaluator: &mut Evaluator,
        _: &Frame,
        _: &[Value],
        block: Option<Block>,
    ) -> Evaluated {
        let entries = self.context.all_remembered();
        let Some(block) = block else { return Ok(Lazy::entries(entries)) };
        for (key, value) in entries {
            if block.callable.max == Some(2) {
                evaluator.call_block(block, [key, value])?;
            } else {
                evaluator.call_block(block, [Value::array(vec![key, value])])?;
            }
        }
        Ok(Value::Undef)
    }
}

/// What a block makes of a file is remembered under its path alone, whoever asks next, until the file changes.
fn cached_file_data(
    _: &LookupContext,
    evaluator: &mut Evaluator,
    _: &Frame,
    given: &[Value],
    block: Option<Block>,
) -> Evaluated {
    let path = given[0].as_str().unwrap_or_default();
    let files = evaluator.environment().hiera().files();
    let stamp = files.stamp(path.as_ref());
    if let Some((_, known)) = evaluator.lookups.files.get(path).filter(|(known, _)| *known == stamp) {
        return Ok(known.clone());
    }
    let bytes = files.read(path.as_ref());
    let bytes = bytes.map_err(|error| issues::no_such_file(path, &error))?;
    let text = Value::from(String::from_utf8_lossy(&bytes).into_owned());
    let data = match block {
        Some(block) => evaluator.call_block(block, [text])?,
        None => text,
    };
    evaluator.lookups.files.insert(path.to_owned(), (stamp, data.clone()));
    Ok(data)
}

/// Checks the arguments of a method against its type; attributes take none.
fn check(name: &str, given: &[Value], block: Option<Block>) -> Result<()> {
    let type_ = Type::lookup_context();
    let Kind::Object(object) = type_.kind() else { return Ok(()) };
    let (label, callables) = signatures(object, name);
    let block = block.map(|block| &block.callable.type_);
    if callables.iter().any(|callable| callable.takes(given, block)) {
        return Ok(());
    }
    let signature = |callable| Signature { callable, names: Vec::new(), block: None };
    let described: Vec<Signature> = callables.into_iter().map(signature).collect();
    let types: Vec<Type> = given.iter().map(infer::detailed).chain(block.cloned()).collect();
    Err(issues::argument(&describe_signatures(&label, &described, &types)).into())
}

fn signatures(object: &ObjectType, name: &str) -> (String, Vec<CallableType>) {
    let callable = |type_: &Type| match type_.kind() {
        Kind::Callable(callable) => Some(callable.clone()),
        _ => None,
    };
    if let Some(function) = object.function(name) {
        let callables = match function.type_().kind() {
            Kind::Variant(variant) => variant.types().iter().filter_map(callable).collect(),
            _ => callable(function.type_()).into_iter().collect(),
        };
        return (function.label("function"), callables);
    }
    let label = object.attribute(name).map(|attribute| attribute.label()).unwrap_or_default();
    let nothing = hierarch_pcore::types::TupleType::new(
        Vec::new(),
        Some(hierarch_pcore::types::IntegerType::exactly(0)),
    );
    (label, vec![CallableType::new(Some(nothing), None, None)])
}

impl Foreign for LookupContext {
    fn inferred(&self) -> Type {
        Type::lookup_context()
    }

    fn text(&self) -> String {
        "Puppet::LookupContext({})".to_owned()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
