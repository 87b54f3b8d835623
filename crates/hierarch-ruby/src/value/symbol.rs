//! Names: every name in a program and every symbol is a number, so that comparing two costs nothing.
//!
//! The table lives as long as the process, because lowered programs are shared by all that run them. What a running
//! script adds is counted by [`ScriptLimits`](crate::limits::ScriptLimits).

use std::fmt;
use std::sync::{LazyLock, RwLock};

use rustc_hash::FxHashMap;

/// A name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym(u32);

struct Names {
    numbers: FxHashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

static NAMES: LazyLock<RwLock<Names>> = LazyLock::new(|| {
    let mut names = Names { numbers: FxHashMap::default(), texts: Vec::new() };
    for text in KNOWN {
        names.add(text);
    }
    RwLock::new(names)
});

impl Names {
    fn add(&mut self, text: &'static str) -> u32 {
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text);
        self.numbers.insert(text, number);
        number
    }
}

impl Sym {
    /// Returns the name with this text.
    pub fn of(text: &str) -> Self {
        Self::known(text).unwrap_or_else(|| Self::make(text))
    }

    /// Returns the name with this text if there is one already.
    pub fn known(text: &str) -> Option<Self> {
        let names = NAMES.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        names.numbers.get(text).copied().map(Self)
    }

    fn make(text: &str) -> Self {
        let mut names = NAMES.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(number) = names.numbers.get(text) {
            return Self(*number);
        }
        Self(names.add(Box::leak(text.into())))
    }

    /// Returns its text.
    pub fn text(self) -> &'static str {
        let names = NAMES.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        names.texts.get(self.0 as usize).copied().unwrap_or_default()
    }

    /// Returns the name of the method that assigns: `x=` of `x`.
    #[must_use]
    pub fn setter(self) -> Self {
        Self::of(&format!("{}=", self.text()))
    }

    /// Returns the name of the instance variable: `@x` of `x`.
    #[must_use]
    pub fn ivar(self) -> Self {
        Self::of(&format!("@{}", self.text()))
    }
}

impl fmt::Debug for Sym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Display for Sym {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

macro_rules! known {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        const KNOWN: &[&str] = &[$($text),*];
        /// Names that the interpreter itself asks for.
        #[expect(missing_docs, reason = "each constant is named by its text")]
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        pub mod names {
            use super::Sym;
            #[derive(Clone, Copy)]
            enum Number { $($name),* }
            $(pub const $name: Sym = Sym(Number::$name as u32);)*
        }
    };
}

known! {
    INITIALIZE = "initialize",
    TO_S = "to_s",
    INSPECT = "inspect",
    TO_STR = "to_str",
    TO_ARY = "to_ary",
    TO_A = "to_a",
    TO_HASH = "to_hash",
    TO_H = "to_h",
    TO_PROC = "to_proc",
    TO_INT = "to_int",
    TO_I = "to_i",
    TO_F = "to_f",
    TO_SYM = "to_sym",
    TO_R = "to_r",
    EACH = "each",
    CALL = "call",
    NEW = "new",
    EQ = "==",
    EQL = "eql?",
    HASH = "hash",
    CASE_EQ = "===",
    CMP = "<=>",
    NOT = "!",
    NEQ = "!=",
    MATCH = "=~",
    NMATCH = "!~",
    PLUS = "+",
    MINUS = "-",
    TIMES = "*",
    DIV = "/",
    MOD = "%",
    POW = "**",
    LT = "<",
    LE = "<=",
    GT = ">",
    GE = ">=",
    SHL = "<<",
    SHR = ">>",
    AND = "&",
    OR = "|",
    XOR = "^",
    INDEX = "[]",
    SET_INDEX = "[]=",
    SUCC = "succ",
    METHOD_MISSING = "method_missing",
    RESPOND_TO = "respond_to?",
    RESPOND_TO_MISSING = "respond_to_missing?",
    INHERITED = "inherited",
    INCLUDED = "included",
    EXTENDED = "extended",
    PREPENDED = "prepended",
    METHOD_ADDED = "method_added",
    CONST_MISSING = "const_missing",
    COERCE = "coerce",
    MESSAGE = "message",
    EXCEPTION = "exception",
    DECONSTRUCT = "deconstruct",
    DECONSTRUCT_KEYS = "deconstruct_keys",
    INITIALIZE_COPY = "initialize_copy",
    LAMBDA = "lambda",
    PROC = "proc",
    RAISE = "raise",
    BLOCK_GIVEN = "block_given?",
    SIZE = "size",
    LENGTH = "length",
    JOIN = "join",
    NEXT = "next",
    MAIN = "main",
    STAR = "*rest",
    STARSTAR = "**rest",
    AMP = "&block",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_have_the_numbers_of_their_texts() {
        assert_eq!(Sym::of("initialize"), names::INITIALIZE);
        assert_eq!(Sym::of("<=>"), names::CMP);
        assert_eq!(names::AMP.text(), "&block");
        assert_eq!(Sym::of("quite_new"), Sym::of("quite_new"));
    }
}
