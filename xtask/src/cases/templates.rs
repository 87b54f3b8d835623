//! Kind `template`: Jinja2 templates of our own, with what Ansible made of them.

use std::io;
use std::path::Path;
use std::sync::Arc;

use hierarch_compose::expr::{Context, ExpressionHost, Expressions, Options, TemplateSettings};
use hierarch_pcore::Hash;
use hierarch_pcore::data::hash_from_json;
use hierarch_source::Result;
use serde_json::Value as Json;

use super::expressions::json_of;
use super::outcome::{fails_with, gives, outcome};
use super::{Answer, Case, Judge, Verdict};

/// Judges cases of kind `template`. Where Ansible fails, so must we; its words are for information.
pub(super) struct Template;

impl Judge for Template {
    fn kind(&self) -> &'static str {
        "template"
    }

    fn decisive(&self, _: &Case) -> &'static [&'static str] {
        &["result"]
    }

    fn ask(&self, case: &Case) -> Answer {
        outcome(answer(case), |_| ANY)
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        match case.fields.get("result") {
            Some(wanted) => gives(answer, wanted),
            None if case.fields.contains_key("error") => fails_with(answer, ANY),
            None => Verdict::failed("this case has neither `result` nor `error`"),
        }
    }
}

/// The one kind of error there is here.
const ANY: &str = "any";

fn answer(case: &Case) -> Result<Json> {
    let template = case.text("template").unwrap_or_default();
    let settings = if case.text("mode") == Some("ansible") {
        TemplateSettings::ansible()
    } else {
        TemplateSettings::default()
    };
    let options = Options { host: Arc::new(Plain), settings, ..Options::default() };
    let expressions = Expressions::with(Hash::new(), options)?;
    let variables =
        case.setting.get("vars").and_then(Json::as_object).map(hash_from_json).unwrap_or_default();
    let context = Context { variables, ..Context::default() };
    let rendered = match case.text("mode") {
        Some("text" | "ansible") => expressions.render(template, &context)?,
        _ => expressions.render_value(template, &context)?,
    };
    Ok(json_of(&rendered))
}

/// A machine without variables and files, whose clock stands still and whose chance is always the same.
struct Plain;

impl ExpressionHost for Plain {
    fn variable(&self, _: &str) -> Result<Option<String>> {
        Ok(None)
    }

    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn now(&self) -> Option<f64> {
        Some(0.0)
    }

    fn random(&self, bytes: &mut [u8]) -> Result<()> {
        bytes.fill(0);
        Ok(())
    }
}
