//! What Puppet's own Ruby classes offer to templates, functions and backends.

pub mod context;
pub mod errors;
pub mod functions;
pub mod logging;
mod old_functions;
pub mod resource;
pub mod scope;
pub mod settings;
pub mod types;
pub mod wrapper;

use hierarch_pcore::issues::ARGUMENT_COUNT;
use hierarch_pcore::{Str, Value};
use hierarch_source::Error;

pub use functions::{Modules, PuppetBlock, Shape};

use std::rc::Rc;

use crate::core::ClassSpec;
use crate::run::{Flow, Ruby, Vm};
use crate::value::Proc;

/// What a script may ask of the compilation that it runs in.
pub trait Puppet {
    /// Returns a variable as the place of the call sees it.
    fn variable(&mut self, name: &str) -> Option<Value>;

    /// Says why a variable is not known: nothing, or something about its class.
    fn why_undefined(&mut self, name: &str) -> String;

    /// Tells what happens where the language would rather not guess: an error, a warning, or nothing.
    fn strictness(&self) -> Strictness;

    /// Returns all variables that the place of the call sees; those that are undef hide others of their name.
    fn variables(&mut self) -> Vec<(Str, Value)>;

    /// Sets a variable of the place of the call.
    fn set_variable(&mut self, name: &str, value: Value) -> Result<(), Error>;

    /// Returns a number for the scope at hand; 0 is the top scope.
    fn scope_number(&self) -> u32;

    /// Calls a function, which may run Ruby itself.
    fn call(
        &mut self,
        ruby: &mut Box<Ruby>,
        name: &str,
        arguments: Vec<Value>,
        block: Option<&Rc<Proc>>,
    ) -> Result<Value, Interrupt>;

    /// Calls a lambda that a function was called with.
    fn yield_to(
        &mut self,
        ruby: &mut Box<Ruby>,
        number: u64,
        arguments: Vec<Value>,
    ) -> Result<Value, Interrupt>;

    /// Finds the file of a function written in Ruby with the old interface.
    fn old_function(&mut self, name: &str) -> Option<std::path::PathBuf>;

    /// Reads a type.
    fn parse_type(&mut self, text: &str) -> Result<hierarch_pcore::Type, Error>;

    /// Returns one of Puppet's settings.
    fn setting(&mut self, name: &str) -> Option<Value>;

    /// Returns the name of the module whose data are looked up.
    fn context_module(&mut self, context: &Value) -> Option<Str>;

    /// Returns a number for the place in the hierarchy that a backend was called for.
    fn context_place(&mut self, context: &Value) -> usize;

    /// Tells whether anybody wants an explanation.
    fn context_explains(&mut self, context: &Value) -> bool;

    /// Adds a line to the explanation.
    fn context_explain(&mut self, context: &Value, text: String);

    /// Fills in the tokens of a value.
    fn context_interpolate(
        &mut self,
        ruby: &mut Box<Ruby>,
        context: &Value,
        value: Value,
    ) -> Result<Value, Interrupt>;

    /// Tells whether there is a function.
    fn has_function(&mut self, name: &str) -> bool;

    /// Returns the names of all classes in the catalog, in order.
    fn classes(&mut self) -> Vec<Str>;

    /// Returns the tags of the catalog.
    fn all_tags(&mut self) -> Vec<Str>;

    /// Returns the class or resource that the code at hand belongs to, as a reference.
    fn resource(&self) -> String;

    /// Returns the attributes of a resource in the catalog.
    fn find_resource(&mut self, kind: &str, title: &str) -> Option<hierarch_pcore::Hash>;

    /// Returns the name of the node.
    fn node(&self) -> String;

    /// Finds `module/path` below a folder of the module.
    fn find_in_module(&self, folder: &str, path: &str) -> Option<std::path::PathBuf>;

    /// Returns the folders of all modules.
    fn module_folders(&self) -> Vec<std::path::PathBuf>;

    /// Returns the resources of the catalog, as references, with their attributes.
    fn resources(&mut self) -> Vec<(String, hierarch_pcore::Hash)>;

    /// Returns the folder of a module.
    fn module_folder(&self, module: &str) -> Option<std::path::PathBuf>;
}

/// Why a call of Puppet's gave nothing.
pub enum Interrupt {
    /// Something is wrong.
    Error(Error),
    /// A jump that concerns code further out.
    Jump(Jump),
    /// A block of Ruby's ended more than itself: see [`Modules::escaping`].
    Escaped,
}

/// A jump of Puppet's that passes through Ruby.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// `next()`
    Next,
    /// `break()`
    Break,
    /// `return()`
    Return,
    /// `$context.not_found()`
    NotFound,
}

/// What happens where the language would rather not guess.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "Puppet's words")]
pub enum Strictness {
    Error,
    Warning,
    Off,
}

/// The modules that everything of Puppet's stands in.
pub(crate) static MODULES: &[&ClassSpec] = &[
    &ClassSpec {
        singleton: &[logging::METHODS, settings::METHODS],
        constants: settings::CONSTANTS,
        ..ClassSpec::module("Puppet")
    },
    &ClassSpec::module("Puppet::Parser"),
    &ClassSpec::module("Puppet::Pops"),
    &ClassSpec::module("Puppet::Pops::Types"),
    &ClassSpec::module("Puppet::Pops::Time"),
    &ClassSpec::module("Puppet::DataBinding"),
    &ClassSpec::module("SemanticPuppet"),
];

/// What a template is.
pub(crate) static WRAPPERS: &[&ClassSpec] = &[&wrapper::TEMPLATE_WRAPPER];

impl Vm<'_> {
    /// Asks the compilation something; a script outside of one cannot.
    pub(crate) fn puppet<T>(
        &mut self,
        what: &str,
        ask: impl FnOnce(&mut dyn Puppet) -> T,
    ) -> Result<T, Box<Flow>> {
        match self.host.puppet() {
            Some(puppet) => Ok(ask(puppet)),
            None => Err(self.unsupported(what)),
        }
    }

    /// Raises what went wrong in Puppet. Limits and refusals cannot be rescued.
    pub(crate) fn raise_puppet(&mut self, error: Error) -> Box<Flow> {
        self.raise_from("", error)
    }

    /// Raises what went wrong in a function of Puppet's.
    pub(crate) fn raise_from(&mut self, function: &str, error: Error) -> Box<Flow> {
        let is_final = (error.code.starts_with("RUBY_") && error.code != "RUBY_EXCEPTION")
            || error.code.ends_with("_LIMIT");
        if is_final {
            return Flow::stop(error);
        }
        let class = class_of(function, &error);
        let message = if error.place.is_some() { error.to_string() } else { error.message.clone() };
        let flow = self.raise(class, message);
        if let Flow::Raise(exception) = &*flow {
            self.modules.passing = Some((exception.clone(), error));
        }
        flow
    }
}

/// Functions whose own errors are not about their arguments.
const OTHER_ERRORS: &[(&str, &str)] = &[
    ("include", "Puppet::Error"),
    ("require", "Puppet::Error"),
    ("contain", "Puppet::Error"),
    ("lookup", "Puppet::DataBinding::LookupError"),
];

/// Returns the class of an exception that Puppet raises for an error.
fn class_of(function: &str, error: &Error) -> &'static str {
    if error.place.is_some() {
        return "Puppet::PreformattedError";
    }
    if let Some((_, class)) = OTHER_ERRORS.iter().find(|(name, _)| *name == function) {
        return class;
    }
    let is_old = scope::is_old(function) && !error.has_detail(ARGUMENT_COUNT);
    if is_old || function.is_empty() { "Puppet::ParseError" } else { "ArgumentError" }
}
