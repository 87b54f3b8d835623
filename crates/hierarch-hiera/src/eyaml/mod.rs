//! eyaml: values encrypted with PKCS7, as hiera-eyaml reads and writes them.
//!
//! `ENC[PKCS7,MII…]` stands for a text. Several may stand in one text, and blanks inside do not count.

pub mod edit;
pub mod exposed;
#[cfg(feature = "eyaml")]
mod pkcs7;
#[cfg(not(feature = "eyaml"))]
#[path = "without.rs"]
mod pkcs7;
mod token;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use hierarch_pcore::Hash;
use hierarch_source::{Files, Result};

use crate::{issues, path};

pub use pkcs7::{Keys, create_keys, decrypt, encrypt};
pub(crate) use token::may_be_encrypted;
pub use token::{Passage, passages};

/// What stands for a decrypted value where only its owner may see it.
pub const HIDDEN: &str = "[decrypted value hidden]";

/// Why a value stays closed.
pub(crate) enum Obstacle {
    /// There is no such scheme, which Ruby says in its own words.
    NoScheme(String),
    /// The key or the value is wrong.
    Wrong(String),
}

impl From<String> for Obstacle {
    fn from(cause: String) -> Self {
        Self::Wrong(cause)
    }
}

/// Returns a text encrypted in one line.
pub fn token_of(certificate: &str, text: &str) -> Result<String> {
    let bytes = encrypt(certificate, text.as_bytes()).map_err(|cause| issues::eyaml(&cause))?;
    Ok(format!("ENC[PKCS7,{}]", token::base64(&bytes)))
}

/// Decrypts, each value at most once.
#[derive(Default)]
pub(crate) struct Vault {
    opened: Mutex<HashMap<(String, String), String>>,
}

/// Where keys are looked for.
pub(crate) struct KeySource<'a> {
    pub(crate) options: &'a Hash,
    pub(crate) files: &'a dyn Files,
    pub(crate) variables: &'a HashMap<String, String>,
    /// The environment's: relative paths that lead nowhere from the folder of the process are tried from there.
    pub(crate) folder: Option<&'a str>,
}

impl Vault {
    /// Replaces the tokens of a text, and tells what each of them was.
    pub(crate) fn open(
        &self,
        text: &str,
        keys: &KeySource,
        mut note: impl FnMut(&str),
    ) -> std::result::Result<String, Obstacle> {
        let mut out = String::new();
        for part in passages(text) {
            match part {
                Passage::Text(text) => out.push_str(text),
                Passage::Token { scheme, data, .. } => {
                    let opened = self.open_token(scheme, &data, keys)?;
                    note(&opened);
                    out.push_str(&opened);
                }
            }
        }
        // Ruby's chomp: one newline goes.
        let end =
            out.strip_suffix('\n').map_or(out.len(), |rest| rest.strip_suffix('\r').unwrap_or(rest).len());
        out.truncate(end);
        Ok(out)
    }

    fn open_token(
        &self,
        scheme: Option<&str>,
        data: &str,
        keys: &KeySource,
    ) -> std::result::Result<String, Obstacle> {
        let default = keys.option("encrypt_method").unwrap_or_else(|| "pkcs7".to_owned());
        let scheme = scheme.map_or(default, str::to_owned).to_lowercase();
        if scheme != "pkcs7" {
            return Err(Obstacle::NoScheme(scheme));
        }
        let key = keys.private_key()?;
        let id = (key, data.to_owned());
        if let Some(known) = self.opened.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Ok(known.clone());
        }
        let bytes = token::from_base64(data);
        let text = String::from_utf8_lossy(&decrypt(&id.0, &bytes)?).into_owned();
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).insert(id, text.clone());
        Ok(text)
    }
}

impl KeySource<'_> {
    fn option(&self, name: &str) -> Option<String> {
        self.options.get_str(name).map(ToString::to_string)
    }

    fn private_key(&self) -> std::result::Result<String, String> {
        if let Some(name) = self.option("pkcs7_private_key_env_var") {
            return self.variables.get(&name).cloned().ok_or_else(|| format!("env {name} is not set"));
        }
        let path = self.option("pkcs7_private_key").ok_or("pkcs7_private_key is not defined")?;
        let is_missing = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
        match (self.files.read(path.as_ref()), self.folder) {
            (Ok(bytes), _) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            (Err(error), Some(folder)) if is_missing(&error) && !path.starts_with('/') => self
                .files
                .read(path::join(folder, &path).as_ref())
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                .map_err(|_| issues::no_key_file_text(&path, Some(folder))),
            (Err(error), _) if is_missing(&error) => Err(issues::no_key_file_text(&path, None)),
            (Err(error), _) => Err(format!("{error} @ rb_sysopen - {path}")),
        }
    }
}
