//! ERB templates: texts with tags become one Ruby program that appends to `_erbout`.

mod compile;

pub use compile::compile;
