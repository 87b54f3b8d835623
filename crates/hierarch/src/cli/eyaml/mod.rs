//! `hierarch eyaml`: keys and encrypted values, interchangeable with hiera-eyaml's.

#[cfg(feature = "git")]
mod check;
mod config;
mod edit;
mod rotate;

use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use hierarch_hiera::eyaml;
use hierarch_source::{Error, FileChange};

use self::config::{EyamlSettings, KeyArguments};
use crate::cli::failure::Failure;
use crate::cli::issues;
use crate::cli::saving::save_files;

/// The version of hiera-eyaml whose ways these are.
const ORIGINAL: &str = "4.2.0";

#[derive(Args)]
#[command(after_help = "Options may also stand in configuration files, as in `pkcs7_private_key: FILE`: \
/etc/eyaml/config.yaml, ~/.eyaml/config.yaml, .eyaml/config.yaml and the one that the environment variable \
EYAML_CONFIG names; later ones count more, and options given count most. Keys may come from environment \
variables: see --pkcs7-private-key-env-var and --pkcs7-public-key-env-var.")]
pub(crate) struct EyamlArguments {
    #[command(subcommand)]
    command: EyamlCommand,
}

#[derive(Subcommand)]
enum EyamlCommand {
    /// Make a pair of keys
    Createkeys(CreateArguments),
    /// Encrypt a text, or what is marked in a file
    Encrypt(EncryptArguments),
    /// Decrypt a text or the values in a file
    Decrypt(DecryptArguments),
    /// Edit a file with its values decrypted
    Edit(edit::EditArguments),
    /// Encrypt all values of a file anew
    Recrypt(rotate::RecryptArguments),
    /// Encrypt all values of files anew, for another key
    Rotate(rotate::RotateArguments),
    /// Find secrets that what is staged in git would commit in clear
    #[cfg(feature = "git")]
    Check(check::CheckArguments),
    /// Say which eyaml this is
    Version,
}

#[derive(Args)]
struct CreateArguments {
    #[command(flatten)]
    keys: KeyArguments,
}

#[derive(Args)]
struct EncryptArguments {
    #[command(flatten)]
    keys: KeyArguments,
    #[command(flatten)]
    text: TextArguments,
    /// The text is a password, asked for on the terminal
    #[arg(short, long, group = "source")]
    password: bool,
    /// A key to write in front
    #[arg(short, long)]
    label: Option<String>,
    /// How to write the value: examples (both ways), string (in one line) or block (over several)
    /// [default: examples]
    #[arg(short, long, value_name = "FORM")]
    output: Option<String>,
}

#[derive(Args)]
#[group(id = "source", required = true, multiple = false)]
struct TextArguments {
    /// The text
    #[arg(short, long, value_name = "TEXT")]
    string: Option<String>,
    /// A file with the text
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A file with values: encrypted ones as ENC[…], others as DEC::PKCS7[…]!
    #[arg(short, long, value_name = "FILE")]
    eyaml: Option<PathBuf>,
    /// The text comes from standard input
    #[arg(long)]
    stdin: bool,
}

#[derive(Args)]
struct DecryptArguments {
    #[command(flatten)]
    keys: KeyArguments,
    #[command(flatten)]
    text: TextArguments,
}

pub(crate) fn run(arguments: &EyamlArguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        EyamlCommand::Createkeys(arguments) => create(arguments)?,
        EyamlCommand::Encrypt(arguments) => encrypt(arguments)?,
        EyamlCommand::Decrypt(arguments) => decrypt(arguments)?,
        EyamlCommand::Edit(arguments) => edit::run(arguments)?,
        EyamlCommand::Recrypt(arguments) => rotate::recrypt(arguments)?,
        EyamlCommand::Rotate(arguments) => rotate::rotate(arguments)?,
        #[cfg(feature = "git")]
        EyamlCommand::Check(arguments) => return check::run(arguments),
        EyamlCommand::Version => {
            print(&format!("hierarch {} (as hiera-eyaml {ORIGINAL})\n", env!("CARGO_PKG_VERSION")))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns where the public key is, if nothing else says it.
pub(crate) fn default_public_key() -> Result<PathBuf, Failure> {
    Ok(KeyArguments::default().settings()?.public_file())
}

fn create(arguments: &CreateArguments) -> Result<(), Failure> {
    let settings = arguments.keys.settings()?;
    let (private, public) = (settings.private_file(), settings.public_file());
    for path in [&private, &public] {
        if path.exists() {
            return Err(issues::key_is_there(path));
        }
    }
    let keys = eyaml::create_keys(settings.bits()?).map_err(|why| Failure::told(&why))?;
    save_files(&[
        FileChange::create(&private, keys.private.as_bytes()).private(),
        FileChange::create(&public, keys.public.as_bytes()),
    ])?;
    print("Keys created OK\n")
}

fn encrypt(arguments: &EncryptArguments) -> Result<(), Failure> {
    let settings = arguments.keys.settings()?;
    let text = if arguments.password { password()? } else { arguments.text.read()? };
    let public = settings.public_key()?;
    if arguments.text.eyaml.is_some() {
        let closed = eyaml::edit::encrypt_marked(&text, |secret| eyaml::token_of(&public, secret));
        return print_line(&closed.map_err(told)?);
    }
    let token = eyaml::token_of(&public, &text).map_err(told)?;
    let label = arguments.label.clone().or_else(|| settings.option("label"));
    let output = arguments.output.clone().or_else(|| settings.option("output"));
    print_line(&written(&token, label.as_deref(), output.as_deref().unwrap_or("examples")))
}

/// Writes a value in the form that is asked for; an unknown one is a line without a label, as eyaml has it.
fn written(token: &str, label: Option<&str>, form: &str) -> String {
    let labelled = |label: Option<&str>| label.map_or_else(String::new, |label| format!("{label}: "));
    let line = |label: Option<&str>| format!("{}{token}", labelled(label));
    let block = |label: Option<&str>| {
        let lines = eyaml::edit::in_lines(token, "  ");
        let head = label.map_or_else(String::new, |label| format!("{label}: >\n"));
        format!("{head}  {lines}")
    };
    match form {
        "examples" => {
            format!("{}\n\nOR\n\n{}", line(label.or(Some("string"))), block(label.or(Some("block"))))
        }
        "block" => block(label),
        "string" => line(label),
        _ => line(None),
    }
}

fn decrypt(arguments: &DecryptArguments) -> Result<(), Failure> {
    let settings = arguments.keys.settings()?;
    let text = arguments.text.read()?;
    let open = opener(&settings);
    let out = if arguments.text.eyaml.is_some() {
        eyaml::edit::decrypt_marked(&text, open)
    } else {
        eyaml::edit::decrypt_all(&text, open)
    };
    print_line(&out.map_err(told)?)
}

/// Returns what decrypts; the key is read when a value needs it.
fn opener(settings: &EyamlSettings) -> impl Fn(&str) -> hierarch_source::Result<String> {
    let key = settings.private_key().map_err(|failure| failure.to_string());
    let place = settings.private_key_place();
    move |data| {
        let key = key.as_ref().map_err(issues::eyaml)?;
        let bytes = hierarch_pcore::value::Binary::from_base64_lenient(data);
        let secret =
            eyaml::decrypt(key, bytes.bytes()).map_err(|why| issues::key_does_not_open(&why, &place))?;
        Ok(String::from_utf8_lossy(&secret).into_owned())
    }
}

fn told(error: Error) -> Failure {
    Failure::from(error)
}

impl TextArguments {
    fn read(&self) -> Result<String, Failure> {
        if let Some(text) = &self.string {
            return Ok(text.clone());
        }
        match self.file.as_ref().or(self.eyaml.as_ref()) {
            Some(path) => read(path),
            None => standard_input(),
        }
    }
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let failure = |error: &std::io::Error| Failure::io("read", Path::new("standard input"), error);
    std::io::stdin().read_to_string(&mut text).map_err(|error| failure(&error))?;
    Ok(text)
}

/// Asks for a password; where nobody can be asked, the first line of standard input is it.
fn password() -> Result<String, Failure> {
    if std::io::stdin().is_terminal() {
        let asked = rpassword::prompt_password("Enter password: ");
        return asked.map_err(|error| Failure::io("read", Path::new("the password"), &error));
    }
    Ok(standard_input()?.lines().next().unwrap_or_default().to_owned())
}

fn read(path: &Path) -> Result<String, Failure> {
    super::input::text(path)
}

/// Prints a text that ends its line.
fn print_line(text: &str) -> Result<(), Failure> {
    print(&if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") })
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_written_as_the_original_writes_it() {
        let token = format!("ENC[PKCS7,{}]", "A".repeat(60));
        let block = format!("  ENC[PKCS7,{}\n  {}]", "A".repeat(50), "A".repeat(10));
        for (label, form, expected) in [
            (None, "string", token.clone()),
            (Some("k"), "string", format!("k: {token}")),
            (None, "block", block.clone()),
            (Some("k"), "block", format!("k: >\n{block}")),
            (None, "examples", format!("string: {token}\n\nOR\n\nblock: >\n{block}")),
            (Some("k"), "examples", format!("k: {token}\n\nOR\n\nk: >\n{block}")),
            (Some("k"), "bogus", token.clone()),
        ] {
            assert_eq!(written(&token, label, form), expected, "{label:?} {form}");
        }
    }
}
