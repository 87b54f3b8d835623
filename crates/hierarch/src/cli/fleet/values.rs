//! `hierarch values KEY…`: which nodes get which value, and why.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hierarch_fleet::{NodeSet, ValueGroup, Values, values_of};
use hierarch_hiera::origin::Origin;
use hierarch_pcore::{Hash, Value};
use hierarch_site::Site;

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::issues;
use super::super::report::{NO_MATCH, error_line, print_text};
use super::form::{because_text, check_output, counted, csv_field, some_names, value_text};
use super::nodes::{NodesArguments, ask, folder, print_warnings, show_places, unanswered_text};
use hierarch_source::nearest;

#[derive(Args)]
pub(crate) struct ValuesArguments {
    /// The keys; dots dig, as in `lookup`
    #[arg(value_name = "KEY", required = true)]
    keys: Vec<String>,
    #[command(flatten)]
    nodes: NodesArguments,
    #[command(flatten)]
    site: SiteArguments,
    /// How to print
    #[arg(long, alias = "format", value_enum, default_value_t = Form::Text)]
    render_as: Form,
    /// Where Parquet goes: a folder, a file that ends in .parquet, or an object store
    #[arg(short, long, value_name = "FILE|FOLDER|URL")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people: a value, who has it and why, where it comes from
    Text,
    /// One object; a list of them for several keys
    Json,
    /// `{key, node, value}` a line
    Jsonl,
    /// Columns: key, node, value, file, line, column
    Csv,
    /// The tables answers, leaves and facts as Parquet, into what `-o` names
    Parquet,
}

pub(crate) fn run(arguments: &ValuesArguments) -> Result<ExitCode, Failure> {
    super::start_asking()?;
    let site = arguments.nodes.open(&arguments.site)?;
    let nodes = arguments.nodes.read(&arguments.site, &site)?;
    check_output(arguments.render_as == Form::Parquet, arguments.output.as_deref())?;
    if let Some(target) = &arguments.output {
        return arguments.write(target, &site, &nodes);
    }
    let answers = ask(&site, &nodes, arguments.nodes.compile, |fleet| values_of(fleet, &arguments.keys));
    let folder = folder(&site);
    print_text(&rendered(arguments.render_as, &answers, &folder))?;
    show_places(answers.iter().flat_map(|answer| &answer.unanswered));
    print_warnings(&site, &nodes, arguments.nodes.compile);
    for answer in answers.iter().filter(|answer| !answer.has_some() && answer.unanswered.is_empty()) {
        let known = site.environment().known_keys();
        error_line(&issues::no_value_anywhere(
            &answer.key,
            &nearest(&answer.key, known.iter().map(String::as_str)),
        ));
    }
    let has_some = answers.iter().any(Values::has_some);
    let is_whole = answers.iter().all(|answer| answer.unanswered.is_empty());
    Ok(if !is_whole && (arguments.nodes.fail_on_unanswered || !has_some) {
        ExitCode::FAILURE
    } else {
        ExitCode::from(if has_some { 0 } else { NO_MATCH })
    })
}

impl ValuesArguments {
    /// Writes what the nodes answer as tables.
    #[cfg(feature = "parquet")]
    fn write(&self, target: &Path, site: &Site, nodes: &NodeSet) -> Result<ExitCode, Failure> {
        if let Some(key) = self.keys.iter().find(|key| key.contains('.')) {
            return Err(issues::whole_keys_alone(key));
        }
        let compiles = self.nodes.compile;
        let answers = ask(site, nodes, compiles, |fleet| hierarch_fleet::table(fleet, self.keys.clone()));
        let mut unanswered = answers.unanswered.clone();
        let known = super::sql::known_nodes(nodes, &self.nodes.seen(site)?, &mut unanswered);
        let count = super::export::answers(target, &answers, &known)?;
        unanswered_text(&unanswered, nodes.len()).lines().for_each(error_line);
        show_places(&unanswered);
        let is_failure = !unanswered.is_empty() && (self.nodes.fail_on_unanswered || count == 0);
        Ok(if is_failure { ExitCode::FAILURE } else { ExitCode::from(if count > 0 { 0 } else { NO_MATCH }) })
    }

    #[cfg(not(feature = "parquet"))]
    #[expect(clippy::unused_self, reason = "it stands for the one that writes")]
    fn write(&self, _: &Path, _: &Site, _: &NodeSet) -> Result<ExitCode, Failure> {
        Err(issues::without_parquet())
    }
}

fn rendered(form: Form, answers: &[Values], folder: &str) -> String {
    match form {
        Form::Text => answers.iter().map(|answer| text(answer, folder)).collect::<Vec<_>>().join("\n"),
        Form::Json => match answers {
            [one] => format!("{}\n", one.to_value(folder).to_json()),
            several => {
                let list = several.iter().map(|answer| answer.to_value(folder)).collect();
                format!("{}\n", Value::array(list).to_json())
            }
        },
        Form::Jsonl => {
            answers.iter().flat_map(lines).map(|line| format!("{}\n", Value::hash(line).to_json())).collect()
        }
        Form::Csv => {
            let rows = answers.iter().flat_map(|answer| rows(answer, folder));
            std::iter::once("key,node,value,file,line,column\n".to_owned()).chain(rows).collect()
        }
        Form::Parquet => String::new(),
    }
}

fn text(answer: &Values, folder: &str) -> String {
    let mut text = String::new();
    let (values, nodes) = (counted(answer.groups.len(), "value"), counted(answer.asked, "node"));
    let _ = writeln!(text, "{}: {values} on {nodes}", answer.key);
    for group in &answer.groups {
        let _ = write!(text, "{:4}  {}", group.nodes.len(), value_text(&group.value));
        if let Some(because) = &group.because {
            let _ = write!(text, "   {}", because_text(because));
        }
        text.push('\n');
        for origins in &group.origins {
            let _ = writeln!(text, "      {}", places(origins, folder));
        }
        let _ = writeln!(text, "      {}", some_names(&group.nodes));
    }
    if !answer.missing.is_empty() {
        let _ = writeln!(text, "{:4}  no value\n      {}", answer.missing.len(), some_names(&answer.missing));
    }
    text + &unanswered_text(&answer.unanswered, answer.asked)
}

/// Returns the first place in each file.
fn places(origins: &[Origin], folder: &str) -> String {
    let mut shown: Vec<&Origin> = Vec::new();
    for origin in origins {
        if !shown.iter().any(|known| known.file == origin.file) {
            shown.push(origin);
        }
    }
    let short = |origin: &&Origin| {
        let text = origin.to_string();
        let below = text.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
        below.map_or_else(|| text.clone(), str::to_owned)
    };
    if shown.is_empty() { "-".to_owned() } else { shown.iter().map(short).collect::<Vec<_>>().join(" ") }
}

fn lines(answer: &Values) -> Vec<Hash> {
    let line = |node: &String, value: &Value| {
        let mut line: Hash = [("key", answer.key.as_str()), ("node", node.as_str())].into_iter().collect();
        line.insert("value", value.clone());
        line
    };
    by_node(answer).into_iter().map(|(node, group)| line(node, &group.value)).collect()
}

/// Returns the nodes in the order of their names, each with its group.
fn by_node(answer: &Values) -> Vec<(&String, &ValueGroup)> {
    let pairs = answer.groups.iter().flat_map(|group| group.nodes.iter().map(move |node| (node, group)));
    let mut pairs: Vec<(&String, &ValueGroup)> = pairs.collect();
    pairs.sort_by_key(|(node, _)| *node);
    pairs
}

fn rows(answer: &Values, folder: &str) -> Vec<String> {
    let row = |(node, group): (&String, &ValueGroup)| {
        // Where the same value comes from several places, a row names the first of each kind.
        let first = group.origins.first().and_then(|origins| origins.first());
        let file = first.map_or("", |origin| origin.file.strip_prefix(folder).unwrap_or(&origin.file));
        let number = |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
        let place = first.map_or_else(
            || ",,".to_owned(),
            |origin| {
                format!(
                    "{},{},{}",
                    csv_field(file.trim_start_matches('/')),
                    number(origin.line),
                    number(origin.column)
                )
            },
        );
        let (key, value) = (csv_field(&answer.key), csv_field(&group.value.to_json()));
        format!("{key},{},{value},{place}\n", csv_field(node))
    };
    by_node(answer).into_iter().map(row).collect()
}
