//! Anchors and tags in the fast lane.

use super::Scanner;
use crate::build::Properties;

/// YAML's own tags, by the names that `!!` stands before.
const OWN_TAGS: &[(&str, &str)] = &[
    ("binary", "tag:yaml.org,2002:binary"),
    ("bool", "tag:yaml.org,2002:bool"),
    ("float", "tag:yaml.org,2002:float"),
    ("int", "tag:yaml.org,2002:int"),
    ("map", "tag:yaml.org,2002:map"),
    ("null", "tag:yaml.org,2002:null"),
    ("omap", "tag:yaml.org,2002:omap"),
    ("seq", "tag:yaml.org,2002:seq"),
    ("set", "tag:yaml.org,2002:set"),
    ("str", "tag:yaml.org,2002:str"),
    ("timestamp", "tag:yaml.org,2002:timestamp"),
];

impl<'t> Scanner<'t, '_> {
    /// Reads an anchor, a tag, or both; `None` at what only the full parsers understand.
    pub(super) fn properties(&mut self) -> Option<Properties<'t>> {
        let mut found = Properties { start: self.at as u32, ..Properties::default() };
        loop {
            match self.byte(self.at) {
                b'&' if found.anchor.is_none() => {
                    let name = self.name(self.at + 1)?;
                    self.at += 1 + name.len();
                    found.anchor = Some(name);
                }
                b'!' if found.tag.is_none() => found.tag = Some(self.tag()?),
                _ => return None,
            }
            found.end = self.at as u32;
            let mut next = self.at;
            while self.byte(next) == b' ' {
                next += 1;
            }
            if !matches!(self.byte(next), b'&' | b'!') {
                return Some(found);
            }
            self.at = next;
        }
    }

    /// Reads `!`, `!name` or one of YAML's own tags.
    fn tag(&mut self) -> Option<&'t str> {
        let start = self.at;
        if self.byte(start + 1) == b' ' {
            self.at += 1;
            return Some(&self.text[start..self.at]);
        }
        if self.byte(start + 1) == b'!' {
            let name = self.name(start + 2)?;
            self.at += 2 + name.len();
            return OWN_TAGS.iter().find(|(known, _)| *known == name).map(|(_, tag)| *tag);
        }
        let rest = &self.bytes[start + 1..];
        let is_usual = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'/' | b'.' | b':');
        let length = rest.iter().take_while(|&b| is_usual(b)).count();
        self.at = start + 1 + length;
        let ends = length > 0 && matches!(self.byte(self.at), b' ' | b'\n');
        ends.then(|| &self.text[start..self.at])
    }

    /// Reads the name of an anchor that ends at a blank or with the line.
    pub(super) fn name(&self, at: usize) -> Option<&'t str> {
        let name = self.letters(at);
        let ends = matches!(self.byte(at + name.len()), b' ' | b'\n');
        (!name.is_empty() && ends).then_some(name)
    }

    /// Returns the letters of a name.
    pub(super) fn letters(&self, at: usize) -> &'t str {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let length =
            rest.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
        &self.text[at..at + length]
    }
}
