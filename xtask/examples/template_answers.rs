//! Renders templates, one JSON object per line, for `scripts/compare-templates`: the first line has the variables.

use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;

use hierarch_compose::expr::{Context, ExpressionHost, Expressions, Options, TemplateSettings};
use hierarch_pcore::data::from_json;
use hierarch_pcore::{Hash, Value};
use serde_json::{Value as Json, json};

/// A machine whose clock stands still and whose chance is always the same, and that has no files.
struct Still;

impl ExpressionHost for Still {
    fn variable(&self, _: &str) -> hierarch_source::Result<Option<String>> {
        Ok(None)
    }

    fn read(&self, _: &Path) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }

    fn now(&self) -> Option<f64> {
        Some(0.0)
    }

    fn random(&self, bytes: &mut [u8]) -> hierarch_source::Result<()> {
        bytes.fill(0);
        Ok(())
    }
}

fn answer(case: &Json, variables: &Hash) -> Json {
    let text = |key: &str| case.get(key).and_then(Json::as_str).unwrap_or_default();
    let settings =
        if text("mode") == "ansible" { TemplateSettings::ansible() } else { TemplateSettings::default() };
    let options = Options { host: Arc::new(Still), settings, ..Options::default() };
    let context = Context { variables: variables.clone(), ..Context::default() };
    let rendered = Expressions::with(Hash::new(), options).and_then(|expressions| match text("mode") {
        "text" | "ansible" => expressions.render(text("template"), &context),
        _ => expressions.render_value(text("template"), &context),
    });
    match rendered {
        Ok(value) => match serde_json::from_str::<Json>(&value.to_json()) {
            Ok(found) => json!({ "result": found }),
            Err(_) => json!({ "result": value.to_string() }),
        },
        Err(error) => json!({ "error": error.message }),
    }
}

fn main() -> std::io::Result<()> {
    let input = std::io::stdin().lock();
    let mut out = std::io::stdout().lock();
    let mut variables = Hash::new();
    for (number, line) in input.lines().enumerate() {
        let case: Json = serde_json::from_str(&line?)?;
        if number == 0 {
            if let Value::Hash(map) = from_json(&case) {
                variables = Hash::clone(&map);
            }
            continue;
        }
        writeln!(out, "{}", answer(&case, &variables))?;
    }
    Ok(())
}
