//! Kind `lookup`: the command run in-process, its output held against the record.

use hierarch_hiera::command::{Command, Outcome};
use hierarch_hiera::issues;
use serde_json::Value as Json;

use super::world::{ENV, World, tidied, warnings_of};
use super::{difference, is_rubys_own};
use crate::cases::{Answer, Case, Judge, Verdict};
use crate::data::{self, Writer};

/// The parts that the recorder writes.
const RECORDED: &[&str] = &["value", "not_found", "error", "output", "exit", "explain", "warnings"];

/// Judges `puppet lookup` commands.
pub(in crate::cases) struct Lookups;

impl Judge for Lookups {
    fn kind(&self) -> &'static str {
        "lookup"
    }

    fn decisive(&self, case: &Case) -> &'static [&'static str] {
        // Where the reference broke down its words bind nobody.
        if case.fields.get("error").is_some_and(is_rubys_own) { &["value", "not_found"] } else { RECORDED }
    }

    fn ask(&self, case: &Case) -> Answer {
        ask_in(case, &World::of(case))
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        compare(case, answer)
    }
}

/// Judges an entry in surroundings that it may share with others, if nobody cares for warnings.
pub(crate) fn judge_in(case: &Case, world: &World) -> Verdict {
    compare(case, &ask_in(case, world))
}

/// An explanation is asked for if one is recorded.
fn ask_in(case: &Case, world: &World) -> Answer {
    let arguments: Vec<String> = case.fields["args"].as_array().map_or_else(Vec::new, |arguments| {
        arguments.iter().map(|argument| argument.as_str().unwrap_or_default().replace("<ENV>", ENV)).collect()
    });
    let compiles = arguments.iter().any(|argument| argument == "--compile");
    let Ok(command) = parse(&arguments) else {
        return Answer::from_iter([("error".to_owned(), "a flag is not understood".into())]);
    };
    let exact = case.fields.contains_key("raw")
        || command.explain
        || command.explain_options
        || command.render_as.is_some();
    let mut answer = run(world, command.clone(), exact, compiles);
    if case.fields.contains_key("explain") {
        let explained = run(&World::of(case), Command { explain: true, ..command }, true, compiles);
        answer.insert("explain".to_owned(), explained.get("output").cloned().unwrap_or_default());
    }
    answer
}

fn compare(case: &Case, answer: &Answer) -> Verdict {
    let differing = |part: &&str| difference(case, part, answer.get(*part));
    Verdict::of(RECORDED.iter().filter(|part| counts(case, part)).filter_map(differing))
}

/// Generated cases are answered without their warnings, and where the reference broke down there is nothing to explain.
fn counts(case: &Case, part: &str) -> bool {
    match part {
        "warnings" => !case.setting.contains_key("silent"),
        "explain" => !case.fields.get("error").is_some_and(is_rubys_own),
        _ => true,
    }
}

fn parse(arguments: &[String]) -> Result<Command, ()> {
    let mut command = Command::default();
    let mut arguments = arguments.iter().cloned();
    while let Some(argument) = arguments.next() {
        let (flag, mut inline) = match argument.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag.to_owned(), Some(value.to_owned())),
            _ => (argument, None),
        };
        let mut value = || inline.take().or_else(|| arguments.next());
        match flag.as_str() {
            "--merge" => command.merge = value(),
            "--knock-out-prefix" => command.knockout_prefix = value(),
            "--type" => command.value_type = value(),
            "--default" => command.default = value(),
            "--render-as" => command.render_as = value(),
            "--sort-merged-arrays" => command.sort_merged_arrays = true,
            "--merge-hash-arrays" => command.merge_hash_arrays = true,
            "--compile" => {}
            "--explain" => command.explain = true,
            "--explain-options" => command.explain_options = true,
            flag if flag.starts_with('-') => return Err(()),
            key => command.keys.push(key.to_owned()),
        }
    }
    Ok(command)
}

fn run(world: &World, mut command: Command, exact: bool, compiles: bool) -> Answer {
    let scope = match world.scope() {
        Ok(scope) => scope,
        Err(error) => {
            let failure = Outcome { output: String::new(), exit: 1, failure: Some(error) };
            return answer_of(&failure, exact, false);
        }
    };
    if !exact {
        command.render_as = Some("json".to_owned());
    }
    command.show_secrets = true;
    let explains = command.explain || command.explain_options;
    let (outcome, logs) = if compiles {
        let mut evaluator = world.evaluator(&scope);
        let outcome = match evaluator.compile(&world.manifests()) {
            Ok(_) => command.run(world.hiera(), &evaluator.host_of_lookups()),
            Err(error) => Outcome { output: String::new(), exit: 1, failure: Some(error) },
        };
        (outcome, evaluator.take_logs())
    } else {
        let host = world.host(&scope);
        (command.run(world.hiera(), &host), host.take_logs())
    };
    let mut answer = answer_of(&outcome, exact, explains);
    let warnings = warnings_of(&logs, world.hiera());
    if !warnings.is_empty() {
        answer.insert("warnings".to_owned(), warnings.into());
    }
    answer
}

/// Returns an outcome in the recorder's form.
fn answer_of(outcome: &Outcome, exact: bool, explains: bool) -> Answer {
    let mut answer = Answer::new();
    if exact {
        answer.insert("output".to_owned(), tidied(&outcome.output).into());
        answer.insert("exit".to_owned(), outcome.exit.into());
        if !explains {
            put_failure(&mut answer, outcome);
        }
    } else if outcome.failure.is_some() {
        put_failure(&mut answer, outcome);
    } else {
        let text = tidied(&outcome.output);
        // Keys may be the same in JSON that are not in Puppet; the last one counts.
        let value = data::from_yaml(&text, Writer::Json).or_else(|_| serde_json::from_str(&text));
        let value = value.unwrap_or(Json::Null);
        answer.insert("value".to_owned(), value);
    }
    answer
}

fn put_failure(answer: &mut Answer, outcome: &Outcome) {
    let Some(failure) = &outcome.failure else { return };
    if failure.code == issues::NOT_FOUND {
        answer.insert("not_found".to_owned(), true.into());
    } else {
        answer.insert("error".to_owned(), tidied(&failure.to_string()).into());
    }
}
