//! What a site is opened with: how it is set up, how much work a question may be, and what it may reach.

use std::collections::HashMap;

use hierarch_hiera::{LARGEST_FILE, Strict};
use hierarch_pcore::Hash;

/// How a site is set up: the settings of Puppet that change answers.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The environment of nodes that name no other.
    pub environment: String,
    /// How undefined variables, odd files and doubtful expressions are treated.
    pub strict: Strict,
    /// Whether reading an unknown variable is an error.
    pub strict_variables: bool,
    /// Whether a resource type that neither Puppet nor a module describes is an error instead of a warning.
    pub strict_types: bool,
    /// Where Puppet keeps its environments; version 3 of hiera.yaml needs it.
    pub codedir: String,
    /// Folders with modules for all environments.
    pub basemodulepath: Vec<String>,
    /// The folders with modules, whatever environments say.
    pub modulepath: Option<Vec<String>>,
    /// The hiera.yaml of the global layer; empty if there is none.
    pub hiera_config: String,
    /// Variables of the process, from which eyaml may take its keys and HOCON its values.
    pub variables: HashMap<String, String>,
    /// What the server says about itself: `serverversion`, `servername`, `serverip`.
    pub server_facts: Hash,
}

impl Default for Settings {
    /// The defaults of Puppet 8, on a server that nobody has named.
    fn default() -> Self {
        Self {
            environment: "production".to_owned(),
            strict: Strict::default(),
            strict_variables: true,
            strict_types: false,
            codedir: "/etc/puppetlabs/code".to_owned(),
            basemodulepath: Vec::new(),
            modulepath: None,
            hiera_config: String::new(),
            variables: HashMap::new(),
            server_facts: Self::server_facts("localhost", "127.0.0.1"),
        }
    }
}

impl Settings {
    /// Returns what a server says about itself.
    pub fn server_facts(name: &str, address: &str) -> Hash {
        [("serverversion", "8.10.0"), ("servername", name), ("serverip", address)].into_iter().collect()
    }

    pub(crate) fn of_lookups(&self, limits: &Limits) -> hierarch_hiera::LookupSettings {
        hierarch_hiera::LookupSettings {
            strict: self.strict,
            codedir: self.codedir.clone(),
            variables: self.variables.clone(),
            largest_file: limits.largest_file,
            limits: limits.lookup,
        }
    }

    pub(crate) fn of_programs(&self, permissions: Permissions) -> hierarch_eval::ProgramSettings {
        hierarch_eval::ProgramSettings {
            strict: self.strict,
            strict_variables: self.strict_variables,
            may_run_programs: permissions.may_run_programs,
            node: String::new(),
        }
    }
}

/// How much work a question may be before it ends in an error that names the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// What a program may use.
    pub evaluation: hierarch_eval::ProgramLimits,
    /// How many bytes a data file may have.
    pub largest_file: u64,
    /// What one lookup may use.
    pub lookup: hierarch_hiera::LookupLimits,
}

impl Default for Limits {
    /// The usual limits, on a thread as Rust starts it.
    fn default() -> Self {
        Self {
            evaluation: hierarch_eval::ProgramLimits::default(),
            largest_file: LARGEST_FILE,
            lookup: hierarch_hiera::LookupLimits::default(),
        }
    }
}

impl Limits {
    /// Returns the limits for threads that have this much stack.
    #[must_use]
    pub fn with_stack_of(self, bytes: usize) -> Self {
        Self { evaluation: self.evaluation.with_stack_of(bytes), ..self }
    }
}

/// What a site may reach beyond its files, and what it may tell. Nothing, unless allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Permissions {
    /// Programs of the machine may be run (`generate`).
    pub may_run_programs: bool,
    /// Explanations, origins, warnings and errors may show what was decrypted.
    pub may_show_secrets: bool,
}
