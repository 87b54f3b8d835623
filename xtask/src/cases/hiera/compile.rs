//! Kind `compile`: a manifest run for a node, its notices, warnings and failure held against the record.

use hierarch_eval::Level;
use hierarch_source::Source;
use serde_json::Value as Json;

use super::difference;
use super::world::{World, tidied, warnings_of};
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
    let world = World::of(case);
    let mut answer = Answer::new();
    let scope = match world.scope() {
        Ok(scope) => scope,
        Err(error) => {
            answer.insert("error".to_owned(), tidied(&error.to_string()).into());
            return answer;
        }
    };
    let code = case.text("code").unwrap_or_default();
    let manifests = if code.is_empty() { world.manifests() } else { vec![Source::unnamed(code)] };
    let mut evaluator = world.evaluator(&scope);
    let result = evaluator.compile(&manifests);
    let logs = evaluator.take_logs();
    let notices = logs.iter().filter(|log| log.level == Level::Notice);
    let notices: Vec<Json> = notices.map(|log| tidied(&log.message).into()).collect();
    match result {
        Ok(_) => answer.insert("notices".to_owned(), notices.into()),
        Err(error) => answer.insert("error".to_owned(), tidied(&error.to_string()).into()),
    };
    let warnings = warnings_of(&logs, world.hiera());
    if !warnings.is_empty() {
        answer.insert("warnings".to_owned(), warnings.into());
    }
    answer
}
