//! Hiera cases: the files of a case in memory, the command run in-process, its output held against the record.

use std::collections::HashMap;

use hierarch_hiera::command::{Command, Outcome};
use hierarch_hiera::node::Node;
use hierarch_hiera::{Environment, Hiera, Scope, Settings, Strict, facts, issues};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Error, MemoryFiles};
use serde_json::{Map, Value as Json};

use super::{Case, Judge, Verdict};
use crate::data::{self, Writer};

const ENV: &str = "/root/code/environments/production";
const GLOBAL: &str = "/root/global";
const FACTS: &str = "/root/facts.json";

/// The parts that the recorder writes.
const RECORDED: &[&str] = &["value", "not_found", "error", "output", "exit", "explain", "warnings"];

/// Judges `puppet lookup` commands.
pub(super) struct Lookups;

impl Judge for Lookups {
    fn kind(&self) -> &'static str {
        "lookup"
    }

    fn decisive(&self, case: &Case) -> &'static [&'static str] {
        // Where the reference broke down its words bind nobody.
        if case.fields.get("error").is_some_and(is_rubys_own) { &["value", "not_found"] } else { RECORDED }
    }

    fn judge(&self, case: &Case) -> Verdict {
        judge_in(case, &Opened::new(case))
    }
}

/// The files and the node of a case. Entries that share them must not care about each other's warnings.
pub(crate) struct Opened {
    hiera: Hiera,
    scope: Result<Scope, Error>,
}

impl Opened {
    /// Opens the data that a case brings.
    pub(crate) fn new(case: &Case) -> Self {
        let hiera = open(case);
        let scope = scope_of(case, &hiera);
        Self { hiera, scope }
    }
}

/// Judges an entry in data that are open.
pub(crate) fn judge_in(case: &Case, opened: &Opened) -> Verdict {
    let arguments: Vec<String> = case.fields["args"].as_array().map_or_else(Vec::new, |arguments| {
        arguments.iter().map(|argument| argument.as_str().unwrap_or_default().replace("<ENV>", ENV)).collect()
    });
    let Ok(command) = parse(&arguments) else { return Verdict::failed("a flag is not understood") };
    let exact = case.fields.contains_key("raw")
        || command.explain
        || command.explain_options
        || command.render_as.is_some();
    let answer = ask(opened, command.clone(), exact);
    let mut differences = Vec::new();
    for part in RECORDED {
        // Generated cases are answered without their warnings.
        if *part == "warnings" && case.setting.contains_key("silent") {
            continue;
        }
        if *part == "explain" {
            if let Some(expected) = case.text("explain") {
                let explained = ask(&Opened::new(case), Command { explain: true, ..command.clone() }, true);
                let got = explained.get("output").and_then(Json::as_str).unwrap_or_default();
                if got != expected {
                    differences.push(format!("explain\n--- expected\n{expected}\n--- got\n{got}"));
                }
            }
            continue;
        }
        differences.extend(difference(case, part, answer.get(*part)));
    }
    if differences.is_empty() { Verdict::Passed } else { Verdict::Failed(differences.join("\n")) }
}

fn difference(case: &Case, part: &str, got: Option<&Json>) -> Option<String> {
    // What ends the command is recorded as it was logged.
    let bare = |text: &str| Json::from(text.strip_prefix("Could not run: ").unwrap_or(text));
    let expected = case.fields.get(part).map(|value| value.as_str().map_or_else(|| value.clone(), bare));
    let expected = expected.as_ref();
    if expected == got || (part == "error" && expected.is_some_and(is_rubys_own) && got.is_some()) {
        return None;
    }
    let shown = |value: Option<&Json>| {
        value.map_or_else(
            || "(nothing)".to_owned(),
            |value| match value {
                Json::String(text) => text.clone(),
                other => other.to_string(),
            },
        )
    };
    let (expected, got) = apart(shown(expected), shown(got));
    Some(format!("{part}\n  expected: {expected}\n  got:      {got}"))
}

/// Leaves of two long texts what is around the first line that differs.
fn apart(expected: String, got: String) -> (String, String) {
    const LONG: usize = 40;
    if expected.lines().count().max(got.lines().count()) < LONG {
        return (expected, got);
    }
    let same = expected.lines().zip(got.lines()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let lines: Vec<&str> = text.lines().skip(same.saturating_sub(12)).take(24).collect();
        format!("(line {})\n{}", same + 1, lines.join("\n"))
    };
    (around(&expected), around(&got))
}

/// Where the reference broke down it is enough to fail.
pub(crate) fn is_rubys_own(error: &Json) -> bool {
    let words = [
        "undefined method",
        "stack level too deep",
        "can't convert",
        "no implicit conversion",
        "wrong number of arguments",
        "uninitialized constant",
        "private method",
    ];
    error.as_str().is_some_and(|error| words.iter().any(|words| error.contains(words)))
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
            "--explain" => command.explain = true,
            "--explain-options" => command.explain_options = true,
            flag if flag.starts_with('-') => return Err(()),
            key => command.keys.push(key.to_owned()),
        }
    }
    Ok(command)
}

fn ask(opened: &Opened, mut command: Command, exact: bool) -> Map<String, Json> {
    let hiera = &opened.hiera;
    let scope = match &opened.scope {
        Ok(scope) => scope,
        Err(error) => {
            let failure = Outcome { output: String::new(), exit: 1, failure: Some(error.clone()) };
            return answer_of(&failure, exact, false);
        }
    };
    if !exact {
        command.render_as = Some("json".to_owned());
    }
    command.show_secrets = true;
    let explains = command.explain || command.explain_options;
    let outcome = command.run(hiera, scope);
    let mut answer = answer_of(&outcome, exact, explains);
    let warnings: Vec<Json> = hiera.log().take().iter().map(|warning| tidied(warning).into()).collect();
    if !warnings.is_empty() {
        answer.insert("warnings".to_owned(), warnings.into());
    }
    answer
}

/// Returns an outcome in the recorder's form.
fn answer_of(outcome: &Outcome, exact: bool, explains: bool) -> Map<String, Json> {
    let mut answer = Map::new();
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

fn put_failure(answer: &mut Map<String, Json>, outcome: &Outcome) {
    let Some(failure) = &outcome.failure else { return };
    if failure.code == issues::NOT_FOUND {
        answer.insert("not_found".to_owned(), true.into());
    } else {
        answer.insert("error".to_owned(), tidied(&failure.to_string()).into());
    }
}

fn tidied(text: &str) -> String {
    text.replace(ENV, "<ENV>").replace(GLOBAL, "<GLOBAL>").replace("/root", "<ROOT>")
}

fn open(case: &Case) -> Hiera {
    let setting = |name: &str| {
        let value = case.setting.get("settings").and_then(|settings| settings.get(name));
        value.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    let settings = Settings {
        strict: setting("strict").and_then(|text| Strict::parse(&text)).unwrap_or_default(),
        codedir: "/root/code".to_owned(),
        variables: variables_of(case),
        ..Settings::default()
    };
    let files = files_of(case);
    let environment = Environment::load(&files, "production", ENV, &["/root/code/modules".to_owned()]);
    Hiera::new(files, settings, environment, format!("{GLOBAL}/hiera.yaml"))
}

fn files_of(case: &Case) -> MemoryFiles {
    let mut files = MemoryFiles::default();
    let place = |text: &str| text.replace("<ENV>", ENV).replace("<GLOBAL>", GLOBAL);
    for (path, content) in case.setting.get("files").and_then(Json::as_object).into_iter().flatten() {
        let path = match path.strip_prefix("global/") {
            Some(rest) => format!("{GLOBAL}/{rest}"),
            None => format!("{ENV}/{path}"),
        };
        match content {
            Json::String(text) => files.insert(path, place(text)),
            other => files.insert(path, bytes_of(other)),
        }
    }
    let default = serde_json::json!({"kernel": "Linux"});
    files.insert(FACTS, case.setting.get("facts").unwrap_or(&default).to_string());
    if let Some(text) = case.setting.get("global_hiera").and_then(Json::as_str) {
        files.insert(format!("{GLOBAL}/hiera.yaml"), place(text));
    }
    files
}

fn variables_of(case: &Case) -> HashMap<String, String> {
    let variables = case.setting.get("env").and_then(Json::as_object).into_iter().flatten();
    let text = |value: &Json| match value {
        Json::String(text) => text.clone(),
        other => String::from_utf8_lossy(&bytes_of(other)).into_owned(),
    };
    variables.map(|(name, value)| (name.clone(), text(value))).collect()
}

fn bytes_of(content: &Json) -> Vec<u8> {
    let text = content.get("base64").and_then(Json::as_str).unwrap_or_default();
    hierarch_pcore::value::Binary::from_base64_lenient(text).bytes().to_vec()
}

fn scope_of(case: &Case, hiera: &Hiera) -> Result<Scope, Error> {
    let facts = facts::read(hiera.files(), FACTS)?;
    let name = case.setting.get("node").and_then(Json::as_str).unwrap_or("test.example.com");
    facts::check_known(&facts, name)?;
    let server_facts =
        [("serverversion", "8.10.0"), ("servername", "server.example.com"), ("serverip", "192.0.2.1")];
    let node = Node {
        name: name.to_owned(),
        facts,
        environment: "production".to_owned(),
        server_facts: server_facts.into_iter().collect(),
        trusted: None,
    };
    let mut scope = node.scope(hiera.log());
    scope.learn_classes(hiera);
    for (name, value) in case.setting.get("top_scope").and_then(Json::as_object).into_iter().flatten() {
        scope.set(name, value_of(value));
    }
    Ok(scope)
}

fn value_of(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::from(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(integer) => Value::from(integer),
            None => Value::from(number.as_f64().unwrap_or_default()),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => Value::array(items.iter().map(value_of).collect()),
        Json::Object(map) => Value::hash(
            map.iter().map(|(key, value)| (Value::from(key.as_str()), value_of(value))).collect::<Hash>(),
        ),
    }
}
