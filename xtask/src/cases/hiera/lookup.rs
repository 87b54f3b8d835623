//! Kind `lookup`: the command line parsed and answered as the program does it, its output held against the record.

use hierarch::cli::lookup::{Display, LookupArguments, PrintedAnswer};
use hierarch_hiera::issues;
use hierarch_site::Site;
use hierarch_source::Result;
use serde_json::Value as Json;

use super::site::{ENV, node_of, site_of, tidied, warnings_of};
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
        ask_in(case, &site_of(case))
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        compare(case, answer)
    }
}

/// Judges an entry on a site that it may share with others, if nobody cares for warnings.
pub(crate) fn judge_in(case: &Case, site: &Site) -> Verdict {
    compare(case, &ask_in(case, site))
}

/// An explanation is asked for if one is recorded.
fn ask_in(case: &Case, site: &Site) -> Answer {
    let arguments: Vec<String> = case.fields["args"].as_array().map_or_else(Vec::new, |arguments| {
        arguments.iter().map(|argument| argument.as_str().unwrap_or_default().replace("<ENV>", ENV)).collect()
    });
    let explains = arguments.iter().any(|argument| argument.starts_with("--explain"));
    let is_rendered = arguments.iter().any(|argument| argument.starts_with("--render-as"));
    let exact = case.fields.contains_key("raw") || explains || is_rendered;
    let with = |more: &[&str]| -> Vec<String> {
        arguments.iter().cloned().chain(more.iter().map(|&more| more.to_owned())).collect()
    };
    let asked = if exact { arguments.clone() } else { with(&["--render-as", "json"]) };
    let mut answer = run(case, site, &asked, Form { exact, explains });
    if case.fields.contains_key("explain") {
        let form = Form { exact: true, explains: true };
        let explained = run(case, &site_of(case), &with(&["--explain"]), form);
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

/// What of an answer is recorded.
#[derive(Clone, Copy)]
struct Form {
    /// The output as it is printed, not the value in it.
    exact: bool,
    /// The output is an explanation, which says itself what failed.
    explains: bool,
}

fn run(case: &Case, site: &Site, arguments: &[String], form: Form) -> Answer {
    let Ok(arguments) = LookupArguments::parse(arguments) else {
        return Answer::from_iter([("error".to_owned(), "a flag is not understood".into())]);
    };
    let printed = look_up(case, site, &arguments).unwrap_or_else(|failure| PrintedAnswer {
        exit: 1,
        failure: Some(failure),
        ..PrintedAnswer::default()
    });
    let mut answer = answer_of(&printed, form);
    let warnings = warnings_of(&printed.logs, site);
    if !warnings.is_empty() {
        answer.insert("warnings".to_owned(), warnings.into());
    }
    answer
}

fn look_up(case: &Case, site: &Site, arguments: &LookupArguments) -> Result<PrintedAnswer> {
    arguments.answer(&node_of(case, site)?, &Display::default())
}

/// Returns what is printed in the recorder's form.
fn answer_of(printed: &PrintedAnswer, form: Form) -> Answer {
    let mut answer = Answer::new();
    if form.exact {
        answer.insert("output".to_owned(), tidied(&printed.output).into());
        answer.insert("exit".to_owned(), printed.exit.into());
        if !form.explains {
            put_failure(&mut answer, printed);
        }
    } else if printed.failure.is_some() {
        put_failure(&mut answer, printed);
    } else {
        let text = tidied(&printed.output);
        // Keys may be the same in JSON that are not in Puppet; the last one counts.
        let value = data::from_yaml(&text, Writer::Json).or_else(|_| serde_json::from_str(&text));
        let value = value.unwrap_or(Json::Null);
        answer.insert("value".to_owned(), value);
    }
    answer
}

fn put_failure(answer: &mut Answer, printed: &PrintedAnswer) {
    let Some(failure) = &printed.failure else { return };
    if failure.code == issues::NOT_FOUND {
        answer.insert("not_found".to_owned(), true.into());
    } else {
        answer.insert("error".to_owned(), tidied(&failure.to_string()).into());
    }
}
