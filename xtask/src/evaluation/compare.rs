//! Holds our answers to random programs against Puppet's.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::thread;

use hierarch_eval::{Level, ProgramLimits};
use hierarch_pcore::infer;
use hierarch_site::Environment;
use hierarch_source::Source;
use serde_json::{Map, Value as Json, json};

use super::site::bare;

const STACK: usize = 64 << 20;

/// Compares the answers of `scripts/puppet-fuzz.rb`, JSON lines, with ours; returns how many differ.
///
/// Of each kind of difference only the first few are printed.
pub fn compare(answers: &Path, out: &mut (dyn Write + Send)) -> io::Result<usize> {
    thread::scope(|scope| {
        let worker =
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || compare_all(answers, out))?;
        worker.join().map_err(|_| io::Error::other("an evaluation panicked"))?
    })
}

fn compare_all(answers: &Path, out: &mut (dyn Write + Send)) -> io::Result<usize> {
    const SHOWN: usize = 3;
    let limits =
        ProgramLimits { steps: 1_000_000, size: 1_000_000, ..ProgramLimits::default() }.with_stack_of(STACK);
    let environment = bare(limits, &["stdlib"]);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let (mut total, mut differences) = (0, 0);
    for line in io::BufReader::new(fs::File::open(answers)?).lines() {
        let theirs: Map<String, Json> = serde_json::from_str(&line?)?;
        let code = theirs.get("code").and_then(Json::as_str).unwrap_or_default();
        total += 1;
        if broke_down(&theirs) {
            continue;
        }
        let ours = answer(&environment, code);
        let parts = ["result", "type", "error", "warnings"];
        let differing: Vec<&str> =
            parts.into_iter().filter(|part| theirs.get(*part) != ours.get(*part)).collect();
        if differing.is_empty() {
            continue;
        }
        differences += 1;
        let seen = kinds.entry(kind(&theirs, &ours)).or_default();
        *seen += 1;
        if *seen <= SHOWN {
            writeln!(out, "{code}")?;
            for part in differing {
                let shown =
                    |answer: &Map<String, Json>| answer.get(part).map_or("-".to_owned(), Json::to_string);
                writeln!(
                    out,
                    "    {part}\n      puppet:   {}\n      hierarch: {}",
                    shown(&theirs),
                    shown(&ours)
                )?;
            }
        }
    }
    writeln!(out, "{total} programs, {differences} differ, {} kinds of difference", kinds.len())?;
    Ok(differences)
}

/// Errors that are Ruby's own words bind nobody.
fn broke_down(theirs: &Map<String, Json>) -> bool {
    let message = theirs.get("error").and_then(|error| error["message"].as_str()).unwrap_or_default();
    const RUBYS_OWN: &[&str] = &[
        "#<Puppet::",
        "undefined method",
        "undefined local variable",
        "stack level too deep",
        "failed to allocate",
        "TIMEOUT",
    ];
    RUBYS_OWN.iter().any(|words| message.contains(words))
}

/// Names a kind of difference: the words of both sides without what is quoted or counted in them.
fn kind(theirs: &Map<String, Json>, ours: &Map<String, Json>) -> String {
    let words = |answer: &Map<String, Json>| match answer.get("error") {
        Some(error) => error["message"]
            .as_str()
            .unwrap_or_default()
            .chars()
            .filter(|c| c.is_alphabetic())
            .take(70)
            .collect(),
        None => "a value".to_owned(),
    };
    format!("{} / {}", words(theirs), words(ours))
}

fn answer(environment: &Environment, code: &str) -> Map<String, Json> {
    let mut evaluator = environment.evaluator();
    let mut answer = Map::new();
    match evaluator.evaluate(&Source::unnamed(code)) {
        Ok(value) => {
            answer.insert("result".to_owned(), value.program_text().into());
            answer.insert("type".to_owned(), infer::detailed(&value).to_string().into());
        }
        Err(error) => {
            let (line, column) = error.position().map_or((None, None), |(line, column)| (Some(line), column));
            let error = json!({"message": error.message, "issue": error.code, "line": line, "col": column});
            answer.insert("error".to_owned(), error);
        }
    }
    let logs = evaluator.take_logs();
    let warnings: Vec<Json> =
        logs.iter().filter(|log| log.level == Level::Warning).map(|log| json!(log.message)).collect();
    if !warnings.is_empty() {
        answer.insert("warnings".to_owned(), warnings.into());
    }
    answer
}
