//! `GET /layers`: every level in order, what it has for a key, and what became of that.

use std::collections::HashSet;

use hierarch_hiera::origin::{Origin, TracedValue};
use hierarch_hiera::{Key, LevelAnswer};
use hierarch_pcore::Value;
use hierarch_site::{Environment, Question as Asking};

use super::lookup::folder;
use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::json;
use crate::problem::{Problem, relative};
use crate::question::Question;
use crate::route::{AT, KEY, Method, NODE, Outcome, Route, SECRETS};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/layers",
    summary: "Every level in order: what it has for the key, and whether that counts",
    role: Role::Read,
    parameters: &[NODE, KEY, AT, SECRETS],
    body: None,
    media: JSON,
    schema: r#"{"type":"array","items":{"type":"object","required":["layer","level","exists","has_key"],"properties":{"layer":{"enum":["global","environment","module"]},"module":{"type":["string","null"]},"level":{"type":"string"},"location":{"type":["string","null"]},"declared":{"type":["string","null"]},"exists":{"type":"boolean"},"undefined":{"type":"array","items":{"type":"string"}},"has_key":{"type":"boolean"},"value":{},"written":{"type":["string","null"],"description":"what the file has, as JSON, its tokens not filled in; null for secrets and where no file has it"},"used":{"enum":["whole","parts","hidden","removed",null]},"line":{"type":["integer","null"]},"leaves":{"type":"array"},"problem":{"type":["string","null"]}}}}"#,
    run,
};

/// A place by which leaves are told apart.
type Place = (String, Option<u32>, Option<u32>);

fn run(question: &Question) -> Outcome {
    let asked = question.asked()?;
    let folder = folder(&asked.node);
    let fail = |error: hierarch_source::Error| Problem::from_error(&error).below(&folder);
    let key = Key::new(question.required("key")).map_err(fail)?;
    let (answers, traced) = asked
        .node
        .asking(|lookups| {
            let asking = Asking::from(question.required("key"));
            (lookups.session().level_answers(&key), lookups.trace(&asking).ok())
        })
        .0;
    let environment = asked.node.environment();
    let answers = answers.map_err(|error| fail(environment.shown_error(error)))?;
    let outcome = Outcomes::of(traced.as_ref().map(|answer| &answer.traced));
    let shown = answers.iter().map(|answer| shown(answer, &outcome, environment, &folder));
    let shown = shown.collect::<Result<Vec<_>, _>>()?;
    Ok(Answer::json(json::list(shown)).secret_if(question.wants_secrets()))
}

/// What became of the leaves of all levels.
#[derive(Default)]
struct Outcomes {
    winning: HashSet<Place>,
    removed: HashSet<String>,
}

impl Outcomes {
    fn of(traced: Option<&TracedValue>) -> Self {
        let Some(traced) = traced else { return Self::default() };
        let removed = traced.removals();
        let removed = removed.iter().filter_map(|removal| removal.what.origin.as_ref());
        Self {
            winning: traced.leaves().iter().filter_map(|leaf| leaf.origin).map(place).collect(),
            removed: removed.map(|origin| origin.file.to_string()).collect(),
        }
    }

    fn word(&self, traced: &TracedValue) -> &'static str {
        let leaves = traced.leaves();
        let wins = leaves
            .iter()
            .filter_map(|leaf| leaf.origin)
            .filter(|origin| self.winning.contains(&place(origin)));
        let file = leaves.iter().find_map(|leaf| leaf.origin).map(|origin| origin.file.to_string());
        match wins.count() {
            0 if file.is_some_and(|file| self.removed.contains(&file)) => "removed",
            0 => "hidden",
            count if count == leaves.len() && count == self.winning.len() => "whole",
            _ => "parts",
        }
    }
}

fn place(origin: &Origin) -> Place {
    (origin.file.to_string(), origin.line, origin.column)
}

fn shown(
    answer: &LevelAnswer,
    all: &Outcomes,
    environment: &Environment,
    folder: &str,
) -> Result<String, Problem> {
    let at = &answer.location;
    let (found, problem) = match &answer.found {
        Ok(found) => (found.as_ref(), None),
        Err(error) => (None, Some(environment.shown_text(&error.to_string()))),
    };
    let value = found.map(|traced| environment.shown(traced)).unwrap_or_default();
    let leaves = found.map(|traced| leaves(traced, all, environment)).transpose()?.unwrap_or_default();
    let line = found.and_then(|traced| {
        traced
            .origin()
            .and_then(|origin| origin.line)
            .or_else(|| traced.leaves().iter().find_map(|leaf| leaf.origin?.line))
    });
    Ok(json::object([
        ("layer", json::text(at.layer)),
        ("module", json::optional(at.module.as_deref())),
        ("level", json::text(&at.level)),
        ("location", json::optional(at.location.as_deref().map(|path| relative(path, folder)))),
        ("declared", json::optional(at.declared.as_deref())),
        ("exists", at.exists.to_string()),
        ("undefined", json::texts(at.undefined.iter().map(String::as_str))),
        ("has_key", found.is_some().to_string()),
        ("value", json::value(&value)?),
        ("written", json::optional(written(answer, found).as_deref())),
        ("used", json::optional(found.map(|traced| all.word(traced)))),
        ("line", line.map_or_else(|| "null".to_owned(), |line| line.to_string())),
        ("leaves", json::list(leaves)),
        ("problem", json::optional(problem.as_deref())),
    ]))
}

/// Returns what an edit of the file begins with, as text: neither secrets nor what stands for them.
fn written(answer: &LevelAnswer, found: Option<&TracedValue>) -> Option<String> {
    let is_open = found?.leaves().iter().all(|leaf| *leaf.value == leaf.shown);
    answer.written.as_ref().filter(|_| is_open).map(Value::to_pretty_json)
}

fn leaves(traced: &TracedValue, all: &Outcomes, environment: &Environment) -> Result<Vec<String>, Problem> {
    let leaf = |leaf: &hierarch_hiera::origin::Leaf| {
        let shown = if environment.may_show_secrets() { leaf.value } else { &leaf.shown };
        let number =
            |number: Option<u32>| number.map_or_else(|| "null".to_owned(), |number| number.to_string());
        Ok(json::object([
            ("path", json::value(&Value::array(leaf.path.clone()))?),
            ("value", json::value(shown)?),
            ("line", number(leaf.origin.and_then(|origin| origin.line))),
            ("wins", leaf.origin.is_some_and(|origin| all.winning.contains(&place(origin))).to_string()),
        ]))
    };
    traced.leaves().iter().map(leaf).collect()
}
