//! The lookup plugin `password`: a text made by chance, or by a seed, which gives the text that Ansible makes of it.

use hierarch_bits::Twister;
use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use super::lookups::read;
use crate::expr::scope::Scope;
use crate::expr::{issues, python};
use crate::template;

/// The file that keeps nothing: every question makes a password.
const NOWHERE: &str = "/dev/null";

/// No password is longer than this.
const LONGEST: usize = 100_000;

/// The letters that a name stands for in Python's module `string`.
const NAMES: &[(&str, &str)] = &[
    ("ascii_lowercase", "abcdefghijklmnopqrstuvwxyz"),
    ("ascii_uppercase", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ("ascii_letters", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ("digits", "0123456789"),
    ("hexdigits", "0123456789abcdefABCDEF"),
    ("octdigits", "01234567"),
    ("punctuation", "!#$%&()*+,-./:;<=>?@[\\]^_`{|}~"),
    ("whitespace", " \t\n\r\u{b}\u{c}"),
    (
        "printable",
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&()*+,-./:;<=>?@[\\]^_`{|}~ \t\n\r\u{b}\u{c}",
    ),
];

/// Makes a password, or reads the one that a file keeps: `/dev/null length=12 chars=ascii_letters,digits seed=web01`.
pub(super) fn password(scope: &Scope, term: &str, options: &Hash) -> Result<Value> {
    let mut words = term.split_whitespace();
    let path = words.next().unwrap_or_default();
    let mut settings = options.clone();
    for word in words {
        let (name, value) =
            word.split_once('=').ok_or_else(|| wrong(&format!("does not understand {word}")))?;
        if !["length", "encrypt", "chars", "ident", "seed"].contains(&name) {
            return Err(wrong(&format!("has no parameter {name}")));
        }
        settings.insert(name, Value::from(value.trim_matches(['"', '\''])));
    }
    if settings.get_str("encrypt").is_some_and(python::is_true) {
        return Err(wrong("does not encrypt here: use the filter password_hash"));
    }
    if path == NOWHERE { made(scope, &settings) } else { kept(scope, path) }
}

fn wrong(what: &str) -> hierarch_source::Error {
    issues::wrong_lookup("password", what)
}

/// The password of a file, without the salt that may stand behind it. None is written.
fn kept(scope: &Scope, path: &str) -> Result<Value> {
    if scope.world.safe {
        return Err(issues::function_unsafe("password"));
    }
    let text = read(scope, &Value::from(path))?;
    let text = text.trim_end();
    Ok(text.rsplit_once(" salt=").map_or(text, |(password, _)| password).into())
}

fn made(scope: &Scope, settings: &Hash) -> Result<Value> {
    let length = match settings.get_str("length") {
        None => 20,
        Some(length) => python::text(length).trim().parse().map_err(|_| wrong("needs a number as length"))?,
    };
    if length > LONGEST {
        return Err(wrong(&format!("makes no more than {LONGEST} letters")));
    }
    let letters = letters(settings.get_str("chars"));
    if letters.is_empty() {
        return Err(wrong("has no letters to choose from"));
    }
    let mut chance = settings.get_str("seed").filter(|seed| **seed != Value::Undef).map(template::seeded);
    let mut password = String::new();
    for _ in 0..length {
        scope.world.step()?;
        password.push(letters[below(scope, chance.as_mut(), letters.len())?]);
    }
    Ok(password.into())
}

/// The letters to choose from: names and letters, with commas between them; quotes are none.
fn letters(chars: Option<&Value>) -> Vec<char> {
    let given: Vec<String> = match chars {
        None => ["ascii_letters", "digits", ".,:-_"].map(str::to_owned).to_vec(),
        Some(Value::Array(items)) => items.iter().map(python::text).collect(),
        Some(text) => {
            let text = python::text(text);
            let comma = text.contains(",,").then(|| ",".to_owned());
            let parts = text.replace(",,", ",");
            let parts = parts.split(',').filter(|part| !part.is_empty()).map(str::to_owned);
            comma.into_iter().chain(parts).collect()
        }
    };
    let meant = |part: &String| {
        let known = NAMES.iter().find(|(name, _)| name == part);
        known.map_or_else(|| part.clone(), |(_, letters)| (*letters).to_owned())
    };
    given.iter().map(meant).collect::<String>().chars().filter(|letter| !"\"'".contains(*letter)).collect()
}

/// Chooses a number below a bound, as Python does: numbers with as many bits are tried until one fits.
fn below(scope: &Scope, mut seeded: Option<&mut Twister>, bound: usize) -> Result<usize> {
    let bits = usize::BITS - bound.leading_zeros();
    loop {
        scope.world.step()?;
        let word = if let Some(twister) = seeded.as_deref_mut() {
            twister.word()
        } else {
            let mut bytes = [0; 4];
            scope.world.host.random(&mut bytes)?;
            u32::from_le_bytes(bytes)
        };
        let number = (word >> (32 - bits.min(32))) as usize;
        if number < bound {
            return Ok(number);
        }
    }
}
