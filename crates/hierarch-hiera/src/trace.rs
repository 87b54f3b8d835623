//! What can be listened to while a lookup goes on. Explanations are made of these events.

use hierarch_pcore::{Hash, Str, Value};

/// A listener to what a lookup does.
pub trait Listener {
    /// Something begins; what follows belongs to it, until [`Listener::leave`].
    fn enter(&mut self, node: LookupStep);

    /// It ends.
    fn leave(&mut self);

    /// Something happened.
    fn event(&mut self, event: Event);

    /// Tells whether it may see secrets.
    fn shows_secrets(&self) -> bool {
        false
    }

    /// Tells whether only the lookup options are of interest.
    fn wants_only_options(&self) -> bool {
        false
    }
}

/// A step of a lookup that has steps inside.
#[derive(Clone, Debug)]
pub enum LookupStep {
    /// A key is searched for.
    Key(Str),
    /// A key is asked for that is reserved.
    InvalidKey(Str),
    /// A text with tokens is filled in.
    Interpolation(Str),
    /// A layer is asked.
    Layer {
        /// What it is called.
        name: String,
        /// The path of its configuration, if it has one.
        config: Option<String>,
        /// The module it belongs to.
        module: Option<Str>,
    },
    /// A level of a hierarchy is asked.
    Level(String),
    /// A file or URI is asked.
    Location {
        /// A path, no URI.
        is_path: bool,
        /// As written in the configuration.
        original: Str,
        /// With everything filled in.
        location: Str,
    },
    /// Several values are merged.
    Merge {
        /// The strategy.
        strategy: &'static str,
        /// Its options.
        options: Option<Hash>,
    },
    /// A place that has a name of its own, such as `Global Scope`.
    Place(String),
    /// A value is dug for.
    SubKey(String),
    /// One step of digging.
    Segment,
}

/// What happens in a step.
#[derive(Clone, Debug)]
pub enum Event {
    /// A value was found.
    Found(Str, Value),
    /// A value was found among those that override all others.
    FoundInOverrides(Str, Value),
    /// A value was found among those that are used last.
    FoundInDefaults(Str, Value),
    /// There is no such key.
    NotFound(Str),
    /// The file is not there.
    LocationNotFound,
    /// The result of a merge.
    Result(Value),
    /// A value told before is changed by a merge: it is the very same that was told.
    Changed {
        /// As it was.
        before: Value,
        /// As it is.
        after: Value,
    },
    /// All that is found in this step is secret.
    Secret,
    /// The merge to be used comes from here.
    MergeSource(&'static str),
    /// There is no such module.
    ModuleNotFound(Str),
    /// The module has no data.
    ModuleWithoutData(Str),
    /// Words of a data function, or about what happened.
    Text(String),
}
