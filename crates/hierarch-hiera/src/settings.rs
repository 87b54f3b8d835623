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

/// How many bytes a data file may have, unless the settings say otherwise.
pub const LARGEST_FILE: u64 = 256 << 20;

/// How much one lookup may use before it is stopped with an error that names the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LookupLimits {
    /// How many tokens it may fill in, and how many names patterns may look at.
    pub steps: u64,
    /// How many bytes of text its tokens may make.
    pub size: usize,
}

impl Default for LookupLimits {
    fn default() -> Self {
        Self { steps: 500_000, size: 50_000_000 }
    }
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct LookupSettings {
    /// How undefined variables and odd files are treated.
    pub strict: Strict,
    /// Where Puppet keeps its environments; version 3 of hiera.yaml needs it.
    pub codedir: String,
    /// Environment variables, from which eyaml may take its keys.
    pub variables: HashMap<String, String>,
    /// How many bytes a data file may have.
    pub largest_file: u64,
    /// How much one lookup may use.
    pub limits: LookupLimits,
}

impl Default for LookupSettings {
    fn default() -> Self {
        Self {
            strict: Strict::default(),
            codedir: "/etc/puppetlabs/code".to_owned(),
            variables: HashMap::new(),
            largest_file: LARGEST_FILE,
            limits: LookupLimits::default(),
        }
    }
}
