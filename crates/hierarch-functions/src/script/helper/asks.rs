//! What a real Ruby asks for while it does a job: one line in the table for each question.

use hierarch_eval::function::{Block, Call, GivenBlock};
use hierarch_eval::{Level, Result, Strict, Unwind};
use hierarch_pcore::{Hash, Value};
use serde_json::{Value as Json, json};

use super::{HelperBlock, values};
use crate::issues;
use crate::script::{keep_session, take_session};

/// A question: what is asked, its arguments, and the lambdas that may be called.
type Answering = fn(&mut Call, &[Value], &[Block]) -> Result<Value>;

const QUESTIONS: &[(&str, Answering)] = &[
    ("variable", |call, given, _| Ok(found(call.variable(&text(given, 0))))),
    ("lookup", lookup),
    ("variables", |call, _, _| Ok(call.visible_variables().into_iter().collect::<Hash>().into())),
    ("set", |call, given, _| {
        call.set_variable(&text(given, 0), given.get(1).cloned().unwrap_or_default())?;
        Ok(Value::Undef)
    }),
    ("call", call_function),
    ("yield", |call, given, blocks| match blocks.first() {
        Some(block) => call.yield_to(*block, given.get(1..).unwrap_or_default().to_vec()),
        None => Err(issues::lambda_is_gone().into()),
    }),
    ("classes", |call, _, _| Ok(Value::array(call.class_names().into_iter().map(Value::from).collect()))),
    ("tags", |call, _, _| Ok(Value::array(call.catalog_tags().into_iter().map(Value::from).collect()))),
    ("resource", |call, _, _| Ok(call.container().into())),
    ("attributes", |call, given, _| {
        let found = call.declared_attributes(&text(given, 0), &text(given, 1)).ok().flatten();
        Ok(found.map_or(Value::Undef, Value::hash))
    }),
    ("node", |call, _, _| Ok(call.settings().node.as_str().into())),
    ("log", |call, given, _| {
        call.log(level(&text(given, 0)), text(given, 1));
        Ok(true.into())
    }),
    ("setting", |call, given, _| Ok(call.setting(&text(given, 0)).unwrap_or_default())),
    ("module_folder", |call, given, _| Ok(path(call.module_folder(&text(given, 0))))),
    ("find_in_module", |call, given, _| Ok(path(call.find_in_module(&text(given, 0), &text(given, 1))))),
    ("old_function", |call, given, _| {
        let Some(file) = call.old_function(&text(given, 0)) else { return Ok(Value::Undef) };
        let source = crate::script::functions::read(call, &file)?;
        Ok(Value::array(vec![file.display().to_string().into(), source.into()]))
    }),
    ("interpolate", |call, given, _| {
        let value = given.get(1).cloned().unwrap_or_default();
        let context = values::opaque(call, given.first().unwrap_or(&Value::Undef));
        match call.lookup_context(&context) {
            Some(context) => call.interpolate(&context, value),
            None => Ok(value),
        }
    }),
    ("explain", |call, given, _| {
        let context = values::opaque(call, given.first().unwrap_or(&Value::Undef));
        if let Some(context) = call.lookup_context(&context) {
            context.context().explain(text(given, 1));
        }
        Ok(Value::Undef)
    }),
];

/// Returns the line that answers a question. What ends it is kept, and goes on if the job ends with it.
pub(super) fn reply(call: &mut Call, what: &str, given: Option<&Json>, blocks: &[Block]) -> String {
    let answered = answer(call, what, given, blocks);
    let unwind = match answered {
        Ok(value) => return json!({ "reply": values::encode(call, &value) }).to_string(),
        Err(unwind) => unwind,
    };
    let line = match &unwind {
        Unwind::Error(error) => json!({ "passing": "error", "error": error.message }),
        _ => json!({ "passing": "jump" }),
    };
    let mut session = take_session(call);
    session.helper.passing = Some(unwind);
    keep_session(call, session);
    line.to_string()
}

fn answer(call: &mut Call, what: &str, given: Option<&Json>, blocks: &[Block]) -> Result<Value> {
    let given = given.and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let given = given.iter().map(|value| values::decode(call, value)).collect::<Result<Vec<_>>>()?;
    match QUESTIONS.iter().find(|(name, _)| *name == what) {
        Some((_, answering)) => answering(call, &given, blocks),
        None => Err(issues::helper_answer().into()),
    }
}

fn lookup(call: &mut Call, given: &[Value], _: &[Block]) -> Result<Value> {
    let name = text(given, 0);
    if let Some(value) = call.variable(&name) {
        return Ok(found(Some(value)));
    }
    let bare = name.strip_prefix("::").unwrap_or(&name);
    let words = hierarch_ruby::issues::undefined_variable(&name, &call.why_undefined(bare));
    match call.settings().strict {
        Strict::Error => return Err(issues::ruby_error(&words).into()),
        Strict::Warning => call.log(Level::Warning, words),
        Strict::Off => {}
    }
    Ok(Value::Undef)
}

/// `call_function`: the name, the arguments, and the number of a block with how many values it takes.
fn call_function(call: &mut Call, given: &[Value], blocks: &[Block]) -> Result<Value> {
    let (name, arguments) = (text(given, 0), given.get(1).and_then(Value::as_array));
    let arguments = arguments.map(|list| list.to_vec()).unwrap_or_default();
    if !call.has_function(&name)? {
        return Err(issues::ruby_error(&hierarch_ruby::issues::unknown_function(&name)).into());
    }
    match given.get(2).and_then(Value::as_integer) {
        None => call.call_with(&name, arguments, GivenBlock::None),
        Some(number) => {
            let block = HelperBlock { number, blocks };
            let most = given.get(3).and_then(Value::as_integer).and_then(|most| usize::try_from(most).ok());
            call.call_with(&name, arguments, GivenBlock::Foreign(&block, most))
        }
    }
}

fn found(value: Option<Value>) -> Value {
    value.map_or(Value::Undef, |value| Value::array(vec![value]))
}

fn path(path: Option<std::path::PathBuf>) -> Value {
    path.map_or(Value::Undef, |path| path.display().to_string().into())
}

fn text(given: &[Value], index: usize) -> String {
    given.get(index).map(ToString::to_string).unwrap_or_default()
}

fn level(name: &str) -> Level {
    const LEVELS: [(&str, Level); 7] = [
        ("debug", Level::Debug),
        ("info", Level::Info),
        ("warning", Level::Warning),
        ("err", Level::Err),
        ("alert", Level::Alert),
        ("emerg", Level::Emerg),
        ("crit", Level::Crit),
    ];
    LEVELS.iter().find(|(known, _)| *known == name).map_or(Level::Notice, |(_, level)| *level)
}
