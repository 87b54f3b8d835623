//! Strings: text in UTF-8 nearly always, else bytes with an encoding.

use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use ecow::EcoString;

use super::meter::{Meter, Share};
use super::object::Meta;

/// The encodings that strings have here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is named as it is")]
pub enum Encoding {
    Utf8,
    Binary,
    Ascii,
    Latin1,
    Utf16Le,
    Utf16Be,
    Windows1252,
}

impl Encoding {
    /// Returns Ruby's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Binary => "ASCII-8BIT",
            Self::Ascii => "US-ASCII",
            Self::Latin1 => "ISO-8859-1",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
            Self::Windows1252 => "Windows-1252",
        }
    }

    /// Finds an encoding by one of its names.
    pub fn find(name: &str) -> Option<Self> {
        Some(match name.to_ascii_uppercase().as_str() {
            "UTF-8" | "CP65001" | "LOCALE" | "EXTERNAL" => Self::Utf8,
            "ASCII-8BIT" | "BINARY" => Self::Binary,
            "US-ASCII" | "ASCII" | "ANSI_X3.4-1968" | "646" => Self::Ascii,
            "ISO-8859-1" | "ISO8859-1" => Self::Latin1,
            "UTF-16LE" => Self::Utf16Le,
            "UTF-16BE" => Self::Utf16Be,
            "WINDOWS-1252" | "CP1252" => Self::Windows1252,
            _ => return None,
        })
    }
}

/// What a string holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Text {
    /// Well-formed UTF-8.
    Utf8(EcoString),
    /// Anything else: bytes of another encoding, or UTF-8 that is broken.
    Bytes(Vec<u8>, Encoding),
}

impl Text {
    /// Makes text of bytes that are meant to be UTF-8.
    pub fn of_bytes(bytes: Vec<u8>, encoding: Encoding) -> Self {
        if encoding != Encoding::Utf8 {
            return Self::Bytes(bytes, encoding);
        }
        match String::from_utf8(bytes) {
            Ok(text) => Self::Utf8(text.into()),
            Err(error) => Self::Bytes(error.into_bytes(), Encoding::Utf8),
        }
    }

    /// Returns its bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Utf8(text) => text.as_bytes(),
            Self::Bytes(bytes, _) => bytes,
        }
    }

    /// Returns its encoding.
    pub fn encoding(&self) -> Encoding {
        match self {
            Self::Utf8(_) => Encoding::Utf8,
            Self::Bytes(_, encoding) => *encoding,
        }
    }

    /// Returns it as characters. A byte that belongs to none is a character with its number, see [`Text::back`].
    pub fn chars(&self) -> Cow<'_, str> {
        match self {
            Self::Utf8(text) => Cow::Borrowed(text),
            Self::Bytes(bytes, _) => match std::str::from_utf8(bytes) {
                Ok(text) if text.is_ascii() => Cow::Borrowed(text),
                _ => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
            },
        }
    }

    /// Returns text for people: what is broken is replaced.
    pub fn lossy(&self) -> Cow<'_, str> {
        match self {
            Self::Utf8(text) => Cow::Borrowed(text),
            Self::Bytes(bytes, _) => String::from_utf8_lossy(bytes),
        }
    }

    /// Makes text of characters that came from [`Text::chars`] of this one.
    #[must_use]
    pub fn back(&self, text: &str) -> Self {
        match self {
            Self::Utf8(_) => Self::Utf8(text.into()),
            Self::Bytes(_, encoding) => {
                let bytes = text.chars().flat_map(back_to_bytes).collect();
                Self::of_bytes(bytes, *encoding)
            }
        }
    }
}

/// A character below 256 is a byte; others came in from another text.
fn back_to_bytes(c: char) -> Vec<u8> {
    u8::try_from(u32::from(c)).map_or_else(|_| c.to_string().into_bytes(), |byte| vec![byte])
}

/// A string: its text can change, it has an identity.
pub struct Str {
    text: RefCell<Text>,
    share: Share,
    /// Whether it may change.
    pub frozen: Cell<bool>,
    /// A class of its own, instance variables; nearly never there.
    pub meta: RefCell<Option<Box<Meta>>>,
}

impl Str {
    /// Makes a string.
    #[inline]
    pub fn new(meter: &Rc<Meter>, text: Text) -> Self {
        let share = Share::new(meter, text.bytes().len() + size_of::<Self>());
        Self { text: RefCell::new(text), share, frozen: Cell::new(false), meta: RefCell::new(None) }
    }

    /// Returns what it holds.
    #[inline]
    pub fn text(&self) -> Ref<'_, Text> {
        self.text.borrow()
    }

    /// Tells whether it is meant to be UTF-8, but is not.
    pub fn is_broken(&self) -> bool {
        matches!(&*self.text(), Text::Bytes(_, Encoding::Utf8))
    }

    /// Returns a copy of what it holds, which costs next to nothing.
    #[inline]
    pub fn get(&self) -> Text {
        self.text.borrow().clone()
    }

    /// Returns it as characters, see [`Text::chars`].
    pub fn chars(&self) -> EcoString {
        match &*self.text.borrow() {
            Text::Utf8(text) => text.clone(),
            other => other.chars().into(),
        }
    }

    /// Returns text for people.
    pub fn lossy(&self) -> EcoString {
        match &*self.text.borrow() {
            Text::Utf8(text) => text.clone(),
            other => other.lossy().into(),
        }
    }

    /// Replaces what it holds.
    pub fn set(&self, text: Text) {
        self.share.set(text.bytes().len() + size_of::<Self>());
        *self.text.borrow_mut() = text;
    }

    /// Adds at the end.
    pub fn push(&self, more: &Text) {
        let mut text = self.text.borrow_mut();
        match (&mut *text, more) {
            (Text::Utf8(text), Text::Utf8(more)) => text.push_str(more),
            (Text::Bytes(bytes, encoding), more) => {
                let encoding = if bytes.is_ascii() { more.encoding() } else { *encoding };
                bytes.extend_from_slice(more.bytes());
                if encoding == Encoding::Utf8 {
                    *text = Text::of_bytes(std::mem::take(bytes), Encoding::Utf8);
                }
            }
            (Text::Utf8(mine), Text::Bytes(more, encoding)) => {
                let encoding = if mine.is_ascii() { *encoding } else { Encoding::Utf8 };
                let joined = [mine.as_bytes(), more].concat();
                *text = Text::of_bytes(joined, encoding);
            }
        }
        self.share.set(text.bytes().len() + size_of::<Self>());
    }

    /// Adds text at the end.
    pub fn push_str(&self, more: &str) {
        let mut text = self.text.borrow_mut();
        if let Text::Utf8(text) = &mut *text {
            text.push_str(more);
            self.share.set(text.len() + size_of::<Self>());
            return;
        }
        drop(text);
        self.push(&Text::Utf8(more.into()));
    }

    /// Tells how many bytes it has.
    pub fn len(&self) -> usize {
        self.text.borrow().bytes().len()
    }

    /// Tells whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Tells whether it is this text.
    pub fn is(&self, other: &str) -> bool {
        self.text.borrow().bytes() == other.as_bytes()
    }
}
