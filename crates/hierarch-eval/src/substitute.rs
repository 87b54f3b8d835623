//! What stands in for functions that cannot run here, or whose results are given, and classes that a classifier names.

use std::path::PathBuf;
use std::sync::Arc;

use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Error, Network, Place};

use crate::code::Id;
pub use crate::collect::ExportedResource;
use crate::evaluator::{Evaluated, Evaluator};
use crate::function::{Arguments, Block};
use crate::names::NameId;
use crate::resource::{Declaration, KindId, Parameter, ResourceId};
use crate::scope::{Frame, ScopeId};
use crate::{Result, Unwind, issues};

/// What is given for a compilation beside manifests and data.
#[derive(Clone, Debug, Default)]
pub struct Substitutes {
    /// Results of calls, by the function's name and its arguments. The first that fits counts.
    pub answers: Vec<Answer>,
    /// Whether a function that cannot run gives a placeholder instead of an error.
    pub stubs: bool,
    /// Folders with functions in the language that go before all others of their names.
    pub overlays: Vec<PathBuf>,
    /// Folders that Ruby may read beside those of the environment.
    pub ruby_read: Vec<PathBuf>,
    /// What other nodes exported; nothing where there is no store, and exporting and collecting are passed over.
    pub exported: Option<Arc<[ExportedResource]>>,
    /// The variables that Ruby's `ENV` shows.
    pub ruby_variables: Vec<(String, String)>,
    /// The network that Ruby may ask.
    pub ruby_network: Option<Arc<dyn Network>>,
    /// A real Ruby for what does not run here.
    pub ruby_helper: Option<Arc<dyn HelperSource>>,
}

/// Starts programs that do jobs of another language; a run starts its own when it first needs one.
pub trait HelperSource: std::fmt::Debug + Send + Sync {
    /// Starts one.
    fn start(&self) -> std::result::Result<Box<dyn Helper>, Error>;

    /// Notes that one of them ran something, and why it did not run here.
    fn note(&self, what: &str, reason: &str);

    /// Returns what all of them ran since this was last asked.
    fn take_noted(&self) -> Vec<Help>;
}

/// A program that does jobs of another language. It ends when this is dropped.
pub trait Helper {
    /// Sends a line, without its end, and waits for the line that comes back.
    fn exchange(&mut self, line: &str) -> std::result::Result<String, Error>;
}

/// What a helper did in a run.
#[derive(Clone, Debug)]
pub struct Help {
    /// The function or template that it ran.
    pub what: String,
    /// Why it did not run here.
    pub reason: String,
    /// How often.
    pub calls: usize,
}

impl Help {
    /// Counts one more call in a list.
    pub fn count(list: &mut Vec<Self>, what: &str, reason: &str) {
        match list.iter_mut().find(|help| help.what == what) {
            Some(help) => help.calls += 1,
            None => list.push(Self { what: what.to_owned(), reason: reason.trim_end().to_owned(), calls: 1 }),
        }
    }
}

/// The result of a call.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The name of the function.
    pub function: String,
    /// Its arguments; none: whatever they are.
    pub arguments: Option<Vec<Value>>,
    /// What the call gives.
    pub result: Value,
}

/// A placeholder that was put in.
#[derive(Clone, Debug)]
pub struct Stub {
    /// The function that did not run.
    pub function: String,
    /// Why.
    pub reason: String,
    /// Where it is called.
    pub place: Option<Place>,
}

/// What a run keeps about substitutes.
#[derive(Default)]
pub(crate) struct Substitution {
    pub(crate) given: Arc<Substitutes>,
    pub(crate) stubs: Vec<Stub>,
    pub(crate) help: Vec<Help>,
    /// The classes that a classifier names, with their attributes.
    pub(crate) classes: Vec<(Str, Hash)>,
}

impl Substitution {
    /// Starts with what an environment is given.
    pub(crate) fn of(environment: &crate::Codebase) -> Self {
        Self { given: Arc::clone(environment.substitutes()), ..Self::default() }
    }
}

impl Substitutes {
    fn answer(&self, name: &str, arguments: &[Value]) -> Option<&Value> {
        let fits = |answer: &&Answer| {
            answer.function == name && answer.arguments.as_ref().is_none_or(|wanted| wanted == arguments)
        };
        self.answers.iter().find(fits).map(|answer| &answer.result)
    }

    /// Tells whether results of a function are given, for some arguments at least.
    pub(crate) fn has_answers(&self, name: &str) -> bool {
        self.answers.iter().any(|answer| answer.function == name)
    }

    pub(crate) fn is_needed(&self) -> bool {
        self.stubs || !self.answers.is_empty()
    }
}

/// What stands for the result of a function that did not run: it says so wherever it ends up. Results of several calls
/// differ, because they may be titles.
pub fn placeholder(function: &str, call: usize) -> String {
    let call = if call > 1 { format!(" (call {call})") } else { String::new() };
    format!("<<stub: {function}() did not run{call}>>")
}

/// Tells whether something is missing here that Puppet might have, as opposed to a mistake.
pub fn is_missing(error: &Error) -> bool {
    const CODES: [&str; 6] = [
        "UNKNOWN_FUNCTION",
        "RUBY_UNSUPPORTED",
        "RUBY_REFUSED",
        "RUBY_READ",
        "RUBY_FUNCTION",
        "PROGRAM_NOT_ALLOWED",
    ];
    CODES.contains(&error.code) || error.has_detail(issues::MISSING_FEATURE)
}

impl Evaluator<'_> {
    /// Hands in what stands in for functions.
    #[must_use]
    pub fn with_substitutes(mut self, given: Arc<Substitutes>) -> Self {
        self.substitution.given = given;
        self
    }

    /// Adds to an error which placeholders were put in before it: one that is used as another kind of value is its cause.
    pub fn naming_stubs(&self, error: Error) -> Error {
        const MOST: usize = 3;
        let stubs = self.substitution.stubs.iter().rev().take(MOST);
        stubs.fold(error, |error, stub| error.note(issues::stub_before(stub)))
    }

    /// Tells whether a value stands for the result of a function that did not run.
    pub(crate) fn is_placeholder(&self, value: &Value) -> bool {
        let stubs = &self.substitution.stubs;
        !stubs.is_empty()
            && value.as_str().is_some_and(|text| text.starts_with("<<stub: ") && text.ends_with(">>"))
    }

    /// Returns what a real Ruby ran.
    pub fn help(&self) -> &[Help] {
        &self.substitution.help
    }

    /// Names classes that are declared after those of the manifests, with attributes, as a classifier of nodes does.
    ///
    /// The catalog names them before all others, and once more when they are evaluated.
    pub fn set_node_classes(&mut self, classes: Vec<(Str, Hash)>) {
        for (name, _) in &classes {
            self.compilation.add_class(name);
        }
        self.compilation.classes.rotate_right(classes.len());
        self.substitution.classes = classes;
    }

    /// Calls a function unless its result is given; what is missing gives a placeholder where that is wanted.
    pub(crate) fn call_or_substitute(
        &mut self,
        frame: &Frame,
        id: Option<Id>,
        name: NameId,
        arguments: Arguments,
        block: Option<Block>,
    ) -> Evaluated {
        let given = Arc::clone(&self.substitution.given);
        let text = self.environment.names().text(name);
        if let Some(result) = given.answer(&text, &arguments) {
            return Ok(result.clone());
        }
        match self.call_directly(frame, id, name, arguments, block) {
            Err(Unwind::Error(error)) if given.stubs && is_missing(&error) => {
                let place = id.map(|id| Place::new(frame.code.source(), frame.code.span(id)));
                let before = self.note_stub(&text, &error, place);
                Ok(placeholder(&text, before + 1).into())
            }
            Err(Unwind::Error(error)) if is_missing(&error) && given.has_answers(&text) => {
                Err(error.note(issues::other_answers(&text)).into())
            }
            result => result,
        }
    }

    /// Notes that a function did not run, and returns how often it has not before.
    pub(crate) fn note_stub(&mut self, function: &str, error: &Error, place: Option<Place>) -> usize {
        let stubs = &mut self.substitution.stubs;
        let before = stubs.iter().filter(|stub| stub.function == function).count();
        // A backend is asked for every key.
        if place.is_some() || before == 0 {
            stubs.push(Stub { function: function.to_owned(), reason: error.message.clone(), place });
        }
        before
    }

    /// Declares the classes that a classifier names: those without attributes as `include` does.
    pub(crate) fn declare_node_classes(&mut self) -> Result<()> {
        let classes = std::mem::take(&mut self.substitution.classes);
        let (plain, given): (Vec<_>, Vec<_>) =
            classes.into_iter().partition(|(_, attributes)| attributes.is_empty());
        let mut declared = Vec::new();
        for (name, attributes) in given {
            declared.push(self.declare_node_class(&name, &attributes)?);
        }
        for (name, _) in plain {
            let found = self.loading.class(&name)?;
            self.log_load_warnings();
            let definition = found.ok_or_else(|| issues::unknown_class_for(&name, &self.settings.node))?;
            declared.push(self.ensure_class(definition, ScopeId::TOP)?);
        }
        // All are in the catalog before the first of them is evaluated; that of the manifests may be evaluated already.
        for resource in declared {
            if !self.compilation.resource(resource).is_evaluated {
                self.evaluate_resource(resource)?;
            }
        }
        Ok(())
    }

    fn declare_node_class(&mut self, name: &str, attributes: &Hash) -> Result<ResourceId> {
        let found = self.loading.class(name)?;
        self.log_load_warnings();
        let definition = found.ok_or_else(|| issues::unknown_class_for(name, &self.settings.node))?;
        let parameter = |(name, value): (&Value, &Value)| Parameter {
            name: Str::from(name.as_str().unwrap_or_default()),
            value: value.clone(),
            appends: false,
            source: definition,
            place: None,
        };
        self.declare_class(Declaration {
            kind: KindId::CLASS,
            title: name.into(),
            parameters: attributes.iter().map(parameter).collect(),
            definition: Some(definition),
            source: definition,
            ..Declaration::new(ScopeId::TOP)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    #[test]
    fn texts_with_expressions() {
        check_programs(&[
            (r#"$x = 1 "${x}""#, "'1'"),
            (r#"$x = 1 "$x""#, "'1'"),
            (r#"$x = [1, 'a'] "${x}""#, "'[1, a]'"),
            (r#"$x = {a => 1} "${x}""#, "'{a => 1}'"),
            (r#"$x = {a => 1} "${x['a']}""#, "'1'"),
            (r#"$x = [1] "${x[0]}""#, "'1'"),
            (r#"$x = undef "${x}""#, "''"),
            (r#"$x = undef "[${x}]""#, "'[]'"),
            (r#""${1 + 2}""#, "'3'"),
            (r#""${'a'}""#, "'a'"),
            (r#""${[1, [2]]}""#, "'[1, [2]]'"),
            (r#""${nope}""#, "Evaluation Error: Unknown variable: 'nope'. (line: 1, column: 4)"),
            (r#""$nope""#, "Evaluation Error: Unknown variable: 'nope'. (line: 1, column: 2)"),
            (r#""${}""#, "Syntax error at '' (line: 1, column: 5)"),
            (r#""\${x}""#, "'${x}'"),
            ("'${x}'", "'${x}'"),
            (r#"$x = 1 "${$x}""#, "'1'"),
            (r#"$x = {a => {b => 1}} "${x['a']['b']}""#, "'1'"),
            (r#""${undef}""#, "Evaluation Error: Unknown variable: 'undef'. (line: 1, column: 4)"),
            (r#""${default}""#, "Evaluation Error: Unknown variable: 'default'. (line: 1, column: 4)"),
            (r#""${Integer}""#, "'Integer'"),
            (r#""${/a/}""#, "'/a/'"),
            (
                r#""${1.0}""#,
                "Illegal numeric variable name, The given name '1.0' must be a decimal value if it starts with a digit 0-9 (line: 1, column: 4)",
            ),
            (r#"$if = 1 "${if}""#, "'1'"),
            (r#""${if true { 1 }}""#, "'1'"),
        ]);
    }
}
