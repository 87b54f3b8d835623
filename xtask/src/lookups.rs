//! Lookups beside Puppet's: the same answers, and how fast they are, warm, over twelve levels in memory.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::Path;

use hierarch_hiera::Query;
use hierarch_pcore::Value;
use hierarch_site::{KnownNodes, Node, Site};
use hierarch_source::MemoryFiles;

use crate::cases::hiera::is_rubys_own;
use crate::cases::hiera::lookup::judge_in;
use crate::cases::hiera::site::site_of;
use crate::cases::{self, Verdict};
use crate::measure;

/// Lookups per second of CPU time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed {
    /// Keys that one file holds, without tokens.
    pub plain: f64,
    /// Keys with a token.
    pub interpolated: f64,
    /// Keys that eleven files hold, merged deeply.
    pub deep: f64,
    /// The same keys, each asked for the first time by a new session.
    pub first: f64,
}

/// Compares the answers of `scripts/puppet-lookup.rb` with ours; returns how many differ. Of each kind of difference
/// the first few are printed.
pub fn compare(answers: &Path, out: &mut dyn Write) -> io::Result<usize> {
    const SHOWN: usize = 40;
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let (mut lookups, mut explanations, mut differences) = (0, 0, 0);
    let (mut broken, mut untrue, mut spoiled) = (0, 0, 0);
    let cases = cases::load(answers);
    let mut site: Option<(&str, Site)> = None;
    for case in &cases {
        // Where Puppet itself breaks down there is nothing to compare.
        if case.fields.contains_key("lost") || case.fields.get("error").is_some_and(is_rubys_own) {
            broken += 1;
            continue;
        }
        let is_explained =
            case.fields["args"].as_array().is_some_and(|args| args.iter().any(|arg| arg == "--explain"));
        *(if is_explained { &mut explanations } else { &mut lookups }) += 1;
        let group = case.at.split('.').next().unwrap_or_default();
        if site.as_ref().is_none_or(|(known, _)| *known != group) {
            site = Some((group, site_of(case)));
        }
        let Some((_, opened)) = &site else { continue };
        let Verdict::Failed(why) = judge_in(case, opened) else { continue };
        if is_explained && case.text("output").is_some_and(|text| is_untrue(text, &why)) {
            untrue += 1;
            continue;
        }
        if case.text("error").is_some_and(is_spoiled) {
            spoiled += 1;
            continue;
        }
        differences += 1;
        let seen = kinds.entry(why.lines().next().unwrap_or_default().to_owned()).or_default();
        *seen += 1;
        if *seen <= SHOWN {
            writeln!(out, "{}: {}\n{why}", case.at, case.about)?;
        }
    }
    writeln!(
        out,
        "{lookups} lookups, {explanations} explanations, {differences} differences {kinds:?}; Puppet broke down {broken} \
         times, explained {untrue} times with values that it had changed meanwhile and failed {spoiled} times because of \
         options that it had changed"
    )?;
    Ok(differences)
}

/// Tells whether Puppet failed because a conversion had put a type into the lookup options, where the options of the
/// next module could not be merged with it.   case: hiera/lookup_options_spoiled
fn is_spoiled(error: &str) -> bool {
    error.contains("'convert_to'") && error.contains("expects a Data value, got Type")
}

/// Tells whether an explanation of Puppet's differs in values only, and in a way that merges and conversions explain:
/// they change values in place that were explained before.   spec/hiera.md, 16
fn is_untrue(theirs: &str, why: &str) -> bool {
    let is_changed = theirs.contains("#<Puppet::") || theirs.contains("knockout_prefix");
    let shown: Vec<&str> = why.split("\n  got:      ").collect();
    let [expected, got] = shown.as_slice() else { return false };
    // Of long texts only a part is shown, and of the longer value fewer steps.
    is_changed && skeleton(expected).zip(skeleton(got)).all(|(theirs, ours)| theirs == ours)
}

/// Returns the lines of an explanation that say where was looked, without the values.
fn skeleton(text: &str) -> impl Iterator<Item = &str> {
    const STEPS: [&str; 9] = [
        "Searching ",
        "Hierarchy entry ",
        "Path ",
        "URI ",
        "Original ",
        "Merge strategy ",
        "Module ",
        "No such ",
        "Found key: ",
    ];
    let steps = text.lines().filter(|line| STEPS.iter().any(|step| line.trim_start().starts_with(step)));
    steps.map(|line| line.split_once(" value: ").map_or(line, |(step, _)| step)).take(5)
}

const LEVELS: usize = 12;
const KEYS: usize = 500;

/// Measures.
pub fn bench() -> io::Result<Speed> {
    let nodes = KnownNodes::from([("bench", [("kernel", "Linux")])]);
    let node = Site::on(files()).with_nodes(nodes).build().node("bench").map_err(io::Error::other)?;
    let keys = |kind: &str| (0..KEYS).map(|index| Query::new([format!("{kind}{index}")])).collect::<Vec<_>>();
    let deep: Vec<Query> =
        keys("deep").into_iter().map(|query| Query { merge: Some(Value::from("deep")), ..query }).collect();
    Ok(Speed {
        plain: rate(&node, &keys("plain"), 400)?,
        interpolated: rate(&node, &keys("text"), 400)?,
        deep: rate(&node, &deep, 400)?,
        first: first_rate(&node, &keys("plain"))?,
    })
}

fn files() -> MemoryFiles {
    let levels: String =
        (0..LEVELS).map(|level| format!("- {{name: L{level}, path: l{level}.yaml}}\n")).collect();
    let mut files = MemoryFiles::from([("hiera.yaml", format!("version: 5\nhierarchy:\n{levels}"))]);
    for level in 0..LEVELS {
        let mut text = String::new();
        for index in 0..KEYS {
            if index % LEVELS == level {
                text.extend([format!(
                    "plain{index}: value {index}\ntext{index}: \"on %{{facts.kernel}}\"\n"
                )]);
            }
            if level > 0 {
                text.extend([format!("deep{index}:\n  a{level}: {{b: [{index}]}}\n")]);
            }
        }
        files.insert(format!("data/l{level}.yaml"), text);
    }
    files
}

fn rate(node: &Node, queries: &[Query], rounds: usize) -> io::Result<f64> {
    let host = node.host();
    let session = node.environment().hiera().session(&host);
    let ask = |query: &Query| session.lookup(query, None).map_err(io::Error::other);
    queries.iter().try_for_each(|query| ask(query).map(|_| ()))?;
    let start = measure::thread_time()?;
    for _ in 0..rounds {
        for query in queries {
            black_box(ask(query)?);
        }
    }
    Ok((rounds * queries.len()) as f64 / measure::thread_time()?.saturating_sub(start).as_secs_f64())
}

/// Every session finds everything out anew, but files are read already.
fn first_rate(node: &Node, queries: &[Query]) -> io::Result<f64> {
    const ROUNDS: usize = 40;
    let start = measure::thread_time()?;
    for _ in 0..ROUNDS {
        let host = node.host();
        let session = node.environment().hiera().session(&host);
        for query in queries {
            black_box(session.lookup(query, None).map_err(io::Error::other)?);
        }
    }
    Ok((ROUNDS * queries.len()) as f64 / measure::thread_time()?.saturating_sub(start).as_secs_f64())
}
