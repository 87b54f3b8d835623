//! Where Ruby's JSON reader stumbles over a text that is not JSON.
//!
//! An object that cannot be read is reported whole, a list where its reading ended, a scalar from its start.   case: lang/exactness

/// How deep values are followed; what lies deeper is reported from there.
const DEEPEST: usize = 100;

/// Returns the offset from which the text is quoted.
pub(super) fn stumble(text: &str) -> usize {
    let reader = Reader { bytes: text.as_bytes() };
    let start = reader.blank(0);
    let offset = match reader.value(start, 0) {
        Ok(end) => reader.blank(end),
        Err(Stop::Unread) => start,
        Err(Stop::At(offset)) => offset,
    };
    (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Why a value was not read.
enum Stop {
    /// Whoever wanted the value says where.
    Unread,
    /// Said already.
    At(usize),
}

struct Reader<'t> {
    bytes: &'t [u8],
}

impl Reader<'_> {
    fn at(&self, offset: usize) -> u8 {
        self.bytes.get(offset).copied().unwrap_or(0)
    }

    fn blank(&self, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// Reads a value and returns where it ends.
    fn value(&self, from: usize, depth: usize) -> Result<usize, Stop> {
        match self.at(from) {
            _ if depth > DEEPEST => Err(Stop::At(from)),
            b'{' => self.object(from, depth),
            b'[' => self.list(from, depth),
            b'"' => self.text(from),
            b'-' | b'0'..=b'9' => self.number(from),
            _ => self.word(from),
        }
    }

    fn object(&self, from: usize, depth: usize) -> Result<usize, Stop> {
        let mut next = self.blank(from + 1);
        if self.at(next) == b'}' {
            return Ok(next + 1);
        }
        loop {
            if self.at(next) != b'"' {
                return Err(Stop::Unread);
            }
            next = self.blank(self.text(next)?);
            if self.at(next) != b':' {
                return Err(Stop::Unread);
            }
            next = self.blank(self.value(self.blank(next + 1), depth + 1)?);
            match self.at(next) {
                b',' => next = self.blank(next + 1),
                b'}' => return Ok(next + 1),
                _ => return Err(Stop::Unread),
            }
        }
    }

    fn list(&self, from: usize, depth: usize) -> Result<usize, Stop> {
        let mut next = self.blank(from + 1);
        if self.at(next) == b']' {
            return Ok(next + 1);
        }
        loop {
            let end = match self.value(next, depth + 1) {
                Err(Stop::Unread) => return Err(Stop::At(next)),
                end => end?,
            };
            next = self.blank(end);
            match self.at(next) {
                b',' => next = self.blank(next + 1),
                b']' => return Ok(next + 1),
                _ => return Err(Stop::At(next)),
            }
        }
    }

    fn text(&self, from: usize) -> Result<usize, Stop> {
        let mut next = from + 1;
        loop {
            match self.at(next) {
                b'"' => return Ok(next + 1),
                b'\\' => next += 2,
                0..=0x1f => return Err(Stop::Unread),
                _ => next += 1,
            }
        }
    }

    fn number(&self, from: usize) -> Result<usize, Stop> {
        let first = from + usize::from(self.at(from) == b'-');
        let is_padded = self.at(first) == b'0' && self.at(first + 1).is_ascii_digit();
        if is_padded || !self.at(first).is_ascii_digit() {
            return Err(Stop::Unread);
        }
        let rest = self.bytes.get(from..).unwrap_or_default();
        Ok(from + rest.iter().take_while(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte)).count())
    }

    fn word(&self, from: usize) -> Result<usize, Stop> {
        let rest = self.bytes.get(from..).unwrap_or_default();
        let word = ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word.as_bytes()));
        word.map(|word| from + word.len()).ok_or(Stop::Unread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_quoted_whole_and_lists_from_where_they_break() {
        for (text, rest) in [
            ("{\"a\" 1}", "{\"a\" 1}"),
            ("[1 2]", "2]"),
            (" nope", "nope"),
            ("{\"a\": [1,]}", "]}"),
            ("[{\"a\": tru}]", "{\"a\": tru}]"),
            ("1 2", "2"),
            ("[01]", "01]"),
            ("-", "-"),
        ] {
            assert_eq!(&text[stumble(text)..], rest, "{text}");
        }
    }
}
