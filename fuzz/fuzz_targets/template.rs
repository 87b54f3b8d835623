//! Any text as a Jinja2 template: rendered as a text and as a value, strictly and leniently, without a panic.

#![no_main]

use hierarch_compose::expr::{Context, Expressions, ExpressionLimits, Options};
use hierarch_pcore::{Hash, Value};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let variables: Hash = [
        ("name", Value::from("web01")),
        ("nums", Value::array(vec![3.into(), 1.into(), 2.into()])),
        ("opts", [("a", 1), ("b", 2)].into_iter().collect::<Hash>().into()),
        ("nothing", Value::Undef),
    ]
    .into_iter()
    .collect();
    let limits = ExpressionLimits { depth: 50, steps: 100_000, fuel: 20_000, size: 1 << 16 };
    let Ok(expressions) = Expressions::with(Hash::new(), Options { limits, ..Options::default() }) else { return };
    for strict in [true, false] {
        let context = Context { variables: variables.clone(), strict, ..Context::default() };
        let _ = expressions.render(text, &context);
        let _ = expressions.render_value(text, &context);
    }
});
