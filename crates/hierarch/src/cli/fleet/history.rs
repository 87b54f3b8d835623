//! `hierarch history KEY --node NODE`: each commit that changed a resolved value, with the line that did.

use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};
use hierarch_fleet::{Edit, FileQuestion, Fleet, History, Moment, NodeSet, States, history, known_keys};
use hierarch_git::{Commit, Revision, changes};
use hierarch_pcore::{Hash, Value};
use hierarch_site::Site;
use hierarch_source::{DiskFiles, Files, Result as Outcome, nearest};

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::issues;
use super::super::report::{print_text, warning_line};
use super::at::OpenRepository;
use super::form::value_text;
use super::nodes::{NodesArguments, bar, folder};

#[derive(Args)]
pub(crate) struct HistoryArguments {
    /// The key; dots dig, as in `lookup`
    #[arg(value_name = "KEY")]
    key: String,
    /// The node
    #[arg(long, value_name = "NAME")]
    node: String,
    /// How far back: `90d`, `12w`, a date, or a revision
    #[arg(long, value_name = "90d|DATE|REV")]
    since: Option<String>,
    /// Look at no more commits than this
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max: usize,
    /// Look at all commits, not only at first parents
    #[arg(long)]
    all_parents: bool,
    #[command(flatten)]
    nodes: NodesArguments,
    #[command(flatten)]
    site: SiteArguments,
    /// How to print
    #[arg(long, alias = "format", value_enum, default_value_t = Form::Text)]
    render_as: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A line per change, newest first
    Text,
    /// A JSON object per change, a line each
    #[value(alias = "json")]
    Jsonl,
}

pub(crate) fn run(arguments: &HistoryArguments) -> Result<ExitCode, Failure> {
    super::start_asking()?;
    arguments.site.refuse_at("history")?;
    arguments.nodes.stand_ins.refuse_command("history")?;
    let opened = OpenRepository::around(&arguments.site)?;
    let open = |files: Arc<dyn Files>| -> Result<Site, Failure> {
        Ok(arguments.nodes.add_to(arguments.site.builder_on(files)?)?.build())
    };
    let now = open(Arc::new(DiskFiles))?;
    let nodes = one_node(arguments, &now)?;
    let states = GitStates::find(arguments, &opened)?;
    let reopen = |files: Arc<dyn Files>| open(files).unwrap_or_else(|_| Site::on(DiskFiles).build());
    let answer = bar("commits", states.count(), |progress| {
        let key = &arguments.key;
        let (states, open, nodes) = (&states, &reopen, &nodes);
        let compiles = arguments.nodes.compile;
        history(&hierarch_fleet::Past { states, open, nodes, key, progress: Some(progress), compiles })
    });
    let root = folder(&now);
    let is_nothing = answer.seen == states.count() && !answer.has_some() && answer.first.is_some();
    if !is_nothing {
        print_text(&match arguments.render_as {
            Form::Text => text(arguments, &answer, &states, &root),
            Form::Jsonl => lines(&answer, &states, &root),
        })?;
    }
    now.environment().take_warnings().iter().for_each(|warning| warning_line(warning));
    if answer.first.as_ref().is_some_and(|(number, _)| states.is_cut_off_at(*number)) {
        warning_line(&issues::shallow_history(states.count()));
    }
    if answer.seen < states.count() {
        warning_line(&issues::stopped_history(answer.seen, states.count()));
    } else if is_nothing {
        let known = known_keys(&Fleet::new(&now, &nodes)).keys;
        let near = nearest(&arguments.key, known.iter().map(String::as_str));
        return Err(issues::never_a_value(&arguments.key, &arguments.node, &near));
    }
    Ok(ExitCode::SUCCESS)
}

/// Answers as the command does with `--render-as jsonl`, for nodes that are known already.
#[cfg(feature = "serve")]
pub(crate) fn json_lines(
    site: &SiteArguments,
    key: &str,
    node: &str,
    nodes: &NodeSet,
) -> Result<String, Failure> {
    let arguments = HistoryArguments {
        key: key.to_owned(),
        node: node.to_owned(),
        since: None,
        max: 10_000,
        all_parents: false,
        nodes: NodesArguments::default(),
        site: site.clone(),
        render_as: Form::Jsonl,
    };
    let opened = OpenRepository::around(site)?;
    let mut nodes = nodes.clone();
    nodes.retain(|name| name == node);
    let states = GitStates::find(&arguments, &opened)?;
    let open = |files: Arc<dyn Files>| site.builder_on(files).map(hierarch_site::Builder::build);
    let root = folder(&open(Arc::new(DiskFiles))?);
    let reopen = |files: Arc<dyn Files>| open(files).unwrap_or_else(|_| Site::on(DiskFiles).build());
    let (nodes, progress, compiles) = (&nodes, None, false);
    let past = hierarch_fleet::Past { states: &states, open: &reopen, nodes, key, progress, compiles };
    Ok(lines(&history(&past), &states, &root))
}

fn one_node(arguments: &HistoryArguments, site: &Site) -> Result<NodeSet, Failure> {
    let mut nodes = arguments.nodes.read(&arguments.site, site)?;
    let names: Vec<String> = nodes.names().map(str::to_owned).collect();
    nodes.retain(|name| name == arguments.node);
    if nodes.is_empty() {
        let near = nearest(&arguments.node, names.iter().map(String::as_str));
        return Err(issues::unknown_node(&arguments.node, &near));
    }
    Ok(nodes)
}

/// The commits of a history, newest first.
struct GitStates<'o> {
    opened: &'o OpenRepository,
    past: hierarch_git::Past<'o>,
    commits: Vec<(Commit, Revision)>,
    /// The numbers of commits by their ids.
    numbers: HashMap<String, usize>,
    /// The clone has only the last commits.
    is_shallow: bool,
    /// Nothing says how far back to look.
    is_to_the_end: bool,
}

/// Where a history ends.
enum Since {
    Seconds(i64),
    Commit(String),
}

impl<'o> GitStates<'o> {
    fn find(arguments: &HistoryArguments, opened: &'o OpenRepository) -> Result<Self, Failure> {
        let since = arguments.since.as_deref().map(|text| Since::parse(text, opened)).transpose()?;
        let head = opened.revision("HEAD")?;
        let (mut count, mut is_over) = (0, false);
        let is_wanted = |commit: &Commit| {
            count += 1;
            // The commit that a history begins after is the first state, so that the first change has something before it.
            let was_over = std::mem::replace(
                &mut is_over,
                match &since {
                    None => false,
                    Some(Since::Seconds(seconds)) => commit.seconds < *seconds,
                    Some(Since::Commit(id)) => commit.id == *id,
                },
            );
            !was_over && count <= arguments.max
        };
        let list = opened.repository.history(&head, arguments.all_parents, is_wanted);
        let mut commits = Vec::new();
        for commit in list.map_err(Failure::from)? {
            let revision = opened.revision(&commit.id)?;
            commits.push((commit, revision));
        }
        let ids = commits.iter().map(|(commit, _)| commit.id.clone());
        let numbers = ids.enumerate().map(|(number, id)| (id, number)).collect();
        let (past, is_shallow) =
            (hierarch_git::Past::new(&opened.repository), opened.repository.is_shallow());
        Ok(Self { opened, past, commits, numbers, is_shallow, is_to_the_end: since.is_none() })
    }

    /// Tells whether a state is the oldest of a clone that has not all commits: what was before it, nobody knows here.
    fn is_cut_off_at(&self, number: usize) -> bool {
        number + 1 == self.commits.len() && self.is_shallow && self.is_to_the_end
    }

    /// Tells whether there are commits before a state that were not looked at.
    fn has_earlier(&self, number: usize) -> bool {
        let parents = &self.commits[number].0.parents;
        !parents.is_empty() && !parents.iter().any(|parent| self.numbers.contains_key(parent))
    }

    fn stands(&self, number: usize, path: &Path) -> Option<hierarch_git::Stands> {
        self.past.at(&self.commits[number].1, path).ok()
    }
}

impl Since {
    fn parse(text: &str, opened: &OpenRepository) -> Result<Self, Failure> {
        let units = [('d', 86_400), ('w', 7 * 86_400), ('h', 3600)];
        for (unit, seconds) in units {
            if let Some(count) = text.strip_suffix(unit).and_then(|count| count.parse::<i64>().ok()) {
                let now =
                    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
                return Ok(Self::Seconds(now.saturating_sub(count.saturating_mul(seconds))));
            }
        }
        if let Some(seconds) = date(text) {
            return Ok(Self::Seconds(seconds));
        }
        let revision = opened.revision(text).map_err(|why| issues::bad_since(text, &why))?;
        Ok(Self::Commit(revision.commit))
    }
}

/// Reads `2026-01-31` as the seconds at which that day begins in UTC.
fn date(text: &str) -> Option<i64> {
    let parts: Vec<i64> = text.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [year, month, day] = parts.as_slice() else { return None };
    if !(1..=12).contains(month) || !(1..=31).contains(day) || !(1970..=9999).contains(year) {
        return None;
    }
    // Counted from the first of March, so that a leap day is the last of its year.
    let (year, month) = if *month <= 2 { (year - 1, month + 9) } else { (*year, month - 3) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    Some(days * 86_400)
}

impl States for GitStates<'_> {
    fn count(&self) -> usize {
        self.commits.len()
    }

    fn before(&self, number: usize) -> Option<usize> {
        let parent = self.commits[number].0.parents.first()?;
        self.numbers.get(parent).copied()
    }

    fn files(&self, number: usize) -> Outcome<Arc<dyn Files>> {
        let files = self.opened.files(&self.commits[number].1);
        files
            .map(|files| Arc::new(files) as Arc<dyn Files>)
            .map_err(|error| issues::unreadable_in_git(&error))
    }

    fn is_same(&self, a: usize, b: usize, asked: &FileQuestion) -> bool {
        use hierarch_git::Stands::{Elsewhere, File, Folder, Nothing};
        // What lies outside of the repository is the same for all commits.
        let Ok(path) = asked.path().strip_prefix(&self.opened.root) else { return true };
        if asked.path().components().any(|part| part == std::path::Component::ParentDir) {
            return false;
        }
        let (Some(old), Some(new)) = (self.stands(a, path), self.stands(b, path)) else { return false };
        match (asked, old, new) {
            (_, Elsewhere, _) | (_, _, Elsewhere) => false,
            (FileQuestion::Presence(_), File(_), File(_))
            | (FileQuestion::Presence(_), Folder(_), Folder(_)) => true,
            (FileQuestion::Names(_), Folder(_), Folder(_)) => {
                let names = |number: usize| self.past.names(&self.commits[number].1, path).ok();
                names(a).is_some() && names(a) == names(b)
            }
            // A folder of modules that git does not track is read from the disk.
            (_, Nothing, Nothing) => true,
            (_, old, new) => old == new,
        }
    }

    fn changed(&self, old: usize, new: usize) -> Outcome<Vec<String>> {
        let files = |number: usize| self.opened.repository.files(&self.commits[number].1, &self.opened.root);
        let root = self.opened.root.display();
        let list = changes(&files(old)?, &files(new)?);
        Ok(list.into_iter().map(|change| format!("{root}/{}", change.path)).collect())
    }
}

fn text(arguments: &HistoryArguments, answer: &History, states: &GitStates, root: &str) -> String {
    let head = format!("{}\n", issues::facts_of_now(&arguments.key, &arguments.node));
    let first = |(number, value): &(usize, Option<Value>)| {
        let (commit, value) = (&states.commits[*number].0, shown(value.as_ref()));
        let (day, id) = (commit.day(), &commit.id[..10]);
        let what = match (states.is_cut_off_at(*number), states.has_earlier(*number)) {
            (true, _) => issues::BEFORE_THIS_CLONE,
            (false, true) => issues::LOOKED_NO_FURTHER,
            (false, false) => "first seen",
        };
        format!("{day} {id} {}  {what}  {value}  {}\n", commit.author, commit.subject)
    };
    head + &in_order(answer, |moment| moment_line(moment, states, root), first)
}

/// Returns a line of JSON for each change, and one that has `first` for what was there before the first of them.
fn lines(answer: &History, states: &GitStates, root: &str) -> String {
    let first = |(number, value): &(usize, Option<Value>)| {
        let moment = Moment { number: *number, new: value.clone(), ..Moment::default() };
        let mut fields = fields(&moment, states, root);
        fields.insert("first", true);
        if states.is_cut_off_at(*number) || states.has_earlier(*number) {
            fields.insert("cut_off", true);
        }
        format!("{}\n", Value::hash(fields).to_json())
    };
    let line = |moment: &Moment| format!("{}\n", Value::hash(fields(moment, states, root)).to_json());
    in_order(answer, line, first)
}

/// Puts the changes and the first value in order, newest first.
fn in_order(
    answer: &History,
    line: impl Fn(&Moment) -> String,
    first: impl Fn(&(usize, Option<Value>)) -> String,
) -> String {
    let number = answer.first.as_ref().map_or(usize::MAX, |(number, _)| *number);
    let (later, earlier): (Vec<_>, Vec<_>) =
        answer.moments.iter().partition(|moment| moment.number <= number);
    let later = later.into_iter().map(&line);
    later.chain(answer.first.iter().map(first)).chain(earlier.into_iter().map(&line)).collect()
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "(none)".to_owned(), value_text)
}

fn moment_line(moment: &Moment, states: &GitStates, root: &str) -> String {
    let commit = &states.commits[moment.number].0;
    let what = match &moment.failure {
        Some(failure) => format!("could not be asked: {failure}"),
        None => format!(
            "{}  {} -> {}",
            place(&moment.causes, root),
            shown(moment.old.as_ref()),
            shown(moment.new.as_ref())
        ),
    };
    format!("{} {} {}  {what}  {}\n", commit.day(), &commit.id[..10], commit.author, commit.subject)
}

fn place(causes: &[Edit], root: &str) -> String {
    let below = |file: &str| {
        file.strip_prefix(root)
            .map_or_else(|| file.to_owned(), |rest| rest.trim_start_matches('/').to_owned())
    };
    let one = |edit: &Edit| {
        edit.line.map_or_else(|| below(&edit.file), |line| format!("{}:{line}", below(&edit.file)))
    };
    if causes.is_empty() {
        "cause not found".to_owned()
    } else {
        causes.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

fn fields(moment: &Moment, states: &GitStates, root: &str) -> Hash {
    let commit = &states.commits[moment.number].0;
    let mut line: Hash = [
        ("commit", commit.id.clone()),
        ("date", commit.moment()),
        ("author", commit.author.clone()),
        ("subject", commit.subject.clone()),
    ]
    .into_iter()
    .collect();
    line.insert("old", moment.old.clone().unwrap_or_default());
    line.insert("new", moment.new.clone().unwrap_or_default());
    line.insert("causes", Value::array(moment.causes.iter().map(|edit| edit.to_value(root)).collect()));
    line.insert("proof", moment.proof.map_or(Value::Undef, |proof| Value::from(proof.name())));
    if let Some(failure) = &moment.failure {
        line.insert("failure", failure.as_str());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_days_of_utc() {
        for (text, seconds) in
            [("1970-01-01", Some(0)), ("2000-03-01", Some(951_868_800)), ("2026-13-01", None), ("main", None)]
        {
            assert_eq!(date(text), seconds, "{text}");
        }
    }
}
