//! A real Ruby that runs what does not run here (`--ruby-command`): jobs go out as lines of JSON, and it may ask back.

mod asks;
mod values;

use hierarch_eval::function::{Block, Call, ForeignBlock, ForeignInterface, ForeignSignature, ForeignSource};
use hierarch_eval::substitute::{Helper, is_missing};
use hierarch_eval::{Result, Unwind};
use hierarch_pcore::{Str, Value};
use hierarch_source::Error;
use rustc_hash::FxHashMap;
use serde_json::{Value as Json, json};

use super::{keep_session, take_session};
use crate::issues;

/// What a run keeps about its helper.
#[derive(Default)]
pub(super) struct HelperState {
    process: Option<Box<dyn Helper>>,
    /// The files and texts that do not run here, and why.
    needed_for: FxHashMap<String, String>,
    /// Values that Ruby has no form for, by number: the helper hands them back.
    opaque: Vec<Value>,
    /// What ended something that the helper asked for; it goes on when the job ends with it.
    passing: Option<Unwind>,
    /// Results of jobs that asked for nothing, by their lines.
    answered: FxHashMap<String, Value>,
}

/// Why a job failed, in Ruby's words.
pub(super) struct JobFailure {
    pub(super) message: String,
    pub(super) file: Option<String>,
    pub(super) line: Option<String>,
    /// Whether it is what `rescue` without a class catches.
    pub(super) is_standard: bool,
    pub(super) is_lookup: bool,
}

/// How a job ends.
pub(super) enum JobEnd {
    /// With a value.
    Value(Value),
    /// With an exception.
    Failure(JobFailure),
}

/// Says why a file or text is left to the helper; nothing if it has not failed here.
pub(super) fn reason(call: &mut Call, key: &str) -> Option<String> {
    call.helper_source()?;
    let session = take_session(call);
    let reason = session.helper.needed_for.get(key).cloned();
    keep_session(call, session);
    reason
}

/// Tells whether the helper does what ended with an error here, and remembers that for the file or text.
pub(super) fn takes_over(call: &mut Call, key: &str, unwind: &Unwind) -> Option<String> {
    let Unwind::Error(error) = unwind else { return None };
    if !is_missing(error) || error.code == "UNKNOWN_FUNCTION" || call.helper_source().is_none() {
        return None;
    }
    let mut session = take_session(call);
    session.helper.needed_for.insert(key.to_owned(), error.message.clone());
    keep_session(call, session);
    Some(error.message.clone())
}

/// Renders a template.
pub(super) fn render(call: &mut Call, text: &str, file: Option<&str>, reason: &str) -> Result<JobEnd> {
    call.note_help(file.unwrap_or("inline_template"), reason);
    let seen = call.visible_variables();
    let mut variables = serde_json::Map::new();
    for (name, value) in seen {
        variables.insert(name.to_string(), values::encode(call, &value));
    }
    talk(call, &json!({ "do": "template", "text": text, "file": file, "variables": variables }), &[])
}

/// Loads a function and says how it may be called.
pub(super) fn load(call: &mut Call, source: &ForeignSource, text: &str) -> Result<ForeignInterface> {
    let job = json!({ "do": "load", "name": &*source.name, "file": source.file.display().to_string(),
        "text": text, "old": source.is_old });
    let value = value_of(talk(call, &job, &[])?)?;
    if source.is_old {
        let arity = value.as_integer().and_then(|arity| i32::try_from(arity).ok());
        return Ok(ForeignInterface::Old(arity.unwrap_or(-1)));
    }
    let shapes = value.as_array().map(|shapes| shapes.iter().map(signature).collect());
    Ok(ForeignInterface::Typed(shapes.unwrap_or_default()))
}

/// Calls a function that does not run here.
pub(super) fn run(
    call: &mut Call,
    source: &ForeignSource,
    signature: usize,
    given: (&str, &[Value]),
    reason: &str,
) -> Result<Value> {
    let (text, arguments) = given;
    call.note_help(&format!("{}()", source.name), reason);
    explain(call, &source.name, arguments, reason);
    let mut list: Vec<Json> = arguments.iter().map(|value| values::encode(call, value)).collect();
    let block = call.block();
    let blocks: Vec<Block> = block.into_iter().collect();
    if block.is_some() {
        list.push(json!({ "__ptype": "Block", "__pvalue": 0 }));
    }
    let job = json!({ "do": "call", "name": &*source.name, "file": source.file.display().to_string(),
        "text": text, "old": source.is_old, "signature": signature, "arguments": list, "block": block.is_some() });
    value_of(talk(call, &job, &blocks)?)
}

/// Says in the explanation of a lookup that a data function was left to the helper.
fn explain(call: &mut Call, name: &str, arguments: &[Value], reason: &str) {
    let context = arguments.last().and_then(|last| call.lookup_context(last));
    if let Some(context) = context.filter(|context| context.context().explains()) {
        context.context().explain(issues::run_by_helper(name, reason));
    }
}

/// A block of the helper's that a function of Puppet's was called with.
struct HelperBlock<'b> {
    number: i64,
    blocks: &'b [Block<'b>],
}

impl ForeignBlock for HelperBlock<'_> {
    fn call(&self, call: &mut Call, arguments: Vec<Value>) -> Result<Value> {
        let list: Vec<Json> = arguments.iter().map(|value| values::encode(call, value)).collect();
        let job = json!({ "do": "block", "number": self.number, "arguments": list });
        value_of(talk(call, &job, self.blocks)?)
    }
}

fn signature(shape: &Value) -> ForeignSignature {
    let parts = shape.as_array().map(|parts| parts.to_vec()).unwrap_or_default();
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let list = |value: Option<&Value>| {
        value.and_then(Value::as_array).map(|items| items.to_vec()).unwrap_or_default()
    };
    let parameter = |parameter: &Value| {
        let parts = list(Some(parameter));
        (text(parts.first()), text(parts.get(1)), text(parts.get(2)))
    };
    ForeignSignature {
        label: text(parts.first()),
        is_mismatch: matches!(parts.get(1), Some(Value::Boolean(true))),
        returns: parts.get(2).and_then(Value::as_str).map(str::to_owned),
        parameters: list(parts.get(3)).iter().map(parameter).collect(),
        aliases: list(parts.get(5)).iter().map(|alias| text(Some(alias))).collect(),
    }
}

/// Returns the value of a job of a function.
fn value_of(ended: JobEnd) -> Result<Value> {
    match ended {
        JobEnd::Value(value) => Ok(value),
        JobEnd::Failure(failure) => Err(failure.of_function().into()),
    }
}

impl JobFailure {
    fn read(error: &Json) -> Self {
        let text = |name: &str| error.get(name).and_then(Json::as_str).map(str::to_owned);
        let is = |name: &str| error.get(name).and_then(Json::as_bool).unwrap_or_default();
        Self {
            message: text("message").unwrap_or_default(),
            file: text("file"),
            line: text("line"),
            is_standard: is("standard"),
            is_lookup: is("lookup"),
        }
    }

    fn of_function(&self) -> Error {
        let error = if self.is_lookup {
            issues::lookup_error(self.message.clone())
        } else if self.is_standard {
            issues::ruby_error(&self.message)
        } else {
            issues::ruby_exception(&self.message)
        };
        match (&self.file, &self.line) {
            (Some(file), Some(line)) => error.note(issues::raised_in(file, line)),
            _ => error,
        }
    }
}

/// Gives the helper a job and answers what it asks until the job ends.
fn talk(call: &mut Call, job: &Json, blocks: &[Block]) -> Result<JobEnd> {
    let line = job.to_string();
    let mut session = take_session(call);
    let known = session.helper.answered.get(&line).cloned();
    session.helper.passing = None;
    keep_session(call, session);
    if let Some(value) = known {
        return Ok(JobEnd::Value(value));
    }
    let mut next = line.clone();
    let mut has_asked = false;
    loop {
        let answer = exchange(call, &next)?;
        if let Some(ask) = answer.get("ask") {
            has_asked = true;
            next = asks::reply(call, ask.as_str().unwrap_or_default(), answer.get("arguments"), blocks);
            continue;
        }
        return ended(call, &answer, (!has_asked && blocks.is_empty()).then_some(line));
    }
}

/// Reads how a job ended. The result of one that asked for nothing is remembered by its line.
fn ended(call: &mut Call, answer: &Json, line: Option<String>) -> Result<JobEnd> {
    if let Some(value) = answer.get("value") {
        let value = values::decode(call, value)?;
        let mut session = take_session(call);
        if let Some(line) = line {
            session.helper.answered.insert(line, value.clone());
        }
        keep_session(call, session);
        return Ok(JobEnd::Value(value));
    }
    if let Some(error) = answer.get("error") {
        return Ok(JobEnd::Failure(JobFailure::read(error)));
    }
    if answer.get("jump").is_some() {
        return Err(Unwind::NotFound);
    }
    let mut session = take_session(call);
    let passing = session.helper.passing.take();
    keep_session(call, session);
    Err(passing.unwrap_or_else(|| issues::helper_answer().into()))
}

/// Sends a line and reads the one that comes back. The helper is started when it is first needed; one that failed is gone.
fn exchange(call: &mut Call, line: &str) -> Result<Json> {
    let mut session = take_session(call);
    let process = session.helper.process.take();
    keep_session(call, session);
    let mut process = match process {
        Some(process) => process,
        None => start(call)?,
    };
    let answer = process.exchange(line)?;
    call.check_size(answer.len())?;
    let answer = serde_json::from_str(&answer).map_err(|_| issues::helper_answer())?;
    let mut session = take_session(call);
    session.helper.process = Some(process);
    keep_session(call, session);
    Ok(answer)
}

fn start(call: &mut Call) -> Result<Box<dyn Helper>> {
    let source = call.helper_source().ok_or_else(issues::helper_answer)?;
    let mut process = source.start()?;
    let folders = call.module_folders();
    let folders: Vec<Str> =
        folders.iter().map(|module| Str::from(module.join("lib").display().to_string())).collect();
    let folders: Vec<&str> = folders.iter().map(|folder| &**folder).collect();
    process.exchange(&json!({ "do": "start", "folders": folders }).to_string())?;
    Ok(process)
}
