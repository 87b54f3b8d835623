//! Tokens: what the lexer hands to the parser.

use hierarch_source::Span;

use crate::ast::Text;

/// One token, with the place Puppet gives it and the text its messages quote.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// Where it stands; for text in a heredoc with a margin, in the lines as written.
    pub(crate) span: Span,
    /// The value of a name, number, string or variable; empty for operators and keywords.
    pub(crate) text: Text,
}

macro_rules! token_kinds {
    ($($(#[$doc:meta])* $name:ident $(= $text:literal)?,)*) => {
        /// The kinds of tokens. The variants that have a fixed spelling know it.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum TokenKind { $($(#[$doc])* $name,)* }

        impl TokenKind {
            /// All of them, for what is to be true of each.
            #[cfg(test)]
            pub(crate) const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the spelling of operators, brackets and keywords.
            pub(crate) fn spelling(self) -> Option<&'static str> {
                #[allow(unused_mut, unused_assignments, clippy::allow_attributes, reason = "not every kind has a spelling")]
                match self {
                    $(Self::$name => { let mut spelling = None; $(spelling = Some($text);)? spelling })*
                }
            }
        }
    };
}

token_kinds! {
    LeftBracket = "[",
    /// `[` after white space: never an access.
    ListStart = "[",
    RightBracket = "]",
    LeftBrace = "{",
    RightBrace = "}",
    /// `{` right after `?`.
    SelectorBrace = "{",
    LeftParen = "(",
    /// `(` first on its line: never the start of a call.
    LineParen = "(",
    RightParen = ")",
    Assign = "=",
    PlusAssign = "+=",
    MinusAssign = "-=",
    Equal = "==",
    NotEqual = "!=",
    Match = "=~",
    NoMatch = "!~",
    GreaterEqual = ">=",
    Greater = ">",
    LessEqual = "<=",
    Less = "<",
    FatArrow = "=>",
    PlusArrow = "+>",
    ShiftLeft = "<<",
    ExportedCollectorStart = "<<|",
    CollectorStart = "<|",
    ShiftRight = ">>",
    ExportedCollectorEnd = "|>>",
    CollectorEnd = "|>",
    Plus = "+",
    Minus = "-",
    Slash = "/",
    Star = "*",
    Percent = "%",
    Bang = "!",
    Dot = ".",
    Pipe = "|",
    At = "@",
    AtAt = "@@",
    Colon = ":",
    Comma = ",",
    Semicolon = ";",
    Question = "?",
    Tilde = "~",
    Before = "->",
    NotifyArrow = "~>",
    After = "<-",
    SubscribeArrow = "<~",
    Case = "case",
    Class = "class",
    Default = "default",
    Define = "define",
    If = "if",
    Elsif = "elsif",
    Else = "else",
    Inherits = "inherits",
    Node = "node",
    And = "and",
    Or = "or",
    Undef = "undef",
    False = "false",
    True = "true",
    In = "in",
    Unless = "unless",
    Function = "function",
    Type = "type",
    Attr = "attr",
    Private = "private",
    Name,
    /// A bare word that is not a name, such as `a-b`.
    Word,
    /// A type name: `Foo::Bar`.
    TypeName,
    Number,
    Variable,
    String,
    /// The text of a string up to its first interpolation.
    StringStart,
    StringMiddle,
    StringEnd,
    Regex,
    /// `@(tag)`; the text is the syntax that the tag names.
    Heredoc,
    /// Stands between the heredoc's tag and the tokens of its text.
    HeredocText,
    EppStart,
    /// Literal text of a template.
    RenderString,
    /// `<%=`
    RenderExpression,
    EppEnd = "%>",
    EppEndTrim = "-%>",
    /// A character that starts no token. Nothing in the grammar accepts it.
    Other,
    EndOfInput,
}

impl TokenKind {
    /// Returns the keyword that a bare word is, if it is one.
    pub(crate) fn keyword(word: &str) -> Option<Self> {
        Some(match word {
            "case" => Self::Case,
            "class" => Self::Class,
            "default" => Self::Default,
            "define" => Self::Define,
            "if" => Self::If,
            "elsif" => Self::Elsif,
            "else" => Self::Else,
            "inherits" => Self::Inherits,
            "node" => Self::Node,
            "and" => Self::And,
            "or" => Self::Or,
            "undef" => Self::Undef,
            "false" => Self::False,
            "true" => Self::True,
            "in" => Self::In,
            "unless" => Self::Unless,
            "function" => Self::Function,
            "type" => Self::Type,
            "attr" => Self::Attr,
            "private" => Self::Private,
            _ => return None,
        })
    }

    /// Tells whether it is a keyword.
    pub(crate) fn is_keyword(self) -> bool {
        (Self::Case as u8..=Self::Private as u8).contains(&(self as u8))
    }

    /// Tells whether it can name an attribute: a name, or any keyword but the booleans.
    pub(crate) fn names_attribute(self) -> bool {
        self == Self::Name || self.is_keyword() && !matches!(self, Self::True | Self::False)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_knows_its_spelling() {
        for word in ["case", "private", "true", "inherits"] {
            let kind = TokenKind::keyword(word).expect("listed above");
            assert!(kind.is_keyword());
            assert_eq!(kind.spelling(), Some(word));
        }
        assert_eq!(TokenKind::keyword("plan"), None);
        assert!(!TokenKind::Name.is_keyword());
    }

    #[test]
    fn booleans_name_no_attribute() {
        assert!(TokenKind::If.names_attribute());
        assert!(!TokenKind::True.names_attribute());
        assert!(!TokenKind::Word.names_attribute());
    }
}
