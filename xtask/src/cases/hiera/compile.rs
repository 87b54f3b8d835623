//! Kind `compile`: a manifest run for a node, its notices, warnings and failure held against the record.

use hierarch_eval::{Catalog, Level, Log};
use hierarch_site::Site;
use hierarch_source::{Result, Source};
use serde_json::Value as Json;

use super::difference;
use super::site::{node_of, site_of, tidied, warnings_of};
use crate::cases::{Answer, Case, Judge, Verdict};

/// The parts that the recorder writes.
const RECORDED: &[&str] = &["error", "notices", "warnings"];

/// Judges manifests that look values up.
pub(in crate::cases) struct Compile;

impl Judge for Compile {
    fn kind(&self) -> &'static str {
        "compile"
    }

    fn decisive(&self, case: &Case) -> &'static [&'static str] {
        if case.fields.get("error").is_some_and(super::is_rubys_own) { &["notices"] } else { RECORDED }
    }

    fn ask(&self, case: &Case) -> Answer {
        answer(case)
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        Verdict::of(RECORDED.iter().filter_map(|part| difference(case, part, answer.get(*part))))
    }
}

fn answer(case: &Case) -> Answer {
    let site = site_of(case);
    let mut answer = Answer::new();
    let (result, logs) = match compile(case, &site) {
        Ok(compiled) => compiled,
        Err(error) => {
            answer.insert("error".to_owned(), tidied(&error.to_string()).into());
            return answer;
        }
    };
    let notices = logs.iter().filter(|log| log.level == Level::Notice);
    let notices: Vec<Json> = notices.map(|log| tidied(&log.message).into()).collect();
    match result {
        Ok(_) => answer.insert("notices".to_owned(), notices.into()),
        Err(error) => answer.insert("error".to_owned(), tidied(&error.to_string()).into()),
    };
    let warnings = warnings_of(&logs, &site);
    if !warnings.is_empty() {
        answer.insert("warnings".to_owned(), warnings.into());
    }
    answer
}

/// Compiles the code of a case, or else the manifests of its environment.
fn compile(case: &Case, site: &Site) -> Result<(Result<Catalog>, Vec<Log>)> {
    let node = node_of(case, site)?;
    let code = case.text("code").unwrap_or_default();
    let manifests =
        if code.is_empty() { node.environment().manifests()? } else { vec![Source::unnamed(code)] };
    let compilation = node.compile_from(&manifests);
    Ok((compilation.catalog, compilation.logs))
}
