//! Labels: texts made fit to be names elsewhere, short enough and still different from each other.

use std::sync::Arc;

use hierarch_pcore::regex::Regexp;
use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;
use sha1::{Digest, Sha1};

use super::Example::{Fails, Gives};
use super::{Call, Function, Matches, function};
use crate::expr::{issues, python};

pub(super) static FUNCTIONS: &[Function] = &[
    function(
        "to_label",
        "Makes a text, a list or the keys and values of a map fit to be names: options `allowed`, `replace`, `start`, \
         `start_prepend`, `end`, `case`, `max`, `sep`, `digestlen`, `digest`.",
        |call| label(call, &PLAIN),
    )
    .examples(&[
        Gives("{to_label: '1 a-b'}", "'x1ab'"),
        Gives("{to_label: [a, b c], sep: _}", "'a_bc'"),
        Fails("{to_label: a, max: b}", "expects an integer"),
    ]),
    function("to_dns_label", "Makes a label that domain names accept.", |call| label(call, &DNS))
        .examples(&[Gives("{to_dns_label: My_Host}", "'my--host'")]),
    function("to_kubernetes_label", "Makes a label that Kubernetes accepts.", |call| label(call, &KUBERNETES))
        .examples(&[Gives("{to_kubernetes_label: a b}", "'a__b'")]),
    function("to_googlecloud_label", "Makes a label that Google Cloud accepts.", |call| label(call, &GOOGLE))
        .examples(&[Gives("{to_googlecloud_label: A.b}", "'a__b'")]),
];

/// What a kind of label asks for.
struct Preset {
    allowed: &'static str,
    start: &'static str,
    end: Option<&'static str>,
    replace: &'static str,
    case: &'static str,
}

static PLAIN: Preset = Preset { allowed: r"\w", start: "a-zA-Z", end: None, replace: "", case: "any" };
static DNS: Preset =
    Preset { allowed: "a-zA-Z0-9-", start: "a-zA-Z", end: Some("a-zA-Z0-9"), replace: "--", case: "lower" };
static KUBERNETES: Preset =
    Preset { allowed: r"\w.-", start: "a-zA-Z0-9", end: Some("a-zA-Z0-9"), replace: "__", case: "any" };
static GOOGLE: Preset = Preset { allowed: r"\w-", start: "a-zA-Z", end: None, replace: "__", case: "lower" };

/// The rules of one call.
#[derive(Clone)]
struct Rules {
    allowed: Class,
    start: Class,
    end: Option<Class>,
    replace: String,
    start_prepend: String,
    separator: String,
    case: String,
    /// How long a label may be.
    max: usize,
    /// How much of a digest tells shortened labels apart.
    digest_length: usize,
    /// What goes into every digest; with it, a digest stands behind every label.
    digest: Option<String>,
}

/// Parts of a list are cut only to this length before they are joined.
const WHOLE_PART: usize = 9999;

/// Halves of a label that are no longer than this are not recognised.
const SHORT_HALF: usize = 4;

fn label(call: &Call, preset: &Preset) -> Result<Matches> {
    let rules = Rules::new(call, preset)?;
    Ok(rules.convert(&call.value()?)?.into())
}

impl Rules {
    fn new(call: &Call, preset: &Preset) -> Result<Self> {
        let given = |name: &str| -> Result<Option<String>> {
            Ok(call.named(name)?.filter(|value| !value.is_undef()).map(|value| python::text(&value)))
        };
        let text = |name: &str, default: &str| -> Result<String> {
            Ok(given(name)?.unwrap_or_else(|| default.to_owned()))
        };
        let class = |name: &str, default: &str| -> Result<Class> { Class::new(call, &text(name, default)?) };
        let end = given("end")?.or_else(|| preset.end.map(str::to_owned));
        let max = number(call, "max")?.unwrap_or(63);
        if max == 0 {
            return Err(issues::wrong_argument(call.name, "a max of at least 1", "0"));
        }
        Ok(Self {
            allowed: class("allowed", preset.allowed)?,
            start: class("start", preset.start)?,
            end: end.map(|end| Class::new(call, &end)).transpose()?,
            replace: text("replace", preset.replace)?,
            start_prepend: text("start_prepend", "x")?,
            separator: text("sep", "")?,
            case: text("case", preset.case)?,
            max,
            digest_length: number(call, "digestlen")?.unwrap_or(if max < 32 { 2 } else { 3 }),
            digest: given("digest")?,
        })
    }

    /// Makes labels of a text, of the parts of one, or of the keys and texts of a map. Anything else stays as it is.
    fn convert(&self, value: &Value) -> Result<Value> {
        match value {
            Value::Hash(map) => {
                let keys = Self { digest: None, ..self.clone() };
                let mut labels = Hash::new();
                for (key, value) in map.iter().filter(|(_, value)| !value.is_undef()) {
                    labels.insert(keys.convert(key)?, self.convert(value)?);
                }
                Ok(labels.into())
            }
            Value::Array(items) => {
                let parts: Vec<String> = items.iter().map(python::text).collect();
                Ok(self.joined(&parts)?.into())
            }
            Value::String(text) => Ok(self.one(text)?.into()),
            other => Ok(other.clone()),
        }
    }

    fn one(&self, text: &str) -> Result<String> {
        let label = self.cased(&self.cleaned(&self.started(text)?)?);
        let is_long = length(&label) > self.max;
        let digest_length = self.digest_length.min(self.max);
        if digest_length == 0 || !(is_long || self.digest.is_some()) {
            return Ok(self.shortened(&label, self.max));
        }
        let digest = self.digest_of(text, digest_length);
        Ok(self.shortened(&label, self.max - digest_length) + &digest)
    }

    /// Keeps the beginning and the end if both are long enough to be recognised.
    fn shortened(&self, text: &str, room: usize) -> String {
        let letters: Vec<char> = text.chars().collect();
        if letters.len() <= room {
            return text.to_owned();
        }
        let kept = room.saturating_sub(length(&self.replace));
        if kept <= 2 * SHORT_HALF {
            return letters[..room].iter().collect();
        }
        let (front, back) = (&letters[..kept.div_ceil(2)], &letters[letters.len() - kept / 2..]);
        let (front, back): (String, String) = (front.iter().collect(), back.iter().collect());
        format!("{front}{}{back}", self.replace)
    }

    /// Joins parts; where they are too long, the room is shared among them and a digest tells them apart.
    fn joined(&self, parts: &[String]) -> Result<String> {
        let Some(others) = parts.len().checked_sub(1) else { return Ok(String::new()) };
        let whole = Self { max: WHOLE_PART, digest_length: 0, digest: None, ..self.clone() };
        let labels = parts.iter().map(|part| whole.one(part)).collect::<Result<Vec<_>>>()?;
        let lengths = || labels.iter().map(|label| length(label));
        let room = self.max - (length(&self.separator) * others).min(self.max - 1);
        let cut = |text: &str, room: usize| text.chars().take(room).collect::<String>();
        if lengths().sum::<usize>() <= room && self.digest.is_none() {
            return Ok(cut(&labels.join(&self.separator), self.max));
        }
        let equal = (room / parts.len()).max(1);
        let spare: usize = lengths().map(|length| equal.saturating_sub(length)).sum();
        let share = equal + spare / parts.len();
        let short: Vec<String> = labels.iter().map(|label| self.shortened(label, share)).collect();
        let short = short.join(&self.separator);
        if self.digest_length == 0 {
            return Ok(cut(&short, self.max));
        }
        let digest_length = self.digest_length.min(self.max);
        let digest = self.digest_of(&parts.concat(), digest_length);
        match self.max.saturating_sub(length(&self.separator) + digest_length) {
            0 => Ok(digest),
            room => Ok(format!("{}{}{digest}", cut(&short, room), self.separator)),
        }
    }

    fn started(&self, text: &str) -> Result<String> {
        match text.chars().next() {
            Some(first) if !self.start.has(first)? => Ok(format!("{}{text}", self.start_prepend)),
            _ => Ok(text.to_owned()),
        }
    }

    /// Replaces what is not allowed, or leaves it out of what is too long anyway.
    fn cleaned(&self, text: &str) -> Result<String> {
        let replace = if length(text) > self.max { "" } else { &self.replace };
        let mut label = String::new();
        for c in text.chars() {
            if self.allowed.has(c)? { label.push(c) } else { label.push_str(replace) }
        }
        if let Some(end) = &self.end {
            while let Some(last) = label.chars().next_back()
                && !end.has(last)?
            {
                label.pop();
            }
        }
        Ok(label)
    }

    fn cased(&self, text: &str) -> String {
        match self.case.as_str() {
            "lower" => text.to_lowercase(),
            "upper" => text.to_uppercase(),
            _ => text.to_owned(),
        }
    }

    fn digest_of(&self, text: &str, most: usize) -> String {
        let hash = Sha1::digest(format!("{text}{}", self.digest.as_deref().unwrap_or_default()));
        let letters = match self.case.as_str() {
            // The last two letters of the alphabet are those that a label could not have.
            "any" => encoded(&hash, 6, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
                .replace(['-', '_'], ""),
            "lower" => encoded(&hash, 5, b"abcdefghijklmnopqrstuvwxyz234567"),
            _ => encoded(&hash, 5, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
        };
        letters.chars().take(most).collect()
    }
}

/// Reads a number; -1 is as good as none.
fn number(call: &Call, name: &str) -> Result<Option<usize>> {
    let wrong = |value: &Value| issues::wrong_argument(call.name, "an integer", &python::repr(value));
    match call.named(name)? {
        None | Some(Value::Undef | Value::Integer(-1)) => Ok(None),
        Some(value @ Value::Integer(number)) => usize::try_from(number).map(Some).map_err(|_| wrong(&value)),
        Some(other) => Err(wrong(&other)),
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// A class of characters: those of simple ones are looked up, for others there is a pattern.
#[derive(Clone)]
enum Class {
    Simple {
        ranges: Vec<(char, char)>,
        words: bool,
    },
    /// A pattern for all others.
    Others(Arc<Regexp>),
}

impl Class {
    fn new(call: &Call, text: &str) -> Result<Self> {
        let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        match Self::simple(text) {
            Some(simple) => Ok(simple),
            None => Ok(Self::Others(call.scope.world.regexp(&format!("[^{text}]"))?)),
        }
    }

    /// Reads letters, ranges and `\\w`; nothing if there is more to it.
    fn simple(text: &str) -> Option<Self> {
        let (mut ranges, mut words) = (Vec::new(), false);
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            rest = &rest[first.len_utf8()..];
            if first == '\\' {
                rest = rest.strip_prefix('w')?;
                words = true;
                continue;
            }
            if matches!(first, '^' | '[' | '&') {
                return None;
            }
            let mut following = rest.chars();
            match (following.next(), following.next()) {
                (Some('-'), Some(last)) if last != '\\' => {
                    ranges.push((first, last));
                    rest = &rest[1 + last.len_utf8()..];
                }
                _ => ranges.push((first, first)),
            }
        }
        Some(Self::Simple { ranges, words })
    }

    fn has(&self, c: char) -> Result<bool> {
        match self {
            Self::Simple { ranges, words } => Ok((*words && (c.is_alphanumeric() || c == '_'))
                || ranges.iter().any(|(from, to)| (*from..=*to).contains(&c))),
            Self::Others(pattern) => Ok(!pattern.is_match(c.encode_utf8(&mut [0; 4]))?),
        }
    }
}

/// Writes bytes with an alphabet of `bits` bits a letter, without signs that fill up.
fn encoded(bytes: &[u8], bits: u32, alphabet: &[u8]) -> String {
    let mut out = String::new();
    let (mut buffer, mut held) = (0_u32, 0);
    for &byte in bytes {
        buffer = (buffer << 8) | u32::from(byte);
        held += 8;
        while held >= bits {
            held -= bits;
            let index = (buffer >> held) & ((1 << bits) - 1);
            out.push(char::from(alphabet[index as usize]));
        }
        buffer &= (1 << held) - 1;
    }
    if held > 0 {
        let index = (buffer << (bits - held)) & ((1 << bits) - 1);
        out.push(char::from(alphabet[index as usize]));
    }
    out
}
