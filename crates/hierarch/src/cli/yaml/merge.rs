//! `hierarch yaml merge`: documents laid over each other without directives, by Hiera's strategies or by keys.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hierarch_compose::{Access, Forest, KeyTable, Layers, Lists, Misfit, Spelling, Val};
use hierarch_hiera::Strategy;
use hierarch_hiera::origin::TracedValue;
use hierarch_hiera::origin::view::View;
use hierarch_pcore::{Hash, Value};
use hierarch_source::{DiskFiles, Error, Source};
use hierarch_yaml::{Data, Dialect, Kind, read};

use super::super::issues;
use super::super::report::{print, warning_line};
use super::ask::show_value;
use super::input::Input;
use super::merge_hiera::{LayerPlaces, Marking};
use super::stream::Name;
use super::{Form, Outcome, Reach, Stop, access, stream};

#[derive(Args)]
pub(super) struct MergeArguments {
    /// The documents, the lowest first; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How values meet
    #[arg(long, value_enum, default_value = "deep", value_name = "STRATEGY")]
    strategy: How,
    /// Lists at PATH meet by KEY (containers=name, containers/*/ports=containerPort,protocol), or as a table says:
    /// kubernetes, compose, ./keys.yaml
    #[arg(long = "match", value_name = "PATH=KEY")]
    keys: Vec<String>,
    /// With deep: what begins with this removes what it names from lower documents
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    knockout: Option<String>,
    /// Show for every leaf where it stands, what it hides and what was removed
    #[arg(long)]
    origin: bool,
    #[arg(long, value_enum, default_value = "yaml", value_name = "FORM")]
    render_as: Form,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum How {
    /// Maps into maps, lists into lists, all the way down, as Hiera does
    Deep,
    /// The entries of the maps, one level deep, as Hiera does
    Hash,
    /// Maps into maps; of two lists the later one
    Replace,
    /// The last document alone
    First,
}

impl How {
    /// The strategy of Hiera with this name.
    fn strategy(self, knockout: Option<&str>) -> Result<Strategy, Stop> {
        let name = match self {
            Self::Hash => "hash",
            Self::First => "first",
            Self::Deep | Self::Replace => "deep",
        };
        let mut options: Hash = [("strategy", name)].into_iter().collect();
        if let Some(prefix) = knockout {
            options.insert("knockout_prefix", prefix);
        }
        Ok(Strategy::new(&Value::hash(options))?)
    }
}

pub(super) fn run(arguments: &MergeArguments) -> Outcome {
    let web = arguments.reach.web();
    let inputs = arguments
        .files
        .iter()
        .map(|file| Input::new(file, &arguments.reach))
        .collect::<Result<Vec<_>, _>>()?;
    let first = inputs.first().ok_or_else(issues::nothing_to_merge)?;
    // What can be read only once is a file like the others.
    let mut files = first.files.clone();
    for input in inputs.iter().filter(|input| !input.has_file) {
        files.insert(&input.path, input.bytes()?);
    }
    let mut access = access(first, &arguments.reach, &web)?;
    for input in &inputs[1..] {
        access.roots.extend(self::access_roots(input, &arguments.reach, &web)?);
    }
    let tables = tables(&arguments.keys)?;
    if arguments.knockout.is_some() && (arguments.strategy != How::Deep || !tables.is_empty()) {
        return Err(issues::knockout_needs_deep().into());
    }
    let paths: Vec<&Path> = inputs.iter().map(|input| input.path.as_path()).collect();
    let mut layers = Layers::open(&files, &paths, &access, tables.clone())?;
    if arguments.keys.iter().any(|word| pair(word).is_some()) {
        refuse_misfits(&layers, &tables)?;
    }
    for (index, chosen) in grouped(&layers)?.iter().enumerate() {
        if index > 0 && arguments.render_as == Form::Yaml && !arguments.origin {
            print(&"---")?;
        }
        show(arguments, &mut layers, chosen)?;
    }
    // The process ends here: to let go of every node of every document would be a tenth of its work.
    std::mem::forget(layers);
    Ok(ExitCode::SUCCESS)
}

fn access_roots(input: &Input, reach: &Reach, web: &super::reach::Around) -> Result<Vec<PathBuf>, Stop> {
    let access: Access = access(input, reach, web)?;
    Ok(access.roots)
}

/// Merges one group of documents and shows what comes out.
fn show(arguments: &MergeArguments, layers: &mut Layers, chosen: &[(usize, usize)]) -> Result<(), Stop> {
    let by_keys = !arguments.keys.is_empty() || arguments.strategy == How::Replace;
    let marked = chosen.iter().any(|&place| layers.has_marks(place));
    let (merged, traced) = if by_keys || (marked && arguments.strategy == How::Deep) {
        by_directives(arguments, layers, chosen)?
    } else {
        by_strategy(arguments, layers, chosen)?
    };
    if let Some(traced) = traced.filter(|_| arguments.origin) {
        return show_origins(&traced, arguments.render_as);
    }
    let forest = layers.forest();
    match arguments.render_as {
        Form::Yaml => {
            let text = forest.spelled_text(merged, Spelling { comments: true });
            // What is said of the whole document stands in the lowest one.
            let lowest = chosen.first().map(|&(file, document)| layers.files()[file][document]);
            let (above, behind) = lowest.map(|lowest| forest.comments_around(lowest)).unwrap_or_default();
            above.iter().try_for_each(print)?;
            print(&text.trim_end_matches('\n'))?;
            behind.iter().try_for_each(print)?;
        }
        Form::Json | Form::S => show_value(forest, merged, Form::Json, arguments.reach.tags)?,
    }
    Ok(())
}

/// Merges as directives do.
fn by_directives(
    arguments: &MergeArguments,
    layers: &mut Layers,
    chosen: &[(usize, usize)],
) -> Result<(Val, Option<TracedValue>), Stop> {
    let lists = if arguments.strategy == How::Replace { Lists::Replace } else { Lists::Append };
    if !arguments.origin {
        return Ok((layers.merged(chosen, lists)?, None));
    }
    let below = chosen.iter().map(|&place| layers.alone(place)).collect::<Result<Vec<_>, _>>()?;
    let merged = layers.merged(chosen, lists)?;
    let traced = LayerPlaces::over(layers.forest(), merged, &below);
    Ok((merged, Some(traced)))
}

/// Merges as lookups do.
fn by_strategy(
    arguments: &MergeArguments,
    layers: &mut Layers,
    chosen: &[(usize, usize)],
) -> Result<(Val, Option<TracedValue>), Stop> {
    let strategy = arguments.strategy.strategy(arguments.knockout.as_deref())?;
    // The first that is found is the last document.
    let count = if arguments.strategy == How::First { 1 } else { chosen.len() };
    let places = chosen.iter().rev().take(count);
    let values = places.map(|&place| layers.alone(place)).collect::<Result<Vec<Val>, _>>()?;
    let nothing = || issues::nothing_to_merge();
    if !arguments.origin {
        let is_deep = arguments.strategy == How::Deep;
        let mut marking = Marking::new(is_deep);
        // One after the other, so that what is left of a layer that was merged makes room for the next one.
        let marked = values.iter().map(|&value| marking.marked(layers.forest(), value));
        let merged = strategy.merge_marked(marked)?.ok_or_else(nothing)?;
        let met: &[Val] = if is_deep && layers.forest().has_tags() { &values } else { &[] };
        let value = marking.value(layers, &merged, met)?;
        let value = layers.tagged(value, &values)?;
        // As with the layers: the process ends soon.
        std::mem::forget(merged);
        return Ok((value, None));
    }
    let traced: Vec<TracedValue> =
        values.iter().map(|&value| LayerPlaces::traced(layers.forest(), value)).collect();
    let traced = strategy.merge_layers(traced)?.ok_or_else(nothing)?;
    // Origins are all that is shown: what they are written as does not matter.
    Ok((values[0], Some(traced)))
}

fn show_origins(traced: &TracedValue, form: Form) -> Result<(), Stop> {
    let view = View { key: "", traced, options: None, shows_secrets: true, folder: "", is_coloured: false };
    if form == Form::Json {
        print(&view.data().to_json())?;
    } else {
        // A path of a document has no key in front.
        let text = view.text();
        for line in text.lines() {
            print(&line.strip_prefix('.').unwrap_or(line))?;
        }
    }
    Ok(())
}

/// Documents that are laid over each other, each by file and position.
type Group = Vec<(usize, usize)>;

/// Groups the documents of all files: by kind and name where all have a kind, else by position.
fn grouped(layers: &Layers) -> Result<Vec<Group>, Stop> {
    let files = layers.files();
    let is_stream = files.iter().any(|file| file.len() > 1);
    match names(layers) {
        Some(names) if is_stream => return Ok(by_name(names)),
        Some(names) => return Ok(one_by_one(names)),
        None => {}
    }
    let filled: Vec<usize> = (0..files.len()).filter(|&file| !files[file].is_empty()).collect();
    let count = filled.first().map_or(0, |&file| files[file].len());
    if let Some(&other) = filled.iter().find(|&&file| files[file].len() != count) {
        return Err(unclear_meeting(layers, (filled[0], other)).into());
    }
    let groups: Vec<Group> =
        (0..count).map(|document| filled.iter().map(|&file| (file, document)).collect()).collect();
    match groups.iter().find_map(|group| apart(layers, group)) {
        Some(error) => Err(error.into()),
        None => Ok(groups),
    }
}

/// Groups documents that have the same name. One that leaves parts of its name out, as a patch may, meets the only one of the files
/// before that it fits.
fn by_name(names: Vec<Vec<Name>>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<Name, usize> = HashMap::new();
    for (file, names) in names.into_iter().enumerate() {
        let mut by_kind: HashMap<(&str, &str), Vec<(&Name, usize)>> = HashMap::new();
        for (name, &group) in known.iter().filter(|_| file > 0) {
            by_kind.entry(kind_and_name(name)).or_default().push((name, group));
        }
        let only_one = |name: &Name| {
            let found = by_kind.get(&kind_and_name(name))?.iter().filter(|(known, _)| fits(known, name));
            let mut groups: Vec<usize> = found.map(|(_, group)| *group).collect();
            groups.sort_unstable();
            groups.dedup();
            if let [group] = groups[..] { Some(group) } else { None }
        };
        let met: Vec<Option<usize>> =
            names.iter().map(|name| known.get(name).copied().or_else(|| only_one(name))).collect();
        for (document, (name, met)) in names.into_iter().zip(met).enumerate() {
            let group = met.unwrap_or_else(|| {
                groups.push(Group::new());
                groups.len() - 1
            });
            known.entry(name).or_insert(group);
            groups[group].push((file, document));
        }
    }
    groups
}

fn kind_and_name(name: &Name) -> (&str, &str) {
    (&name[1], &name[3])
}

/// Groups the only documents of files. What one does not say of its name, as a patch may leave it out, fits any.
fn one_by_one(names: Vec<Vec<Name>>) -> Vec<Group> {
    let mut groups: Vec<(Name, Group)> = Vec::new();
    for (file, name) in names.into_iter().enumerate() {
        let Some(name) = name.into_iter().next() else { continue };
        match groups.iter_mut().find(|(known, _)| fits(known, &name)) {
            Some((known, group)) => {
                let parts = known.iter_mut().zip(name);
                parts.filter(|(known, _)| known.is_empty()).for_each(|(known, part)| *known = part);
                group.push((file, 0));
            }
            None => groups.push((name, vec![(file, 0)])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn fits(known: &[String], name: &[String]) -> bool {
    known.iter().zip(name).all(|(known, part)| known == part || known.is_empty() || part.is_empty())
}

/// Documents that meet by position, and whose kinds and names say that they are different things.
fn apart(layers: &Layers, group: &Group) -> Option<Error> {
    let forest = layers.forest();
    let mut first: Option<Name> = None;
    for &(file, document) in group {
        let value = layers.files()[file][document];
        let Some(name) = stream::name(&head(forest, value)) else { continue };
        match &first {
            Some(known) if !fits(known, &name) => {
                let error = issues::different_documents(&called(known), &called(&name));
                let place = forest.place(value)?;
                return Some(error.at(&place.source, place.span));
            }
            Some(_) => {}
            None => first = Some(name),
        }
    }
    None
}

/// How a document is called in messages.
fn called(name: &[String]) -> String {
    let parts: Vec<&str> = name.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// Two files have not as many documents: said at the first document without a kind, which would have told them apart.
fn unclear_meeting(layers: &Layers, (first, other): (usize, usize)) -> Error {
    let forest = layers.forest();
    let all = layers.files().iter().flatten().copied();
    let mut kindless = all.filter(|&value| head(forest, value).get("kind").is_none());
    let name = |file: usize| {
        let place = layers.files()[file].first().and_then(|&value| forest.place(value));
        place
            .and_then(|place| place.source.name().map(str::to_owned))
            .unwrap_or_else(|| format!("file {file}"))
    };
    let counts = (layers.files()[first].len(), layers.files()[other].len());
    let error = issues::unclear_meeting((&name(first), counts.0), (&name(other), counts.1));
    match kindless.find_map(|value| forest.place(value)) {
        Some(place) => error.at(&place.source, place.span),
        None => error,
    }
}

/// The names of the documents of all files, if all have a kind and no two of a file are the same.
fn names(layers: &Layers) -> Option<Vec<Vec<Name>>> {
    let forest = layers.forest();
    let of_file = |file: &Vec<Val>| {
        let data: Vec<Data> = file.iter().map(|&value| head(forest, value)).collect();
        stream::names(&data.iter().collect::<Vec<_>>())
    };
    layers.files().iter().map(of_file).collect()
}

/// A document with those of its entries alone that say what it is called, which is little beside the rest.
fn head(forest: &Forest, value: Val) -> Data {
    if forest.kind(value) != Kind::Map {
        return Data::NULL;
    }
    let says_name = |key: Val| {
        forest.kind(key) == Kind::Scalar
            && forest.scalar(key).as_str().is_some_and(|text| stream::NAMING.contains(&text))
    };
    let entries = forest.entries(value).filter(|(key, _)| says_name(*key));
    Data::Map(entries.map(|(key, value)| (forest.data(key), forest.data(value))).collect())
}

/// Refuses a key that no item has, and warns of a path without a list: a name that is misspelt would be passed over in silence.
fn refuse_misfits(layers: &Layers, tables: &[Arc<KeyTable>]) -> Result<(), Stop> {
    // The pairs are the last table; those of others are about documents of many kinds.
    let Some(pairs) = tables.last() else { return Ok(()) };
    for misfit in pairs.misfits(layers.forest(), layers.files().iter().flatten().copied()) {
        match misfit {
            Misfit::NoList(pattern) => warning_line(&issues::no_list_to_match(&pattern)),
            Misfit::NoKey { pattern, key, near, place } => {
                let error = issues::no_item_has_key(&pattern, &key, near.as_deref());
                return Err(match place {
                    Some(place) => error.at(&place.source, place.span).into(),
                    None => error.into(),
                });
            }
        }
    }
    Ok(())
}

/// A path and a key; anything else is the name of a table.
fn pair(word: &str) -> Option<(&str, &str)> {
    let is_file = word.starts_with('.') || (word.starts_with('/') && Path::new(word).exists());
    word.split_once('=').filter(|_| !is_file)
}

/// Reads what `--match` says.
fn tables(words: &[String]) -> Result<Vec<Arc<KeyTable>>, Stop> {
    let mut tables = Vec::new();
    let mut pairs = Vec::new();
    for word in words {
        if let Some(table) = KeyTable::built_in(word) {
            tables.push(Arc::new(table?));
        } else if let Some((path, keys)) = pair(word) {
            pairs.push((path.to_owned(), keys.split(',').map(str::to_owned).collect()));
        } else {
            let path = Path::new(word);
            let bytes = hierarch_source::Files::read(&DiskFiles, path)
                .map_err(|error| issues::no_such_match(word, &error.to_string()))?;
            let source = Source::from_bytes(word.as_str(), bytes)?;
            let tree = read(&source, Dialect::Core, hierarch_yaml::DocumentLimits::default())?;
            tables.push(Arc::new(KeyTable::of_tree(&tree)?));
        }
    }
    if !pairs.is_empty() {
        tables.push(Arc::new(KeyTable::of_pairs(&pairs)));
    }
    Ok(tables)
}
