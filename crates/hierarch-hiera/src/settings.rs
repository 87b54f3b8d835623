//! The settings that change what a lookup does.

use std::collections::HashMap;

/// How strictly doubtful things are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strict {
    /// They pass.
    Off,
    /// They are warned of.
    Warning,
    /// They are errors.
    #[default]
    Error,
}

impl Strict {
    /// Reads the setting as it is written in puppet.conf.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "off" => Some(Self::Off),
            "warning" => Some(Self::Warning),
            "error" => Some(Self::Error),
            _ => None,
        }
    }
}

/// How many bytes a data file may have, unless somebody says otherwise.
pub const LARGEST_FILE: u64 = 256 << 20;

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How undefined variables and odd files are treated.
    pub strict: Strict,
    /// Where Puppet keeps its environments; version 3 of hiera.yaml needs it.
    pub codedir: String,
    /// Environment variables, from which eyaml may take its keys.
    pub variables: HashMap<String, String>,
    /// How many bytes a data file may have.
    pub largest_file: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            strict: Strict::default(),
            codedir: "/etc/puppetlabs/code".to_owned(),
            variables: HashMap::new(),
            largest_file: LARGEST_FILE,
        }
    }
}
