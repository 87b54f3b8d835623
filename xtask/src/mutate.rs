//! Texts with small damage, the same for the same seed: what a parser meets while somebody types.

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

#[cfg(test)]
mod tests {
    use super::*;

    fn first(seed: u64, count: usize) -> Vec<String> {
        let mut random = Random::new(seed);
        (0..count).map(|_| mutate("class a { $x = 'é' }", &mut random)).collect()
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
