//! Everything merge directives can say to a user, and the kind of each.

use hierarch_source::{Error, Place};

/// The kinds of failure, as the recorded cases name them.
pub fn kind(error: &Error) -> &'static str {
    match error.code {
        "DIRECTIVE_MISSING" => "missing",
        "DIRECTIVE_CYCLE" => "cycle",
        "DIRECTIVE_MERGE" => "merge",
        "DIRECTIVE_POINTER" => "pointer",
        "DIRECTIVE_INCLUDE" | "DIRECTIVE_FORBIDDEN" => "include",
        "DIRECTIVE_DOCUMENT" => "document",
        "DIRECTIVE_STRATEGY" => "strategy",
        code if code.starts_with("YAML_") || code == "INVALID_UTF8" => "yaml",
        _ => "other",
    }
}

pub(crate) fn invalid_escape(escape: &str, pointer: &str) -> Error {
    Error::new("DIRECTIVE_POINTER", format!("Found invalid escape {escape} in JSON pointer {pointer}"))
        .note("write ~0 for ~ and ~1 for /")
}

pub(crate) fn missing(uses: &[String]) -> Error {
    let list: Vec<String> = uses.iter().map(|used| format!("'{used}'")).collect();
    Error::new("DIRECTIVE_MISSING", format!("missing includes: [{}]", list.join(", ")))
        .note("write +? instead of + for a reference that may be missing")
}

pub(crate) fn cycle(target: &str, path: &str, key: &str) -> Error {
    Error::new(
        "DIRECTIVE_CYCLE",
        format!("recursive include \"{target}\" in \"{path}\" when including {key}"),
    )
}

/// One step of the way from the document to what is wrong.
pub(crate) fn through(key: &str, place: Option<&Place>) -> String {
    let Some(place) = place else { return format!("used through {key}") };
    let (line, column) = place.position();
    let file = place.source.name().unwrap_or("-");
    format!("used through {key} ({file}:{line}:{})", column.unwrap_or(1))
}

pub(crate) fn too_many_includes(most: usize) -> Error {
    Error::new(
        "DIRECTIVE_INCLUDE",
        format!("more than {most} includes are followed; --max-includes raises the limit"),
    )
}

/// A tag cannot stand where its value is written.
pub(crate) fn tag_not_written(tag: &str, path: &str) -> Error {
    words_not_written(&format!("the tag {tag}"), path)
}

/// A value cannot be written in the words that it has, or shall have.
pub(crate) fn words_not_written(words: &str, path: &str) -> Error {
    let path = if path.is_empty() { "the top" } else { path };
    Error::new("DIRECTIVE_WORDS_NOT_WRITTEN", format!("{words} cannot be written at {path}")).note(
        "nothing was written; a value that a directive or an alias brings has its words where it is defined",
    )
}

/// Files include each other in a ring.
pub(crate) fn include_cycle(chain: &[String]) -> Error {
    Error::new("DIRECTIVE_CYCLE", format!("files include each other without end: {}", chain.join(" -> ")))
}

pub(crate) fn too_deep(limit: usize) -> Error {
    Error::new("DIRECTIVE_CYCLE", format!("directives lead to directives more than {limit} levels deep"))
}

pub(crate) fn too_large(limit: usize) -> Error {
    Error::new("DIRECTIVE_TOO_LARGE", format!("the expansion has more than {limit} values")).note(
        "a few directives that use each other's results grow without bound; this looks like such a document",
    )
}

pub(crate) fn not_a_map(key: &str, found: &str) -> Error {
    Error::new("DIRECTIVE_MERGE", format!("can not merge {key} with non-map value of type {found}")).note(
        "only a map can be merged with the other keys of this map; move the directive into a map of its own",
    )
}

pub(crate) fn merge_forbidden(key: &str) -> Error {
    Error::new("DIRECTIVE_MERGE", format!("merging {key} is not allowed, +%: error was set"))
        .note("say +%: replace here to put something else in its place, or take it out")
}

pub(crate) fn unknown_strategy(word: &str) -> Error {
    Error::new("DIRECTIVE_STRATEGY", format!("'{word}' is no merge strategy"))
        .note("the strategies are merge, replace, whiteout, nullout and error; of items also first, last, {before: …} and {after: …}; of lists {match: …}")
}

pub(crate) fn bad_match() -> Error {
    Error::new("DIRECTIVE_STRATEGY", "`match` wants the name of a key, a list of names, or a table of keys")
        .note("write +%: {match: name}, {match: [port, protocol]} or {match: kubernetes}; loose is true or false")
}

pub(crate) fn bad_table(name: &str) -> Error {
    Error::new("DIRECTIVE_STRATEGY", format!("{name} is no table of keys"))
        .note("it must be a map with `lists`, which has for every pattern of a path a key or a list of keys")
}

pub(crate) fn raw_table(name: &str) -> Error {
    Error::new("DIRECTIVE_STRATEGY", format!("a list taken as it is written cannot use the table '{name}'"))
        .note("write the key of the list: +%: {match: name}")
}

pub(crate) fn no_key_in_table(name: &str, path: &str) -> Error {
    Error::new("DIRECTIVE_STRATEGY", format!("the table '{name}' has no key for the list at {path}"))
        .note("name the key: +%: {match: name}")
}

pub(crate) fn key_on_map() -> Error {
    Error::new("DIRECTIVE_STRATEGY", "in a map, `match` names a table: kubernetes, compose or ./FILE")
        .note("a key is named by the first item of a list: `- +%: {match: name}`")
}

pub(crate) fn item_without_key(names: &str) -> Error {
    Error::new("DIRECTIVE_MERGE", format!("this item of a list that is merged by '{names}' has no such key"))
        .note("with `loose: true` beside `match` items without the key are left alone")
}

pub(crate) fn key_twice(names: &str, first: Option<&Place>) -> Error {
    let error = Error::new(
        "DIRECTIVE_MERGE",
        format!("this item of a list that is merged by '{names}' has the key of another"),
    );
    let Some(first) = first else { return error };
    let (line, column) = first.position();
    let file = first.source.name().unwrap_or("-");
    error.note(format!("the other stands at {file}:{line}:{}", column.unwrap_or(1)))
}

pub(crate) fn no_such_item(names: &str, wanted: &str) -> Error {
    Error::new("DIRECTIVE_MERGE", format!("there is no item whose '{names}' is {wanted} to be placed beside"))
        .note("items are placed beside those that are left; first and last need no other item")
}

pub(crate) fn placement_without_key() -> Error {
    Error::new(
        "DIRECTIVE_STRATEGY",
        "before, after, first and last place items of lists that are merged by a key",
    )
    .note("let the list begin with the item `+%: {match: name}`")
}

pub(crate) fn invalid_include(value: &str) -> Error {
    Error::new("DIRECTIVE_INCLUDE", format!("Invalid include: {value}"))
        .note("give the name of a file, or a map with the key 'file'")
}

pub(crate) fn include_without_file() -> Error {
    Error::new("DIRECTIVE_INCLUDE", "`file` key missing from document include")
        .note("write +include: {file: NAME}, or only +include: NAME")
}

pub(crate) fn unknown_repository(name: &str) -> Error {
    Error::new("DIRECTIVE_INCLUDE", format!("the include names the repository '{name}', which is not known"))
        .note(format!("say where it is: --repository {name}=DIR"))
}

pub(crate) fn unloadable(name: &str, base: &str, reason: &str) -> Error {
    Error::new(
        "DIRECTIVE_INCLUDE",
        format!("unable to load document include: {name} (base: {base}): {reason}"),
    )
}

pub(crate) fn outside_root(name: &str, root: &str) -> Error {
    Error::new(
        "DIRECTIVE_FORBIDDEN",
        format!("unable to load document include: {name}: it lies outside {root}"),
    )
    .note("allow it with --root DIR or --allow DIR")
}

pub(crate) fn remote_forbidden(url: &str) -> Error {
    Error::new("DIRECTIVE_FORBIDDEN", format!("unable to load document include: {url}: URLs are not fetched"))
        .note("allow it with --allow-remote")
}

pub(crate) fn not_a_document(found: &str) -> Error {
    let error = Error::new("DIRECTIVE_DOCUMENT", format!("invalid YAML document with contents: \"{found}\""));
    match found {
        "None" => error.note("the document is empty; with merge directives it must be a map"),
        _ => error.note("the top of a document with merge directives must be a map"),
    }
}

/// The document itself, not what it includes, cannot be read.
pub(crate) fn unreadable(name: &str, reason: &str) -> Error {
    Error::new("DIRECTIVE_UNREADABLE", format!("Could not read {name}: {reason}"))
}

pub(crate) fn several_documents() -> Error {
    Error::new(
        "YAML_SEVERAL_DOCUMENTS",
        "expected a single document in the stream but found another document",
    )
}

/// How to include a file with several documents.
pub(crate) const CHOOSE: &str = "choose one of its documents by what it says: FILE#[kind=Service]";

pub(crate) fn several_chosen(name: &str, places: &[usize]) -> Error {
    let places: Vec<String> = places.iter().map(ToString::to_string).collect();
    let text = format!("several documents of {name} are chosen: {}", places.join(", "));
    Error::new("DIRECTIVE_INCLUDE", text).note("say more about the one that is wanted")
}

pub(crate) fn no_such_document(name: &str, count: &str, wanted: &str) -> Error {
    let error = Error::new(
        "DIRECTIVE_NO_SUCH_DOCUMENT",
        format!("{name} has {count} documents; there is no document {wanted}"),
    );
    error.note("documents are counted from 0")
}

pub(crate) fn top_is_no_map() -> Error {
    Error::new("DIRECTIVE_TOP", "the directives at the top of the document give something that is no map")
        .note("put them below a key")
}

/// Psych takes the last of two values of a key; whatever expands or edits documents takes none.
pub(crate) fn key_stands_twice(key: &str) -> String {
    let key = key.trim_matches(['\'', '"']);
    format!("the key '{key}' stands twice: some readers take the last value, others refuse the document")
}

/// A directive or a mark that could as well not be there.
pub(crate) fn idle_directive(key: &str, optional: bool) -> String {
    if optional { format!("{key} leads nowhere") } else { format!("{key} changes nothing here") }
}

/// The search for directives that do nothing ended before all were tried.
pub(crate) fn not_all_tried(tried: usize, count: usize, most: usize) -> String {
    format!("{tried} of {count} directives and marks were tried: more would make more than {most} values")
}

/// What to do about it.
pub(crate) const IDLE_ADVICE: &str =
    "the document expands to the same without it: take it out, or mend what it names";

pub(crate) fn inexpressible() -> Error {
    Error::new("DIRECTIVE_INEXPRESSIBLE", "no text with or without directives expands to this data")
        .note("keys that look like directives can come from `raw` only; nothing was written")
}

/// What may be meant instead.
pub(crate) fn perhaps(near: &str) -> String {
    format!("did you mean {near}?")
}

pub(crate) fn bad_selector(text: &str) -> Error {
    Error::new("DIRECTIVE_SELECTOR", format!("{text} is no selector"))
        .note("segments begin with /: a key, a position, *, **, [name=value], [?EXPRESSION], -1, 1:3")
}

pub(crate) fn bad_condition(text: &str) -> Error {
    Error::new("DIRECTIVE_SELECTOR", format!("'{text}' says nothing that can hold"))
        .note("write name=value, name!=value or name~=PATTERN, several separated by commas")
}

/// Where a pattern stands that cannot be read.
pub(crate) fn in_condition(text: &str) -> String {
    format!("in the condition [{text}]; a sign that shall mean itself has a \\ in front")
}

pub(crate) fn too_many_places(text: &str, limit: usize) -> Error {
    Error::new("DIRECTIVE_SELECTOR", format!("{text} leads to more than {limit} places"))
        .note("say more about what is wanted: a key instead of *, a condition in [ ]")
}

/// What is on the way to a place has no places in it.
pub(crate) fn nothing_below_a_scalar(segments: &[String], value: &str) -> String {
    format!(
        "/{} is {}, neither a map nor a list",
        segments.join("/"),
        hierarch_yaml::shortened(value.to_owned())
    )
}

pub(crate) fn no_such_place(path: &str) -> Error {
    Error::new("DIRECTIVE_NO_SUCH_PLACE", format!("there is nothing at {path}"))
}

/// A value is to be changed where it is defined, which is not a file.
pub(crate) fn defined_at_a_url(path: &str) -> Error {
    Error::new("DIRECTIVE_DEFINITION", format!("{path} comes from a URL and cannot be changed there"))
        .note("without --into it is changed in this document")
}

/// A change where a value is defined does not show where it is used.
pub(crate) fn hidden_definition(path: &str) -> Error {
    let text = format!("{path} cannot be changed where it is defined: something else hides it");
    Error::new("DIRECTIVE_DEFINITION", text).note("without --into it is changed in this document")
}

/// What is given as a pointer is not one.
pub(crate) fn not_a_pointer(text: &str) -> Error {
    Error::new("DIRECTIVE_POINTER", format!("{text} is not a JSON pointer"))
        .note("a JSON pointer begins with /")
}

/// The pointer that may be meant.
pub(crate) fn did_you_mean(around: &[String], near: &str) -> String {
    let segments = around.iter().map(String::as_str).chain([near]);
    let pointer: String =
        segments.map(|segment| format!("/{}", segment.replace('~', "~0").replace('/', "~1"))).collect();
    format!("did you mean {pointer}?")
}

pub(crate) fn already_there(path: &str) -> Error {
    Error::new("DIRECTIVE_ALREADY_THERE", format!("there is something at {path} already"))
        .note("`yaml set` changes it, `yaml delete` takes it out")
}

/// The top of a document can be set, but nothing else.
pub(crate) fn whole_document() -> Error {
    Error::new("DIRECTIVE_WHOLE", "the whole document can only be set; the empty pointer names nothing in it")
        .note("name a place: /key, /list/0; of a file with several documents `yaml update` takes one out")
}

pub(crate) fn defined_in_parts(path: &str) -> Error {
    Error::new("DIRECTIVE_IN_PARTS", format!("what stands at {path} is merged from several definitions"))
        .note("name a value inside it")
}
