//! Encrypting anew what is encrypted: with the same keys, or for another one.

use std::path::{Path, PathBuf};

use clap::Args;
use hierarch_hiera::eyaml;

use super::config::KeyArguments;
use super::{opener, read, told};
use crate::cli::failure::{Failure, Stop};
use crate::cli::issues;
use crate::cli::saving::{self, ChangedFiles, Retry};

#[derive(Args)]
pub(super) struct RecryptArguments {
    #[command(flatten)]
    keys: KeyArguments,
    /// How the values shall be encrypted: pkcs7 is the only way
    #[arg(short = 'd', long, value_name = "METHOD", default_value = "pkcs7")]
    change_encryption: String,
    /// The file
    file: PathBuf,
}

#[derive(Args)]
pub(super) struct RotateArguments {
    #[command(flatten)]
    keys: KeyArguments,
    /// The file of the new public key
    #[arg(long, value_name = "FILE")]
    new_public_key: PathBuf,
    /// The files to rewrite
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(super) fn recrypt(arguments: &RecryptArguments) -> Result<(), Failure> {
    if !arguments.change_encryption.eq_ignore_ascii_case("pkcs7") {
        return Err(issues::unknown_method(&arguments.change_encryption));
    }
    let public = arguments.keys.settings()?.public_key()?;
    encrypt_anew(&arguments.keys, &public, std::slice::from_ref(&arguments.file))
}

pub(super) fn rotate(arguments: &RotateArguments) -> Result<(), Failure> {
    encrypt_anew(&arguments.keys, &read(&arguments.new_public_key)?, &arguments.files)
}

/// Rewrites all files or none, so that no half of them needs the old key and the other half the new one.
fn encrypt_anew(keys: &KeyArguments, public: &str, files: &[PathBuf]) -> Result<(), Failure> {
    let settings = keys.settings()?;
    let open = opener(&settings);
    let anew = |path: &Path| -> Result<(String, String), Failure> {
        let text = read(path)?;
        let new = eyaml::edit::encrypt_again(&text, &open, |secret| eyaml::token_of(public, secret));
        Ok((text, new.map_err(|error| told(issues::eyaml_in(path, error)))?))
    };
    let plan = || -> Result<ChangedFiles, Stop> {
        let texts = files.iter().map(|path| {
            let (old, new) = anew(path)?;
            Ok((path.clone(), (Some(old), new)))
        });
        texts.collect()
    };
    match saving::write(Retry::Yes, plan) {
        Ok(_) => Ok(()),
        Err(Stop::Failure(failure)) => Err(failure),
        Err(Stop::Problem(error) | Stop::Absent(error)) => Err(told(error)),
    }
}
