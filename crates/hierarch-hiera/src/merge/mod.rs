//! Merge strategies: what becomes of the values that several levels hold for one key.
//!
//! A strategy is one file with one struct, and one line in [`STRATEGIES`]. A stage (the locations of a level,
//! the levels of a layer, the layers) folds its values from the highest priority down, two at a time.

mod deep;
mod first;
mod hash;
pub(crate) mod sort;
mod spoil;
mod unique;

use hierarch_pcore::types::{Element, StructType};
use hierarch_pcore::{Hash, Type, Value, mismatch};
use hierarch_source::{Error, Result};

use crate::issues;
use crate::piece::Piece;

use deep::Deep;

/// What a strategy has to say about values.
pub(crate) trait Merge<P: Piece> {
    /// Prepares the first value found by a stage that has several places to look at.
    fn convert(&self, value: P) -> P {
        value
    }

    /// Prepares the value of a stage that has but one place to look at.
    fn single(&self, value: P) -> P {
        value
    }

    /// Returns what the reference leaves of a value when it merges it, if that shows in explanations.
    fn spoiled(&self, high: &P, low: &P) -> Option<Value> {
        let _ = (high, low);
        None
    }

    /// Merges a value with one of lower priority.
    fn merge(&self, high: P, low: P) -> Result<P>;
}

/// A strategy with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategy {
    kind: Kind,
    options: Hash,
    deep: Deep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Default,
    First,
    Unique,
    Hash,
    Deep,
    UnconstrainedDeep,
    ReverseDeep,
}

/// The strategies by name, those that `--merge` accepts first.
const STRATEGIES: [(&str, Kind); 7] = [
    ("first", Kind::First),
    ("hash", Kind::Hash),
    ("unique", Kind::Unique),
    ("deep", Kind::Deep),
    ("default", Kind::Default),
    ("unconstrained_deep", Kind::UnconstrainedDeep),
    ("reverse_deep", Kind::ReverseDeep),
];

/// The strategies that the command line accepts.
pub const PUBLIC_NAMES: [&str; 4] = ["first", "hash", "unique", "deep"];

impl Default for Strategy {
    fn default() -> Self {
        Self::plain(Kind::Default)
    }
}

impl Strategy {
    fn plain(kind: Kind) -> Self {
        Self { kind, options: Hash::new(), deep: Deep::default() }
    }

    /// Returns the strategy that `lookup_options` are put together with.
    pub fn hash() -> Self {
        Self::plain(Kind::Hash)
    }

    /// Makes the strategy that a name, or a hash with options, stands for; undef stands for `default`.
    pub fn new(merge: &Value) -> Result<Self> {
        let (name, options) = match merge {
            Value::Undef | Value::Boolean(false) => return Ok(Self::default()),
            Value::Hash(hash) => match hash.get_str("strategy") {
                None | Some(Value::Undef) => return Err(issues::no_strategy_named()),
                Some(name) if hash.len() == 1 => (name, Hash::new()),
                Some(name) => (name, (**hash).clone()),
            },
            name => (name, Hash::new()),
        };
        let text = name.to_string();
        let known = STRATEGIES.iter().find(|(known, _)| name.as_str() == Some(known));
        let (_, kind) = known.ok_or_else(|| issues::unknown_strategy(&text))?;
        Self::plain(*kind).with_options(options)
    }

    fn with_options(mut self, options: Hash) -> Result<Self> {
        if !options.is_empty() {
            self.check_options(&options)?;
        }
        // Without options the reference takes `deep` itself, and says so.   case: hiera/generated
        if self.kind == Kind::UnconstrainedDeep && options.is_empty() {
            self.kind = Kind::Deep;
        }
        self.deep = Deep::new(&options, self.kind == Kind::ReverseDeep);
        self.options = options;
        Ok(self)
    }

    fn check_options(&self, options: &Hash) -> Result<()> {
        let wanted = match self.kind {
            Kind::UnconstrainedDeep | Kind::ReverseDeep => return Ok(()),
            Kind::Deep => deep::options_type(),
            _ => {
                StructType::new(vec![Element::optional("strategy", Type::optional_of(Type::string()))]).into()
            }
        };
        let options = Value::hash(options.clone());
        if wanted.has(&options) { Ok(()) } else { Err(type_mismatch("The merge options", &wanted, &options)) }
    }

    /// Returns the name.
    pub fn name(&self) -> &'static str {
        STRATEGIES.iter().find(|(_, kind)| *kind == self.kind).map_or("default", |(name, _)| name)
    }

    /// Returns the name that users know: what is not merged is looked up first found.
    pub fn shown_name(&self) -> &'static str {
        if self.is_first() { "first" } else { self.name() }
    }

    /// Returns the options other than the name.
    pub fn options(&self) -> Option<Hash> {
        let mut options = self.options.clone();
        options.remove(&Value::from("strategy"));
        (!options.is_empty()).then_some(options)
    }

    /// Tells whether merges are of hashes.
    pub(crate) fn makes_hashes(&self) -> bool {
        !self.is_first() && self.kind != Kind::Unique
    }

    /// Tells whether the first value found is the answer.
    pub fn is_first(&self) -> bool {
        matches!(self.kind, Kind::First | Kind::Default)
    }

    /// Returns the one who merges.
    pub(crate) fn rules<P: Piece>(&self) -> &dyn Merge<P> {
        match self.kind {
            Kind::First | Kind::Default => &first::First,
            Kind::Unique => &unique::Unique,
            Kind::Hash => &hash::Shallow,
            Kind::Deep | Kind::UnconstrainedDeep | Kind::ReverseDeep => &self.deep,
        }
    }
}

/// Refuses an element that a strategy cannot merge. The type is made only to say why.
fn check_element<P: Piece>(
    which: &str,
    element: &P,
    fits: fn(&Value) -> bool,
    wanted: fn() -> Type,
) -> Result<()> {
    let value = element.value();
    if fits(&value) {
        return Ok(());
    }
    Err(type_mismatch(&format!("The {which} element of the merge"), &wanted(), &value))
}

/// Says what of a value does not fit a type.
pub(crate) fn type_mismatch(subject: &str, wanted: &Type, value: &Value) -> Error {
    issues::wrong_type(mismatch::describe_value(&format!("{subject} has wrong type,"), wanted, value))
}
