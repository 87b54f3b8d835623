//! Merge directives: documents that are expanded when they are read and get their directives back when
//! they are saved.
//!
//! Keys such as `+include`, `+*anchor`, `+../relative` and `+/absolute/path` bring values from elsewhere.

mod backend;
mod define;
mod directive;
mod document;
mod edit;
mod expand;
pub mod expr;
mod forest;
mod idle;
mod include;
mod issues;
mod keyed;
mod layers;
mod lint;
mod merge;
mod origin;
mod restore;
mod select;
mod spell;
mod stream;
mod tags;
mod template;
mod users;
mod words;

pub use backend::directives_data;
pub use define::{Definition, TextChange, define_all};
pub use directive::Directive;
pub use document::Document;
pub use edit::{Edit, segments};
pub use forest::{Forest, Val};
pub use idle::MOST_TRIED;
pub use include::{Access, Fetch, FetchFailure, Location, MOST_INCLUDES, Notations, Reading, VariableSource};
pub use issues::kind;
pub use keyed::{KeyTable, Misfit, built_in_table};
pub use layers::{Layers, Lists};
pub use lint::{lint, misspelt};
pub use merge::Strategy;
pub use origin::{Difference, Origin};
pub use select::{Condition, Holds, SelectedPlace, Selector, conditions};
pub use spell::{Spelling, SpellingDifference, spelling_differences};
pub use stream::{Choice, Stream};
