//! What Puppet's own Ruby classes offer to templates, functions and backends.

pub mod errors;
pub mod logging;
mod old_functions;
pub mod scope;
pub mod types;
pub mod wrapper;

use hierarch_pcore::{Str, Value};
use hierarch_source::Error;

use crate::core::ClassSpec;
use crate::run::{Flow, Ruby, Vm};

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

    /// Calls a function, which may run Ruby itself.
    fn call(&mut self, ruby: &mut Box<Ruby>, name: &str, arguments: Vec<Value>) -> Result<Value, Error>;

    /// Tells whether there is a function written in Ruby with the old interface.
    fn has_old_function(&mut self, name: &str) -> bool;

    /// Tells whether there is a function.
    fn has_function(&mut self, name: &str) -> bool;

    /// Returns the names of all classes in the catalog, in order.
    fn classes(&mut self) -> Vec<Str>;

    /// Returns the tags of the catalog.
    fn all_tags(&mut self) -> Vec<Str>;

    /// Returns the class or resource that the code at hand belongs to, as a reference.
    fn resource(&self) -> String;

    /// Returns the name of the node.
    fn node(&self) -> String;

    /// Finds `module/path` below a folder of the module.
    fn find_in_module(&self, folder: &str, path: &str) -> Option<std::path::PathBuf>;

    /// Returns the folder of a module.
    fn module_folder(&self, module: &str) -> Option<std::path::PathBuf>;
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
    &ClassSpec { singleton: &[logging::METHODS], ..ClassSpec::module("Puppet") },
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
        let is_final = error.code.starts_with("RUBY_") || error.code.ends_with("_LIMIT");
        if is_final { Flow::stop(error) } else { self.raise("Puppet::ParseError", error.message.clone()) }
    }
}
