//! Any text as a document with expressions: every value of it is evaluated, and what `ask` holds is asked, without a panic.

#![no_main]

use hierarch_compose::expr::{Context, Expressions, DocumentLimits as Bounds, Options};
use hierarch_pcore::{Hash, Value};
use hierarch_source::Source;
use hierarch_yaml::{Dialect, DocumentLimits, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let limits = DocumentLimits { expanded: 10_000, ..DocumentLimits::default() };
    let Ok(tree) = read(&Source::unnamed(text), Dialect::Core, limits) else { return };
    let Some(Ok(data)) = tree.root().map(|root| tree.data(root, limits)) else { return };
    let Value::Hash(document) = hierarch_pcore::data::from_data(&data, hierarch_pcore::data::Rules::Text) else { return };
    let bounds = Bounds { depth: 50, steps: 100_000, fuel: 20_000, size: 1 << 16 };
    let options = Options { limits: bounds, ..Options::default() };
    let Ok(expressions) = Expressions::with(Hash::clone(&document), options) else { return };
    let context = Context::default();
    let _ = expressions.evaluated(&context);
    if let Some(question) = document.get_str("ask") {
        let _ = expressions.query(question, &context);
    }
});
