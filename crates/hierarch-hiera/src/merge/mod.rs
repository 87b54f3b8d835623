//! Merge strategies: what becomes of the values that several levels hold for one key.
//!
//! A strategy is one file with one [`Definition`], and one line in [`STRATEGIES`]. A stage (the locations of a level,
//! the levels of a layer, the layers) folds its values from the highest priority down, two at a time.

mod deep;
mod first;
mod gather;
mod hash;
mod sort;
mod spoil;
mod unique;

use std::fmt::Debug;
use std::sync::Arc;

use hierarch_pcore::types::{Element, StructType};
use hierarch_pcore::{Hash, Type, Value, mismatch};
use hierarch_source::{Error, Result};

pub(crate) use gather::Gather;

use crate::issues;
use crate::marked::MarkedValue;
use crate::origin::TracedValue;
use crate::piece::Piece;

/// All strategies, those that `--merge` accepts first.
static STRATEGIES: &[&Definition] = &[
    &first::FIRST,
    &hash::HASH,
    &unique::UNIQUE,
    &deep::DEEP,
    &first::DEFAULT,
    &deep::UNCONSTRAINED_DEEP,
    &deep::REVERSE_DEEP,
];

/// What a strategy has to say. Its file says all of it; nothing about that strategy stands elsewhere.
pub(crate) struct Definition {
    /// The name by which lookup options and explanations know it.
    name: &'static str,
    /// What it does, in a sentence.
    doc: &'static str,
    /// Users may ask for it by name.
    is_public: bool,
    /// What it makes of several values.
    makes: Makes,
    /// The type of its options; none: they are not looked at.
    options: Option<fn() -> Type>,
    /// The definition that stands in where no options are given.
    without_options: Option<&'static Self>,
    /// What the functions that were there before `lookup` call the value that they cannot dig in.
    undiggable: Option<&'static str>,
    /// Makes the code for some options.
    code: fn(&Hash) -> Code,
}

/// What becomes of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Makes {
    /// The first one counts.
    First,
    /// A list of them.
    List,
    /// One hash of all.
    Hash,
}

/// The code of a strategy: one for all, or made for its options.
#[derive(Clone)]
enum Code {
    Fixed(&'static dyn Rules),
    Made(Arc<dyn Rules>),
}

/// The type of options of strategies that have none.
fn no_options() -> Type {
    StructType::new(vec![Element::optional("strategy", Type::optional_of(Type::string()))]).into()
}

/// What a strategy does with values.
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

    /// Begins to merge many values with the first that was found. Nothing where they are merged two at a time.
    fn gather<'g>(&'g self, first: &P) -> Option<Box<dyn Gather<P> + 'g>>
    where
        P: 'g,
    {
        let _ = first;
        None
    }
}

/// Code that merges values, whether their origins or marks are kept or not.
pub(crate) trait Rules: Merge<Value> + Merge<TracedValue> + Merge<MarkedValue> + Send + Sync {}

impl<T: Merge<Value> + Merge<TracedValue> + Merge<MarkedValue> + Send + Sync> Rules for T {}

/// A strategy with its options.
#[derive(Clone)]
pub struct Strategy {
    definition: &'static Definition,
    options: Hash,
    code: Code,
}

impl PartialEq for Strategy {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.options == other.options
    }
}

impl Debug for Strategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Strategy")
            .field("name", &self.name())
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Default for Strategy {
    fn default() -> Self {
        Self::of(&first::DEFAULT, Hash::new())
    }
}

impl Strategy {
    fn of(definition: &'static Definition, options: Hash) -> Self {
        Self { definition, code: (definition.code)(&options), options }
    }

    /// Returns the names and descriptions of the strategies that users may ask for.
    pub fn public() -> impl Iterator<Item = (&'static str, &'static str)> {
        STRATEGIES.iter().filter(|known| known.is_public).map(|known| (known.name, known.doc))
    }

    /// Returns the strategy that `lookup_options` are put together with.
    pub fn hash() -> Self {
        Self::of(&hash::HASH, Hash::new())
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
        let known = STRATEGIES.iter().find(|known| name.as_str() == Some(known.name));
        let definition = *known.ok_or_else(|| issues::unknown_strategy(&name.to_plain()))?;
        match definition.without_options {
            _ if !options.is_empty() => definition.check(&options)?,
            Some(other) => return Ok(Self::of(other, options)),
            None => {}
        }
        Ok(Self::of(definition, options))
    }

    /// Returns the name.
    pub fn name(&self) -> &'static str {
        self.definition.name
    }

    /// Returns the name that users know: what is not merged is looked up first found.
    pub fn shown_name(&self) -> &'static str {
        if self.is_first() { first::FIRST.name } else { self.name() }
    }

    /// Returns the options other than the name.
    pub fn options(&self) -> Option<Hash> {
        let mut options = self.options.clone();
        options.remove(&Value::from("strategy"));
        (!options.is_empty()).then_some(options)
    }

    /// Tells whether merges are of hashes.
    pub(crate) fn makes_hashes(&self) -> bool {
        self.definition.makes == Makes::Hash
    }

    /// Tells whether hashes are merged one level deep, unless something else is configured.
    pub(crate) fn is_hash(&self) -> bool {
        std::ptr::eq(self.definition, &raw const hash::HASH)
    }

    /// Returns what a value is called that the functions which were there before `lookup` cannot dig in.
    pub(crate) fn undiggable(&self) -> Option<&'static str> {
        self.definition.undiggable
    }

    /// Tells whether the first value found is the answer.
    pub fn is_first(&self) -> bool {
        self.definition.makes == Makes::First
    }

    /// Returns the code that merges.
    pub(crate) fn rules<P: Piece>(&self) -> &dyn Merge<P> {
        match &self.code {
            Code::Fixed(rules) => P::merging(*rules),
            Code::Made(rules) => P::merging(&**rules),
        }
    }
}

impl Definition {
    fn check(&self, options: &Hash) -> Result<()> {
        let Some(wanted) = self.options.map(|wanted| wanted()) else { return Ok(()) };
        let options = Value::hash(options.clone());
        if wanted.has(&options) { Ok(()) } else { Err(type_mismatch("The merge options", &wanted, &options)) }
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

#[cfg(test)]
mod tests {
    use crate::testing::{Layers, check_layers};

    /// Hashes are merged at every depth, lists are joined, and what is of another kind is kept or replaced.
    #[test]
    fn deep_reaches_into_hashes() {
        check_layers(&[
            ("{strategy: deep}", &["{a: 1}", "{b: 2}"], r#"{"b":2,"a":1}"#),
            ("{strategy: deep}", &["{a: 1}", "{a: 2, b: 2}"], r#"{"a":1,"b":2}"#),
            ("{strategy: deep}", &["{a: {x: 1}}", "{a: {y: 2}}"], r#"{"a":{"y":2,"x":1}}"#),
            ("{strategy: deep}", &["{a: {x: 1}}", "{a: 5}"], r#"{"a":{"x":1}}"#),
            ("{strategy: deep}", &["{a: 5}", "{a: {x: 1}}"], r#"{"a":5}"#),
            ("{strategy: deep}", &["{a: [1]}", "{a: [2]}"], r#"{"a":[2,1]}"#),
            ("{strategy: deep}", &["{a: [1]}", "{a: {x: 1}}"], r#"{"a":[1]}"#),
            ("{strategy: deep}", &["{a: {x: 1}}", "{a: [1]}"], r#"{"a":{"x":1}}"#),
            ("{strategy: deep}", &["{a: [1, 1]}", "{a: [1]}"], r#"{"a":[1]}"#),
            ("{strategy: deep}", &["{a: [{x: 1}]}", "{a: [{x: 2}]}"], r#"{"a":[{"x":2},{"x":1}]}"#),
            ("{strategy: deep}", &["{a: null}", "{a: 1}"], r#"{"a":1}"#),
            ("{strategy: deep}", &["{a: 1}", "{a: null}"], r#"{"a":1}"#),
            ("{strategy: deep}", &[r#"{a: ""}"#, "{a: 1}"], r#"{"a":""}"#),
            ("{strategy: deep}", &["{a: false}", "{a: true}"], r#"{"a":false}"#),
            ("{strategy: deep}", &["{}", "{a: 1}"], r#"{"a":1}"#),
            ("{strategy: deep}", &["{a: {}}", "{a: {x: 1}}"], r#"{"a":{"x":1}}"#),
            ("{strategy: deep}", &["{a: []}", "{a: [1]}"], r#"{"a":[1]}"#),
            ("{strategy: deep}", &["[1, 2]", "[2, 3]"], "[2,3,1]"),
            ("{strategy: deep}", &["[]", "[1]"], "[1]"),
            ("{strategy: deep}", &["[1]", "{a: 1}"], "[1]"),
            ("{strategy: deep}", &["{a: 1}", "[1]"], r#"{"a":1}"#),
            ("{strategy: deep}", &["x", "y"], r#""x""#),
            ("{strategy: deep}", &["x", "[y]"], r#""x""#),
            ("{strategy: deep}", &["[x]", "y"], r#"["x"]"#),
            ("{strategy: deep}", &["x", "{a: 1}"], r#""x""#),
            ("{strategy: deep}", &["{a: 1}", "x"], r#"{"a":1}"#),
            ("{strategy: deep}", &["{a: 1}", "{b: 2}", "{a: 3, c: 4}"], r#"{"a":1,"c":4,"b":2}"#),
            ("{strategy: deep}", &["{a: [1]}", "{a: [2]}", "{a: [3]}"], r#"{"a":[3,2,1]}"#),
            (
                "{strategy: deep}",
                &["{a: {x: [1]}}", "{a: {x: [2], y: 1}}", "{a: {y: 2, z: 3}}"],
                r#"{"a":{"y":1,"z":3,"x":[2,1]}}"#,
            ),
            ("{strategy: deep}", &["{a: [[1]]}", "{a: [[1], [2]]}"], r#"{"a":[[1],[2]]}"#),
            ("{strategy: deep}", &[r#"{a: [1, 1.0, "1"]}"#, "{a: [1.0]}"], r#"{"a":[1.0,1,"1"]}"#),
            ("{strategy: deep}", &["{b: 1, a: 2}", "{a: 1, c: 3}"], r#"{"a":2,"c":3,"b":1}"#),
        ]);
    }

    /// `--x` takes `x` out of what stands below; `--` alone takes everything out.
    #[test]
    fn a_prefix_knocks_out() {
        check_layers(&[
            ("{strategy: deep, knockout_prefix: '--'}", &["[--a]", "[a, b]"], r#"["b"]"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["[a, --b]", "[b, c]"], r#"["c","a"]"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["[--]", "[a, b]"], "[]"),
            ("{strategy: deep, knockout_prefix: '--'}", &["[--, c]", "[a, b]"], r#"["c"]"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["[a, --a]", "[b]"], r#"["b","a"]"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["[--a, a]", "[b]"], r#"["b","a"]"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["[--x]", "[a]"], r#"["a"]"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["[--a]", "[]"], "[]"),
            ("{strategy: deep, knockout_prefix: '--'}", &["[--a]", "[--a]"], "[]"),
            ("{strategy: deep, knockout_prefix: '--'}", &["[a]", "[--a]"], r#"["--a","a"]"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["{a: --}", "{a: 1, b: 2}"], r#"{"a":"","b":2}"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["{a: --x}", "{a: x}"], r#"{"a":""}"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["{a: --x}", "{a: y}"], r#"{"a":""}"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["{a: --}", "{a: [1]}"], r#"{"a":""}"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["{a: --}", "{a: {x: 1}}"], r#"{"a":""}"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["{a: [--x]}", "{a: [x, y]}"], r#"{"a":["y"]}"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["{a: [--x]}", "{a: x}"], r#"{"a":[]}"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["{--a: 1}", "{a: 2}"], r#"{"a":2,"--a":1}"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["{--a: }", "{a: 2}"], r#"{"a":2,"--a":null}"#),
            (
                "{strategy: deep, knockout_prefix: '--'}",
                &["{a: {x: --}}", "{a: {x: 1, y: 2}}"],
                r#"{"a":{"x":"","y":2}}"#,
            ),
            ("{strategy: deep, knockout_prefix: '--'}", &["[--a]", "[b]", "[a, c]"], r#"["a","c","b"]"#),
            ("{strategy: deep, knockout_prefix: '--'}", &["[c]", "[--a]", "[a, b]"], r#"["b","c"]"#),
            (
                "{strategy: deep, knockout_prefix: '--'}",
                &["{a: --}", "{b: 1}", "{a: 2}"],
                r#"{"a":"","b":1}"#,
            ),
            ("{strategy: deep, knockout_prefix: '--'}", &["--x", "x"], r#""""#),
            ("{strategy: deep, knockout_prefix: '--'}", &["--", "x"], r#""""#),
            ("{strategy: deep, knockout_prefix: '--'}", &["x", "--x"], r#""x""#),
            ("{strategy: deep, knockout_prefix: '--'}", &["[1, --1]", "[1, 2]"], "[1,2]"),
            ("{strategy: deep, knockout_prefix: '--'}", &["[--1]", r#"["1", 2]"#], "[2]"),
        ]);
    }

    /// What the options of the deep merge do to lists.
    const LISTS_ARE_SORTED_JOINED_OR_TAKEN_APART: &[Layers<'static>] = &[
        ("{strategy: deep, sort_merged_arrays: true}", &["[c, a]", "[b]"], r#"["a","b","c"]"#),
        (
            "{strategy: deep, sort_merged_arrays: true}",
            &["{x: [c, a]}", "{x: [b]}"],
            r#"{"x":["a","b","c"]}"#,
        ),
        ("{strategy: deep, sort_merged_arrays: true}", &["[c, A, b]", "[B]"], r#"["A","B","b","c"]"#),
        ("{strategy: deep, sort_merged_arrays: true}", &["[2, 10]", "[1]"], "[1,2,10]"),
        (
            "{strategy: deep, sort_merged_arrays: true}",
            &["[2, a]", "[1]"],
            "fails: comparison of Integer with String failed",
        ),
        (
            "{strategy: deep, sort_merged_arrays: true}",
            &["{x: [c, a]}", "{y: [b]}"],
            r#"{"y":["b"],"x":["a","c"]}"#,
        ),
        ("{strategy: deep, sort_merged_arrays: true}", &["[b, a]", "[]"], r#"["a","b"]"#),
        ("{strategy: deep, merge_hash_arrays: true}", &["[{a: 1}]", "[{b: 2}]"], r#"[{"b":2,"a":1}]"#),
        (
            "{strategy: deep, merge_hash_arrays: true}",
            &["[{a: 1}, {c: 3}]", "[{b: 2}]"],
            r#"[{"b":2,"a":1},{"c":3}]"#,
        ),
        (
            "{strategy: deep, merge_hash_arrays: true}",
            &["[{a: 1}]", "[{b: 2}, {d: 4}]"],
            r#"[{"b":2,"a":1},{"d":4}]"#,
        ),
        ("{strategy: deep, merge_hash_arrays: true}", &["[x]", "[{b: 2}]"], r#"[{"b":2},"x"]"#),
        (
            "{strategy: deep, merge_hash_arrays: true}",
            &["{l: [{a: 1}]}", "{l: [{a: 2, b: 3}]}"],
            r#"{"l":[{"a":1,"b":3}]}"#,
        ),
        (
            "{strategy: deep, merge_hash_arrays: true}",
            &["[{a: {x: 1}}]", "[{a: {y: 2}}]"],
            r#"[{"a":{"y":2,"x":1}}]"#,
        ),
        (
            "{strategy: deep, unpack_arrays: ','}",
            &[r#"["a,b"]"#, r#"["c"]"#],
            "fails: The merge options has wrong type, unrecognized key 'unpack_arrays'",
        ),
        (
            "{strategy: deep, unpack_arrays: ','}",
            &[r#"["a,b", "c"]"#, r#"["b,d"]"#],
            "fails: The merge options has wrong type, unrecognized key 'unpack_arrays'",
        ),
        (
            "{strategy: deep, unpack_arrays: ','}",
            &[r#"{l: ["a,b"]}"#, r#"{l: ["c,a"]}"#],
            "fails: The merge options has wrong type, unrecognized key 'unpack_arrays'",
        ),
        (
            "{strategy: deep, unpack_arrays: ','}",
            &[r#"["a, b"]"#, r#"["b"]"#],
            "fails: The merge options has wrong type, unrecognized key 'unpack_arrays'",
        ),
    ];

    #[test]
    fn lists_are_sorted_joined_or_taken_apart() {
        check_layers(LISTS_ARE_SORTED_JOINED_OR_TAKEN_APART);
    }

    /// The other strategies, and what cannot be one.
    const SIMPLE_STRATEGIES: &[Layers<'static>] = &[
        ("first", &["1", "2"], "1"),
        ("first", &["null", "2"], "null"),
        ("first", &["[1]", "[2]"], "[1]"),
        ("first", &["{a: 1}", "{b: 2}"], r#"{"a":1}"#),
        ("unique", &["[1, 2]", "[2, 3]"], "[1,2,3]"),
        ("unique", &["1", "2"], "[1,2]"),
        ("unique", &["1", "[1, 2]"], "[1,2]"),
        ("unique", &["[[1, 2]]", "[2]"], "[1,2]"),
        ("unique", &["null", "1"], "[null,1]"),
        ("unique", &["{a: 1}", "1"], r#"[{"a":1},1]"#),
        ("unique", &["[a]", "[A]"], r#"["a","A"]"#),
        ("unique", &["[1]", "[1.0]"], "[1,1.0]"),
        ("unique", &["[{a: 1}]", "[{a: 1}]"], r#"[{"a":1}]"#),
        ("hash", &["{a: 1}", "{a: 2, b: 3}"], r#"{"a":1,"b":3}"#),
        ("hash", &["{a: {x: 1}}", "{a: {y: 2}}"], r#"{"a":{"x":1}}"#),
        (
            "hash",
            &["1", "{a: 1}"],
            "fails: The first element of the merge has wrong type, expects a Hash value, got Integer",
        ),
        (
            "hash",
            &["{a: 1}", "1"],
            "fails: The second element of the merge has wrong type, expects a Hash value, got Integer",
        ),
        (
            "hash",
            &["[1]", "[2]"],
            "fails: The first element of the merge has wrong type, expects a Hash value, got Tuple",
        ),
        ("hash", &["{b: 1}", "{a: 2, c: 3}"], r#"{"a":2,"c":3,"b":1}"#),
        (
            "hash",
            &["null", "{a: 1}"],
            "fails: The first element of the merge has wrong type, expects a Hash value, got Undef",
        ),
        ("deep", &["{a: 1}", "{b: 1}"], r#"{"b":1,"a":1}"#),
        ("{strategy: hash}", &["{a: 1}", "{b: 1}"], r#"{"b":1,"a":1}"#),
        ("nope", &["1", "2"], "fails: Unknown merge strategy: 'nope'"),
        ("{strategy: nope}", &["1", "2"], "fails: Unknown merge strategy: 'nope'"),
        (
            "{knockout_prefix: x}",
            &["1", "2"],
            "fails: The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'",
        ),
        (
            "{strategy: deep, knockout_prefix: ''}",
            &["[1]", "[2]"],
            "fails: knockout_prefix cannot be an empty string in deep_merge!",
        ),
        (
            "{strategy: deep, odd: 1}",
            &["[1]", "[2]"],
            "fails: The merge options has wrong type, unrecognized key 'odd'",
        ),
        (
            "{strategy: deep, sort_merged_arrays: 1}",
            &["[1]", "[2]"],
            "fails: The merge options has wrong type, entry 'sort_merged_arrays' expects a value of type Undef or Boolean, got Integer",
        ),
        (
            "{strategy: unique, odd: 1}",
            &["[1]", "[2]"],
            "fails: The merge options has wrong type, unrecognized key 'odd'",
        ),
        ("reverse_deep", &["{a: 1}", "{a: 2}"], r#"{"a":2}"#),
        ("unconstrained_deep", &["{a: 1}", "{a: 2}"], r#"{"a":1}"#),
        ("[deep]", &["1", "2"], r#"fails: Unknown merge strategy: '["deep"]'"#),
        ("5", &["1", "2"], "fails: Unknown merge strategy: '5'"),
    ];

    #[test]
    fn simple_strategies() {
        check_layers(SIMPLE_STRATEGIES);
    }
}
