//! What `require` makes visible: a file per library.

use crate::core::ClassSpec;

/// A library.
pub struct Library {
    /// What `require` knows it by, such as `digest/sha2`; the first is its name.
    pub features: &'static [&'static str],
    /// Its classes and modules.
    pub classes: &'static [&'static ClassSpec],
    /// Whether Puppet has loaded it before any script runs.
    pub is_loaded: bool,
}

/// All libraries.
pub static LIBRARIES: &[Library] =
    &[Library { features: &["puppet"], classes: crate::puppet::CLASSES, is_loaded: true }];

/// Features that are there without a class of ours: `require` of them does nothing.
pub const EMPTY_FEATURES: &[&str] = &["English", "enumerator", "thread", "rubygems", "rational"];

/// Finds a library by what `require` is given.
pub fn find(feature: &str) -> Option<&'static Library> {
    let feature = feature.strip_suffix(".rb").unwrap_or(feature);
    LIBRARIES.iter().find(|library| library.features.contains(&feature))
}

/// Returns the library that a class belongs to; nothing for classes of Ruby itself.
pub fn owner(class: &str) -> Option<&'static Library> {
    LIBRARIES.iter().find(|library| library.classes.iter().any(|spec| spec.name == class))
}
