//! Kind `parse`: the dump of a manifest that nobody has validated, or its syntax error.

use hierarch_source::Source;
use hierarch_syntax::{DumpFormat, dump, parse};
use serde_json::Value as Json;

use super::{Answer, Case, Judge, Verdict, lang};

/// Judges cases of kind `parse`.
pub(super) struct Parse;

impl Judge for Parse {
    fn kind(&self) -> &'static str {
        "parse"
    }

    fn decisive(&self, _: &Case) -> &'static [&'static str] {
        lang::RECORDED
    }

    fn ask(&self, case: &Case) -> Answer {
        let code = case.text("code").unwrap_or_default();
        let mut answer = Answer::new();
        let parsed = parse(&Source::unnamed(code));
        lang::add_messages(&mut answer, "warnings", &parsed.warnings);
        match &parsed.program {
            Ok(program) => {
                let pretty = case.text("format") == Some("pretty");
                let format = if pretty { DumpFormat::PnPretty } else { DumpFormat::Pn };
                answer.insert("pn".to_owned(), dump(program, format).into());
                if case.text("format") == Some("json") {
                    let text = dump(program, DumpFormat::Json);
                    let json = serde_json::from_str(&text)
                        .unwrap_or_else(|error| Json::from(format!("not JSON: {error}: {text}")));
                    answer.insert("pn_json".to_owned(), json);
                }
            }
            Err(error) => drop(answer.insert("error".to_owned(), lang::error_of(error))),
        }
        answer
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        lang::compare(case, answer)
    }
}
