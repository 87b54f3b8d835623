//! Operators, and the forms in which resources are declared: what they are called and what they have in common.

/// An operator between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "see `symbol`")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Match,
    NoMatch,
    In,
    And,
    Or,
    Assign,
    PlusAssign,
    MinusAssign,
    Before,
    Notify,
    After,
    Subscribe,
}

/// An operator in front of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named as in the language reference")]
pub enum UnaryOp {
    Not,
    Minus,
    /// `*`
    Unfold,
    /// `( )`
    Paren,
}

/// Whether a resource is meant for this catalog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As it stands.
    Regular,
    /// `@`: only if it is realized.
    Virtual,
    /// `@@`: for others too.
    Exported,
}

impl BinaryOp {
    /// Returns how it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
            Self::ShiftLeft => "<<",
            Self::ShiftRight => ">>",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::Match => "=~",
            Self::NoMatch => "!~",
            Self::In => "in",
            Self::And => "and",
            Self::Or => "or",
            Self::Assign => "=",
            Self::PlusAssign => "+=",
            Self::MinusAssign => "-=",
            Self::Before => "->",
            Self::Notify => "~>",
            Self::After => "<-",
            Self::Subscribe => "<~",
        }
    }

    /// Tells whether it assigns.
    pub fn is_assignment(self) -> bool {
        matches!(self, Self::Assign | Self::PlusAssign | Self::MinusAssign)
    }

    /// Tells whether it relates resources.
    pub fn is_relationship(self) -> bool {
        matches!(self, Self::Before | Self::Notify | Self::After | Self::Subscribe)
    }

    /// Tells whether it compares.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Equal | Self::NotEqual | Self::Less | Self::LessEqual | Self::Greater | Self::GreaterEqual
        )
    }
}

impl Form {
    /// Returns the word that dumps use, none for a regular resource.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Regular => None,
            Self::Virtual => Some("virtual"),
            Self::Exported => Some("exported"),
        }
    }
}
