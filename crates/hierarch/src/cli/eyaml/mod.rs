//! `hierarch eyaml`: keys and encrypted values, interchangeable with hiera-eyaml's.

mod edit;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use hierarch_hiera::eyaml::{self, Part, parts};
use hierarch_source::FileChange;

use crate::cli::failure::Failure;
use crate::cli::saving::save_files;

#[derive(Args)]
pub(crate) struct EyamlArguments {
    #[command(subcommand)]
    command: EyamlCommand,
}

#[derive(Subcommand)]
enum EyamlCommand {
    /// Make a pair of keys
    Createkeys(CreateArguments),
    /// Encrypt a text
    Encrypt(EncryptArguments),
    /// Decrypt a text or the values in a file
    Decrypt(DecryptArguments),
    /// Edit a file with its values decrypted
    Edit(edit::EditArguments),
    /// Encrypt all values of a file anew, for another key
    Rotate(RotateArguments),
}

#[derive(Args)]
struct KeyArguments {
    /// The file of the private key
    #[arg(long = "pkcs7-private-key", value_name = "FILE", default_value = "./keys/private_key.pkcs7.pem")]
    private: PathBuf,
    /// The file of the public key
    #[arg(long = "pkcs7-public-key", value_name = "FILE", default_value = "./keys/public_key.pkcs7.pem")]
    public: PathBuf,
}

#[derive(Args)]
struct CreateArguments {
    #[command(flatten)]
    keys: KeyArguments,
    /// The length of the key in bits
    #[arg(long = "pkcs7-keysize", value_name = "BITS", default_value_t = 2048)]
    bits: usize,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct TextArguments {
    /// The text
    #[arg(short, long, value_name = "TEXT")]
    string: Option<String>,
    /// A file with the text
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// An eyaml file
    #[arg(short, long, value_name = "FILE")]
    eyaml: Option<PathBuf>,
    /// The text comes from standard input
    #[arg(long)]
    stdin: bool,
}

#[derive(Args)]
struct EncryptArguments {
    #[command(flatten)]
    keys: KeyArguments,
    #[command(flatten)]
    text: TextArguments,
    /// A key to write in front
    #[arg(short, long)]
    label: Option<String>,
    /// How to write the value
    #[arg(short, long, value_enum, default_value_t = Output::Examples)]
    output: Output,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// Both forms
    Examples,
    /// In one line
    String,
    /// Over several lines
    Block,
}

#[derive(Args)]
struct DecryptArguments {
    #[command(flatten)]
    keys: KeyArguments,
    #[command(flatten)]
    text: TextArguments,
}

#[derive(Args)]
struct RotateArguments {
    #[command(flatten)]
    keys: KeyArguments,
    /// The file of the new public key
    #[arg(long, value_name = "FILE")]
    new_public_key: PathBuf,
    /// The eyaml files to rewrite
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &EyamlArguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        EyamlCommand::Createkeys(arguments) => create(arguments)?,
        EyamlCommand::Encrypt(arguments) => encrypt(arguments)?,
        EyamlCommand::Decrypt(arguments) => decrypt(arguments)?,
        EyamlCommand::Edit(arguments) => edit::run(arguments)?,
        EyamlCommand::Rotate(arguments) => rotate(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn create(arguments: &CreateArguments) -> Result<(), Failure> {
    for path in [&arguments.keys.private, &arguments.keys.public] {
        if path.exists() {
            return Err(Failure::new(format!("{} is there already; remove it first", path.display())));
        }
    }
    let keys = eyaml::create_keys(arguments.bits).map_err(Failure::new)?;
    save_files(&[
        FileChange::create(&arguments.keys.private, keys.private.as_bytes()).private(),
        FileChange::create(&arguments.keys.public, keys.public.as_bytes()),
    ])?;
    print("Keys created OK\n")
}

fn encrypt(arguments: &EncryptArguments) -> Result<(), Failure> {
    let text = arguments.text.read()?;
    let public = read(&arguments.keys.public)?;
    let token = eyaml::token_of(&public, &text).map_err(|error| Failure::new(error.to_string()))?;
    let label = arguments.label.as_ref().map_or_else(String::new, |label| format!("{label}: "));
    let block = format!("{label}>\n    {}", eyaml::edit::in_lines(&token, "    "));
    print(&match arguments.output {
        Output::String => format!("{label}{token}\n"),
        Output::Block => format!("{block}\n"),
        Output::Examples => format!("string: {token}\n\nOR\n\nblock: {}\n", block.trim_start_matches(&label)),
    })
}

fn decrypt(arguments: &DecryptArguments) -> Result<(), Failure> {
    let text = arguments.text.read()?;
    let private = read(&arguments.keys.private)?;
    let out = replaced(&text, |token| open(&private, token))?;
    print(&if out.ends_with('\n') { out } else { out + "\n" })
}

fn rotate(arguments: &RotateArguments) -> Result<(), Failure> {
    let private = read(&arguments.keys.private)?;
    let public = read(&arguments.new_public_key)?;
    for path in &arguments.files {
        let text = read(path)?;
        let out = replaced(&text, |token| {
            let secret = open(&private, token)?;
            eyaml::token_of(&public, &secret).map_err(|error| Failure::new(error.to_string()))
        })?;
        save_files(&[FileChange::replace(path, text.as_bytes(), out.as_bytes())])?;
    }
    Ok(())
}

/// Replaces each encrypted value in a text.
fn replaced(text: &str, change: impl Fn(&str) -> Result<String, Failure>) -> Result<String, Failure> {
    let mut out = String::new();
    for part in parts(text) {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Token { scheme: None | Some("PKCS7"), data, .. } => out.push_str(&change(&data)?),
            Part::Token { scheme, .. } => {
                let scheme = scheme.unwrap_or_default();
                return Err(Failure::new(format!("values encrypted with {scheme} cannot be read")));
            }
        }
    }
    Ok(out)
}

fn open(private: &str, data: &str) -> Result<String, Failure> {
    let bytes = hierarch_pcore::value::Binary::from_base64_lenient(data);
    let secret = eyaml::decrypt(private, bytes.bytes()).map_err(Failure::new)?;
    Ok(String::from_utf8_lossy(&secret).into_owned())
}

impl TextArguments {
    fn read(&self) -> Result<String, Failure> {
        if let Some(text) = &self.string {
            return Ok(text.clone());
        }
        if let Some(path) = self.file.as_ref().or(self.eyaml.as_ref()) {
            return read(path);
        }
        let mut text = String::new();
        let failure = |error: &std::io::Error| Failure::io("read", Path::new("standard input"), error);
        std::io::stdin().read_to_string(&mut text).map_err(|error| failure(&error))?;
        Ok(text)
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}
