//! Values as text under the direction of formats: `String.new(value, formats)`.

mod collection;
mod convert;
mod map;
pub mod sprintf;

use hierarch_source::Result;

use crate::{Value, issues};

pub use convert::converted;
use map::FormatMap;

/// One format: `%[flags][width][.precision]letter`.
#[derive(Clone, Debug)]
pub(crate) struct Format {
    /// The text it was read from.
    original: String,
    letter: char,
    /// `#`: the alternate form.
    alt: bool,
    /// `-`: to the left.
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    /// One of `[ { ( < |`: what encloses a container.
    delimiter: Option<char>,
    width: Option<usize>,
    precision: Option<usize>,
    /// What stands between elements.
    separator: Option<String>,
    /// What stands between a key and its value.
    separator2: Option<String>,
    /// Formats for what a container contains.
    contained: Option<FormatMap>,
}

/// The characters that may stand before the width.
const FLAGS: &str = " \t\n\r\u{b}\u{c}[+#0{<(|-";

impl Format {
    /// Reads a format.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let invalid = || issues::bad_format(text);
        let body = text.strip_prefix('%').ok_or_else(invalid)?;
        let rest = body.trim_start_matches(|c| FLAGS.contains(c));
        let flags = &body[..body.len() - rest.len()];
        let (width, rest) = split_digits(rest);
        let (precision, rest) = match rest.strip_prefix('.') {
            Some(rest) => {
                let (digits, rest) = split_digits(rest);
                if digits.is_empty() {
                    return Err(invalid());
                }
                (Some(digits), rest)
            }
            None => (None, rest),
        };
        let mut letters = rest.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else { return Err(invalid()) };
        if !letter.is_ascii_alphabetic() {
            return Err(invalid());
        }
        let format = Self {
            original: text.to_owned(),
            letter,
            alt: flags.contains('#'),
            left: flags.contains('-'),
            zero: flags.contains('0'),
            plus: flags.contains('+'),
            space: flags.contains(' '),
            delimiter: delimiter(text, flags)?,
            width: width.parse().ok(),
            precision: precision.and_then(|digits| digits.parse().ok()),
            separator: None,
            separator2: None,
            contained: None,
        };
        format.check_size()
    }

    /// Bounds what a format may ask for, so that no text of gigabytes is made.
    fn check_size(self) -> Result<Self> {
        let most = self.width.unwrap_or(0).max(self.precision.unwrap_or(0));
        if most > LARGEST { Err(issues::format_too_wide(&self.original)) } else { Ok(self) }
    }

    /// Reads the formats of a container: its own, its separators, and those of its elements.
    fn of_hash(hash: &crate::Hash) -> Result<Self> {
        const KEYS: [&str; 4] = ["separator", "separator2", "format", "string_formats"];
        if hash.keys().any(|key| key.as_str().is_none_or(|key| !KEYS.contains(&key))) {
            return Err(issues::bad_container_format(&Value::from(hash.clone()).to_plain()));
        }
        let text = |key: &str| hash.get_str(key).and_then(Value::as_str).map(str::to_owned);
        let format = text("format").ok_or_else(issues::missing_container_format)?;
        let contained = match hash.get_str("string_formats") {
            Some(Value::Hash(formats)) => Some(FormatMap::of_hash(formats)?),
            _ => None,
        };
        Ok(Self {
            separator: text("separator"),
            separator2: text("separator2"),
            contained,
            ..Self::parse(&format)?
        })
    }

    /// Returns the format that another makes of this one: the other's own, and what it leaves open from here.
    fn overridden_by(&self, other: &Self) -> Self {
        Self {
            separator: other.separator.clone().or_else(|| self.separator.clone()),
            separator2: other.separator2.clone().or_else(|| self.separator2.clone()),
            contained: match (&self.contained, &other.contained) {
                (Some(lower), Some(higher)) => Some(FormatMap::merged(lower, higher)),
                (lower, higher) => higher.clone().or_else(|| lower.clone()),
            },
            ..other.clone()
        }
    }

    /// Returns what encloses a container; a blank as flag means nothing does.
    fn delimiters(&self, default: [&'static str; 2]) -> [&'static str; 2] {
        match self.delimiter {
            Some('[') => ["[", "]"],
            Some('{') => ["{", "}"],
            Some('(') => ["(", ")"],
            Some('<') => ["<", ">"],
            Some('|') => ["|", "|"],
            _ if self.space => ["", ""],
            _ => default,
        }
    }

    /// Returns the flags for Ruby's own formatting.
    fn spec(&self) -> sprintf::Spec {
        sprintf::Spec {
            alt: self.alt,
            left: self.left,
            zero: self.zero,
            plus: self.plus,
            space: self.space,
            width: self.width,
            precision: self.precision,
        }
    }

    /// Fails if the format has a flag that means something else to Ruby's own formatting.
    fn check_plain(&self) -> Result<()> {
        match self.delimiter {
            Some('<' | '{') => Err(issues::unmatched_format_name()),
            Some(delimiter) => Err(issues::malformed_format(delimiter)),
            None => Ok(()),
        }
    }

    /// Applies width and precision to a text.
    fn padded(&self, text: &str) -> String {
        let spec = sprintf::Spec { left: self.left, ..sprintf::Spec::default() };
        sprintf::text(&sprintf::Spec { width: self.width, precision: self.precision, ..spec }, text)
    }
}

/// The largest width or precision.
const LARGEST: usize = 1_000_000;

fn split_digits(text: &str) -> (&str, &str) {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at(count)
}

fn delimiter(text: &str, flags: &str) -> Result<Option<char>> {
    let repeated = flags.char_indices().any(|(at, flag)| flags[..at].contains(flag));
    if repeated {
        return Err(issues::repeated_flag(text));
    }
    let mut delimiters = ['[', '{', '(', '<', '|'].into_iter().filter(|delimiter| flags.contains(*delimiter));
    let first = delimiters.next();
    if delimiters.next().is_some() { Err(issues::several_delimiters(text)) } else { Ok(first) }
}
