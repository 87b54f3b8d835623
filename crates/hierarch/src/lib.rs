//! The library's front door: the names that most users need, from the crates that hold them.
//!
//! Parse and validate a manifest without touching a disk:
//!
//! ```
//! use hierarch::source::Source;
//! use hierarch::syntax::{DumpFormat, ValidateOptions, check, dump};
//!
//! let source = Source::new("site.pp", "$greeting = 'hello'\nnotice($greeting)\n");
//! let checked = check(&source, &ValidateOptions::default());
//! assert!(checked.failure().is_none());
//!
//! let program = checked.program.expect("a manifest without errors has a tree");
//! assert!(dump(&program, DumpFormat::Pn).starts_with("(block (= (var \"greeting\") \"hello\")"));
//! ```
//!
//! Run one:
//!
//! ```
//! use hierarch::eval::Evaluator;
//! use hierarch::source::Source;
//!
//! let environment = hierarch::functions::environment();
//! let mut evaluator = Evaluator::new(&environment);
//! let value = evaluator.evaluate(&Source::unnamed("['a', 'b'].map |$x| { \"${x}!\" }"))?;
//! assert_eq!(value.to_string(), "[a!, b!]");
//! # Ok::<(), hierarch::source::Error>(())
//! ```

#[doc(hidden)]
pub mod cli;

pub use hierarch_eval as eval;
pub use hierarch_functions as functions;
pub use hierarch_pcore as pcore;
pub use hierarch_site as site;
pub use hierarch_source as source;
pub use hierarch_syntax as syntax;
