//! Values and types of the Puppet world.
//!
//! A [`Value`] is immutable, cheap to clone, `Send + Sync`, and knows no catalog, no scope and no file.
//! A [`Type`] answers whether a value belongs to it ([`Type::has`]), whether another type fits
//! ([`Type::accepts`]), how it is written, and what of a value does not fit it ([`mismatch`]).
//!
//! ```
//! use hierarch_pcore::{Type, Value};
//!
//! let small = Type::build("Integer", &[Value::from(1), Value::from(5)])?;
//! assert!(small.has(&Value::from(3)));
//! assert!(!small.has(&Value::from(9)));
//! assert_eq!(small.to_string(), "Integer[1, 5]");
//! # Ok::<(), hierarch_source::Error>(())
//! ```

pub mod assign;
pub mod compare;
pub mod convert;
pub mod data;
pub mod format;
pub mod infer;
pub mod issues;
pub mod json;
pub mod mismatch;
pub mod render;
mod ruby_class;
#[cfg(test)]
mod testing;
pub mod types;
pub mod value;

pub use hierarch_regex as regex;
pub use ruby_class::ruby_class;
pub use types::Type;
pub use value::{Hash, HashIter, Str, Value};
