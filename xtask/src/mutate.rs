//! Texts with small damage, the same for the same seed: what a parser meets while a text is typed.

/// A simple generator of random numbers (xorshift64*): the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `limit`, or 0 if there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        (number as usize) % limit.max(1)
    }

    /// Returns one of some choices.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// What is inserted: all that the grammars give a meaning to, and some that they do not.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<|",
    "|>",
    "<<|",
    "|>>",
    "|",
    ",",
    ";",
    ":",
    "::",
    ".",
    "?",
    "=>",
    "+>",
    "=",
    "==",
    "!=",
    "=~",
    "!~",
    "<",
    "<=",
    ">",
    ">=",
    "<<",
    ">>",
    "->",
    "~>",
    "<-",
    "<~",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "@",
    "@@",
    "$",
    "$x",
    "$::a::b",
    "$0",
    "${",
    "\"",
    "'",
    "\\",
    "\\u{1F600}",
    "\\x",
    "#",
    "/*",
    "*/",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\u{a0}",
    "\u{feff}",
    "\0",
    "é",
    "😀",
    "0",
    "1",
    "0x1F",
    "0777",
    "1.5e3",
    "08",
    "1a",
    "a",
    "A",
    "a::b",
    "A::B",
    "_x",
    "::a",
    "a-b",
    "if",
    "elsif",
    "else",
    "unless",
    "case",
    "default",
    "class",
    "define",
    "node",
    "inherits",
    "function",
    "type",
    "in",
    "and",
    "or",
    "undef",
    "true",
    "false",
    "attr",
    "private",
    "import",
    "application",
    "site",
    "plan",
    "apply",
    "include ",
    "notice ",
    "file { 'a': ",
    "@(END)",
    "@(\"END\":json/L)",
    "\nEND\n",
    "| END",
    "|- END",
    "/x/",
    "+=",
    "-=",
    "<%",
    "<%=",
    "<%-",
    "<%#",
    "%>",
    "-%>",
    "<%%",
    "%%>",
    "<%- | $a | -%>",
];

/// Returns a text with one to three pieces deleted, doubled, moved, inserted or cut off.
pub fn mutate(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        damage(&mut chars, random);
    }
    chars.into_iter().collect()
}

fn damage(chars: &mut Vec<char>, random: &mut Random) {
    let at = random.below(chars.len() + 1);
    let end = (at + 1 + random.below(8)).min(chars.len());
    match random.below(10) {
        0 | 1 => drop(chars.drain(at..end)),
        2 => {
            let copy = chars[at..end].to_vec();
            chars.splice(end..end, copy);
        }
        3 => {
            let taken: Vec<char> = chars.drain(at..end).collect();
            let to = random.below(chars.len() + 1);
            chars.splice(to..to, taken);
        }
        4 => chars.truncate(at),
        5 => drop(chars.splice(at..end, random.pick(PIECES).chars())),
        _ => drop(chars.splice(at..at, random.pick(PIECES).chars())),
    }
}

/// What takes the place of words, numbers and quoted texts.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "9223372036854775807",
    "99999999999999999999",
    "1.5",
    "''",
    "'a'",
    "\"${x}\"",
    "undef",
    "default",
    "true",
    "[]",
    "{}",
    "/(/",
    "Any",
    "Integer[1, 2]",
    "Array[Array[String]]",
    "Class['a']",
    "File['/a']",
    "$title",
    "$facts",
    "Sensitive('a')",
];

/// Returns a text with one to three of its words, numbers, quoted texts and signs deleted, doubled, swapped or
/// replaced, or cut off after one.
pub fn mutate_tokens(text: &str, random: &mut Random) -> String {
    let mut tokens = tokens(text);
    for _ in 0..=random.below(3) {
        damage_tokens(&mut tokens, random);
    }
    tokens.concat()
}

fn damage_tokens(tokens: &mut Vec<&str>, random: &mut Random) {
    let Some(last) = tokens.len().checked_sub(1) else { return };
    let at = random.below(last + 1);
    match random.below(8) {
        0 | 1 => drop(tokens.remove(at)),
        2 => tokens.insert(at, tokens[at]),
        3 => tokens.swap(at, random.below(last + 1)),
        4 => tokens.swap(at, (at + 2).min(last)),
        5 if random.below(4) == 0 => tokens.truncate(at),
        5 => tokens[at] = tokens[random.below(last + 1)],
        6 => tokens[at] = *random.pick::<&str>(PIECES),
        _ => tokens[at] = *random.pick(WORDS),
    }
}

/// Splits a text into words with their `::`, runs of white space, and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let kind = |c: char| if is_word(c) { 1 } else { 2 * u8::from(c.is_whitespace()) };
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (place, c) in text.char_indices() {
        if last.is_some_and(|last| last == 0 || last != kind(c)) {
            tokens.push(&text[start..place]);
            start = place;
        }
        last = Some(kind(c));
    }
    tokens.push(&text[start..]);
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(seed: u64, count: usize) -> Vec<String> {
        let mut random = Random::new(seed);
        (0..count).map(|_| mutate("class a { $x = 'é' }", &mut random)).collect()
    }

    #[test]
    fn tokens_are_words_spaces_and_single_signs() {
        assert_eq!(tokens("$a::b =>  'é'"), ["$", "a::b", " ", "=", ">", "  ", "'", "é", "'"]);
    }

    #[test]
    fn damaged_tokens_are_the_same_for_the_same_seed() {
        let all = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| mutate_tokens("class a { $x = 'é' }", &mut random)).collect::<Vec<_>>()
        };
        assert_eq!(all(1), all(1));
        assert_ne!(all(1), all(2));
    }

    #[test]
    fn the_same_seed_gives_the_same_damage() {
        assert_eq!(first(7, 100), first(7, 100));
        assert_ne!(first(7, 100), first(8, 100));
    }

    #[test]
    fn damage_is_varied_and_an_empty_text_can_be_damaged() {
        let distinct: std::collections::BTreeSet<String> = first(1, 1000).into_iter().collect();
        assert!(distinct.len() > 700, "{}", distinct.len());
        let mut random = Random::new(1);
        for _ in 0..1000 {
            mutate("", &mut random);
        }
    }
}
