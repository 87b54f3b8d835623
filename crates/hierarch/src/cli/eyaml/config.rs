//! What `eyaml` is told besides its options: configuration files, and environment variables that hold keys.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use hierarch_source::{Source, nearest};
use hierarch_yaml::{Data, DocumentLimits, read_first, scalar_text};

use super::read;
use crate::cli::failure::Failure;
use crate::cli::issues;
use crate::cli::report::warning_line;

/// Options that all subcommands of eyaml know.
#[derive(Args, Default)]
pub(super) struct KeyArguments {
    /// The file of the private key [default: ./keys/private_key.pkcs7.pem]
    #[arg(long = "pkcs7-private-key", value_name = "FILE")]
    private: Option<PathBuf>,
    /// The file of the public key [default: ./keys/public_key.pkcs7.pem]
    #[arg(long = "pkcs7-public-key", value_name = "FILE")]
    public: Option<PathBuf>,
    /// The environment variable that holds the private key; it counts more than a file
    #[arg(long = "pkcs7-private-key-env-var", value_name = "NAME")]
    private_variable: Option<String>,
    /// The environment variable that holds the public key; it counts more than a file
    #[arg(long = "pkcs7-public-key-env-var", value_name = "NAME")]
    public_variable: Option<String>,
    /// The length of new keys in bits [default: 2048]
    #[arg(long = "pkcs7-keysize", value_name = "BITS")]
    bits: Option<usize>,
    /// How values are encrypted: pkcs7 is the only way [default: pkcs7]
    #[arg(short = 'n', long, value_name = "METHOD")]
    encrypt_method: Option<String>,
    /// Taken as eyaml takes it; there is nothing more to say
    #[arg(short, long, hide = true)]
    verbose: bool,
    /// Taken as eyaml takes it; there is nothing more to say
    #[arg(short, long, hide = true)]
    trace: bool,
    /// Taken as eyaml takes it; there is nothing less to say
    #[arg(short, long, hide = true)]
    quiet: bool,
}

/// Options and configuration files together.
pub(super) struct EyamlSettings<'a> {
    arguments: &'a KeyArguments,
    configured: BTreeMap<String, String>,
}

impl KeyArguments {
    /// Reads the configuration files; what is wrong with a method is told before anything is done.
    pub(super) fn settings(&self) -> Result<EyamlSettings<'_>, Failure> {
        let settings = EyamlSettings { arguments: self, configured: configured()? };
        let method = self.encrypt_method.clone().or_else(|| settings.option("encrypt_method"));
        match method {
            Some(method) if !method.eq_ignore_ascii_case("pkcs7") => Err(issues::unknown_method(&method)),
            _ => Ok(settings),
        }
    }
}

impl EyamlSettings<'_> {
    /// Returns what a configuration file says.
    pub(super) fn option(&self, name: &str) -> Option<String> {
        self.configured.get(name).cloned()
    }

    pub(super) fn private_file(&self) -> PathBuf {
        self.file(self.arguments.private.as_deref(), "pkcs7_private_key", "./keys/private_key.pkcs7.pem")
    }

    pub(super) fn public_file(&self) -> PathBuf {
        self.file(self.arguments.public.as_deref(), "pkcs7_public_key", "./keys/public_key.pkcs7.pem")
    }

    pub(super) fn private_key(&self) -> Result<String, Failure> {
        key(self.private_variable(), &self.private_file())
    }

    /// Where the private key is kept, in words.
    pub(super) fn private_key_place(&self) -> String {
        let file = || self.private_file().display().to_string();
        self.private_variable().map_or_else(file, |name| format!("${name}"))
    }

    fn private_variable(&self) -> Option<String> {
        self.arguments.private_variable.clone().or_else(|| self.option("pkcs7_private_key_env_var"))
    }

    pub(super) fn public_key(&self) -> Result<String, Failure> {
        let variable = self.arguments.public_variable.clone();
        key(variable.or_else(|| self.option("pkcs7_public_key_env_var")), &self.public_file())
    }

    /// Returns the length of new keys.
    pub(super) fn bits(&self) -> Result<usize, Failure> {
        match (self.arguments.bits, self.option("pkcs7_keysize")) {
            (Some(bits), _) => Ok(bits),
            (None, Some(text)) => text.parse().map_err(|_| issues::bad_keysize(&text)),
            (None, None) => Ok(2048),
        }
    }

    fn file(&self, given: Option<&Path>, name: &str, default: &str) -> PathBuf {
        given.map(Path::to_owned).or_else(|| self.option(name).map(PathBuf::from)).unwrap_or(default.into())
    }
}

/// Reads a key from where it is kept.
fn key(variable: Option<String>, file: &Path) -> Result<String, Failure> {
    let Some(name) = variable else { return read(file) };
    std::env::var(&name).map_err(|_| issues::variable_not_set(&name))
}

/// The options that are understood; what other plugins of eyaml have is not our business.
const KNOWN: [&str; 6] = [
    "encrypt_method",
    "pkcs7_keysize",
    "pkcs7_private_key",
    "pkcs7_private_key_env_var",
    "pkcs7_public_key",
    "pkcs7_public_key_env_var",
];

/// Reads the configuration files that are there; later ones count more.
fn configured() -> Result<BTreeMap<String, String>, Failure> {
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".eyaml/config.yaml"));
    let named = std::env::var_os("EYAML_CONFIG").map(PathBuf::from);
    let global = PathBuf::from("/etc/eyaml/config.yaml");
    if let Some(file) = named.as_ref().filter(|file| !file.is_file()) {
        warning_line(&issues::no_eyaml_config(file));
    }
    let files = [Some(global), home, Some(".eyaml/config.yaml".into()), named];
    let mut all = BTreeMap::new();
    for file in files.into_iter().flatten().filter(|file| file.is_file()) {
        all.extend(options_of(&file)?);
    }
    Ok(all)
}

fn options_of(file: &Path) -> Result<Vec<(String, String)>, Failure> {
    let broken = |error: hierarch_source::Error| issues::bad_eyaml_config(file, &error);
    let source = Source::new(file.display().to_string(), read(file)?);
    let tree = read_first(&source, DocumentLimits::default()).map_err(broken)?;
    let Some(root) = tree.root() else { return Ok(Vec::new()) };
    let Data::Map(entries) = tree.data(root, DocumentLimits::default()).map_err(broken)? else {
        return Err(broken(issues::eyaml_config_not_a_map()));
    };
    let option = |(key, value): (Data, Data)| match (key, value) {
        (Data::Scalar(key), Data::Scalar(value)) => Some((scalar_text(&key), scalar_text(&value))),
        _ => None,
    };
    let options: Vec<(String, String)> = entries.into_iter().filter_map(option).collect();
    for (name, _) in options.iter().filter(|(name, _)| !KNOWN.contains(&name.as_str())) {
        let near = nearest(name, KNOWN.iter().copied());
        if !near.is_empty() {
            warning_line(&issues::unknown_eyaml_option(file, name, &near));
        }
    }
    Ok(options)
}
