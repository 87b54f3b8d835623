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
    end: &'static str,
    replace: &'static str,
    case: &'static str,
}

static PLAIN: Preset = Preset { allowed: r"\w", start: "a-zA-Z", end: "", replace: "", case: "any" };
static DNS: Preset =
    Preset { allowed: "a-zA-Z0-9-", start: "a-zA-Z", end: "a-zA-Z0-9", replace: "--", case: "lower" };
static KUBERNETES: Preset =
    Preset { allowed: r"\w.-", start: "a-zA-Z0-9", end: "a-zA-Z0-9", replace: "__", case: "any" };
static GOOGLE: Preset =
    Preset { allowed: r"\w-", start: "a-zA-Z", end: "a-zA-Z0-9", replace: "__", case: "lower" };

/// The rules of one call.
struct Rules {
    allowed: Class,
    start: Class,
    end: Option<Class>,
    replace: String,
    start_prepend: String,
    separator: String,
    case: String,
    max: usize,
    digest_length: usize,
    digest: String,
}

/// The longest label that is made.
const LONGEST: usize = 1 << 16;

fn label(call: &Call, preset: &Preset) -> Result<Matches> {
    let rules = Rules::new(call, preset)?;
    Ok(rules.convert(&call.value()?)?.into())
}

impl Rules {
    fn new(call: &Call, preset: &Preset) -> Result<Self> {
        let text = |name: &str, default: &str| -> Result<String> {
            Ok(call.named(name)?.map_or_else(|| default.to_owned(), |value| python::text(&value)))
        };
        let class = |name: &str, default: &str| -> Result<Class> { Class::new(call, &text(name, default)?) };
        let number = |name: &str, default: usize| -> Result<usize> {
            match call.named(name)? {
                None | Some(Value::Undef) => Ok(default),
                Some(Value::Integer(number)) => Ok(usize::try_from(number).unwrap_or(0).min(LONGEST)),
                Some(other) => Err(issues::wrong_argument(call.name, "an integer", &python::repr(&other))),
            }
        };
        let max = number("max", 63)?;
        let has_end = !text("end", preset.end)?.is_empty();
        Ok(Self {
            allowed: class("allowed", preset.allowed)?,
            start: class("start", preset.start)?,
            end: has_end.then(|| class("end", preset.end)).transpose()?,
            replace: text("replace", preset.replace)?,
            start_prepend: text("start_prepend", "x")?,
            separator: text("sep", "")?,
            case: text("case", preset.case)?,
            max,
            digest_length: number("digestlen", if max < 32 { 2 } else { 3 })?,
            digest: text("digest", "")?,
        })
    }

    /// Makes labels of a text, of the parts of one, or of the keys and values of a map.
    fn convert(&self, value: &Value) -> Result<Value> {
        match value {
            Value::Hash(map) => {
                let mut labels = Hash::new();
                for (key, value) in map.iter().filter(|(_, value)| !value.is_undef()) {
                    labels.insert(self.one(&python::text(key), self.max, true)?, self.convert(value)?);
                }
                Ok(labels.into())
            }
            Value::Array(items) => {
                let parts: Vec<String> = items.iter().map(python::text).collect();
                Ok(self.joined(&parts)?.into())
            }
            other => Ok(self.one(&python::text(other), self.max, true)?.into()),
        }
    }

    fn one(&self, text: &str, max: usize, with_digest: bool) -> Result<String> {
        let label = self.finished(&self.cleaned(text, &self.replace)?)?;
        if label.chars().count() <= max {
            return Ok(label);
        }
        let plain = self.cased(&self.started(self.cleaned(text, "")?)?);
        let digest = if with_digest { self.digest_of(text) } else { String::new() };
        let room = max.saturating_sub(digest.len());
        self.finished(&(self.shortened(&plain, room) + &digest))
    }

    /// Keeps the beginning and the end if both are long enough to be recognised.
    fn shortened(&self, text: &str, room: usize) -> String {
        let letters: Vec<char> = text.chars().collect();
        if letters.len() <= room {
            return text.to_owned();
        }
        let kept = room.saturating_sub(self.replace.chars().count());
        let (front, back) = (kept.div_ceil(2), kept / 2);
        if front < 5 || self.replace.is_empty() {
            return letters[..room].iter().collect();
        }
        let (front, back) = (&letters[..front], &letters[letters.len() - back..]);
        front.iter().chain(&self.replace.chars().collect::<Vec<_>>()).chain(back).collect()
    }

    /// Joins parts; where they are too long, the room is shared among them and a digest tells them apart.
    fn joined(&self, parts: &[String]) -> Result<String> {
        let labels: Vec<String> =
            parts.iter().map(|part| self.one(part, LONGEST, false)).collect::<Result<_>>()?;
        let whole = labels.join(&self.separator);
        if whole.chars().count() <= self.max {
            return Ok(whole);
        }
        let tail = match self.digest_of(&parts.concat()) {
            digest if digest.is_empty() => digest,
            digest => format!("{}{digest}", self.separator),
        };
        let separators = self.separator.chars().count() * labels.len().saturating_sub(1);
        let room = self.max.saturating_sub(tail.chars().count() + separators);
        let lengths: Vec<usize> = labels.iter().map(|label| label.chars().count()).collect();
        let shares = shared(&lengths, room);
        let short =
            labels.iter().zip(shares).map(|(label, share)| label.chars().take(share).collect::<String>());
        Ok(short.collect::<Vec<_>>().join(&self.separator) + &tail)
    }

    fn cleaned(&self, text: &str, replace: &str) -> Result<String> {
        let mut out = String::new();
        for c in text.chars() {
            if self.allowed.has(c)? { out.push(c) } else { out.push_str(replace) }
        }
        Ok(out)
    }

    fn started(&self, text: String) -> Result<String> {
        let fine = text.chars().next().map(|first| self.start.has(first)).transpose()?.unwrap_or(false);
        Ok(if fine { text } else { format!("{}{text}", self.start_prepend) })
    }

    fn finished(&self, text: &str) -> Result<String> {
        let mut label = self.cased(&self.started(text.to_owned())?);
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

    fn digest_of(&self, text: &str) -> String {
        let hash = Sha1::digest(format!("{text}{}", self.digest));
        let letters = match self.case.as_str() {
            "lower" => encoded(&hash, 5, b"abcdefghijklmnopqrstuvwxyz234567"),
            "upper" => encoded(&hash, 5, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
            // The last two letters of the alphabet are those that a label could not have.
            _ => encoded(&hash, 6, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
                .replace(['-', '_'], ""),
        };
        letters.chars().take(self.digest_length).collect()
    }
}

/// A class of characters: those of simple ones are looked up, for others there is a pattern.
enum Class {
    Simple { ranges: Vec<(char, char)>, words: bool },
    Pattern(Arc<Regexp>),
}

impl Class {
    fn new(call: &Call, text: &str) -> Result<Self> {
        let text = text.trim_start_matches('[').trim_end_matches(']');
        match Self::simple(text) {
            Some(simple) => Ok(simple),
            None => Ok(Self::Pattern(call.scope.world.regexp(&format!("[{text}]"))?)),
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
            Self::Pattern(pattern) => pattern.is_match(c.encode_utf8(&mut [0; 4])),
        }
    }
}

/// Shares room: who needs less than an equal part leaves the rest to the others, the first of them first.
fn shared(lengths: &[usize], room: usize) -> Vec<usize> {
    let mut shares = vec![None; lengths.len()];
    let mut left = room;
    loop {
        let open: Vec<usize> = (0..lengths.len()).filter(|&index| shares[index].is_none()).collect();
        if open.is_empty() {
            break;
        }
        let part = left / open.len();
        let small: Vec<usize> = open.iter().copied().filter(|&index| lengths[index] <= part).collect();
        if small.is_empty() {
            let extra = left % open.len();
            for (rank, index) in open.into_iter().enumerate() {
                shares[index] = Some(part + usize::from(rank < extra));
            }
            break;
        }
        for index in small {
            shares[index] = Some(lengths[index]);
            left -= lengths[index];
        }
    }
    shares.into_iter().map(|share| share.unwrap_or(0)).collect()
}

/// Writes bytes with an alphabet of `bits` bits a letter, without filling up.
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
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_shared_by_need() {
        assert_eq!(shared(&[10, 4, 6], 15), [6, 4, 5]);
        assert_eq!(shared(&[1, 1], 15), [1, 1]);
        assert_eq!(shared(&[9, 9], 0), [0, 0]);
    }
}
