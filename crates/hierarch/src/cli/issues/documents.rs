//! What commands say about documents: `yaml`, `query`, `template`, `eyaml`.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitStatus;

#[cfg(feature = "git")]
use hierarch_hiera::eyaml::exposed::ExposureKind;
use hierarch_source::Error;

use crate::cli::failure::Failure;

/// An edit goes to what a directive brings, and others keep what stood there.
pub(crate) fn users_keep(count: usize) -> String {
    let keep = if count == 1 { "user keeps" } else { "users keep" };
    format!("{count} {keep} the old value; see --into")
}

/// JSON cannot say a tag.
pub(crate) fn tags_in_json() -> Failure {
    Failure::new("JSON has no tags: the new value cannot be written into a JSON file; nothing was written")
}

/// Values that only a password could open are as good as not there.
pub(crate) fn closed_values(place: &str, count: usize) -> String {
    match count {
        1 => format!("the value at {place} is undefined here: only a vault password could open it"),
        _ => format!(
            "{count} values are undefined here: only a vault password could open them; the first is at {place}"
        ),
    }
}

/// With --plain every key is data, and places are named by JSON Pointers alone.
pub(crate) fn selector_with_plain(selector: &str) -> Failure {
    Failure::new(format!(
        "{selector} is a selector, and --plain takes JSON Pointers; a key that begins with * or [ is written ~2 or ~3; nothing was written"
    ))
}

/// Data cannot be written where its keys would be read as directives.
pub(crate) fn keys_are_directives(data: &str) -> Failure {
    Failure::new(format!("{data} cannot be written as data: its keys are directives"))
}

/// `yaml merge` was given no document.
pub(crate) fn nothing_to_merge() -> Failure {
    Failure::new("there is nothing to merge")
}

/// `--knockout` stands beside flags that have no prefix.
pub(crate) fn knockout_needs_deep() -> Failure {
    Failure::new("--knockout goes with --strategy deep, and without --match")
}

/// `yaml keys` is asked for a table that is not there.
pub(crate) fn no_such_table(name: &str) -> Failure {
    Failure::new(format!("there is no table '{name}'; there are kubernetes and compose"))
}

/// A pattern goes over too many files.
pub(crate) fn too_many_names(pattern: &str, most: u64) -> Failure {
    Failure::new(format!("{pattern} looks at more than {most} names"))
}

/// A pattern has no file.
pub(crate) fn no_file_fits(pattern: &str) -> Failure {
    Failure::new(format!("no file fits {pattern}"))
}

/// A path of `--plain` leads nowhere, and the search has no word of its own for it.
pub(crate) fn nothing_at_plain_place() -> Error {
    Error::new("YAML_NO_SUCH_PLACE", String::new())
}

/// `--plain` takes a document by number only.
pub(crate) fn plain_by_position() -> Failure {
    Failure::new("with --plain a document of a stream is chosen by its position")
}

/// A stream has not as many documents.
pub(crate) fn no_document_of(file: &dyn Display, count: usize, number: &str) -> Failure {
    Failure::new(format!("{file} has {count} documents; there is no document {number}"))
}

/// Words that come in pairs are odd in number.
pub(crate) fn without_pair(last: &str, why: &str) -> Failure {
    Failure::new(format!("{last}: {why}"))
}

/// How `yaml set` takes its words.
pub(crate) const PATH_NEEDS_VALUE: &str = "every PATH needs a VALUE behind it: /a 1 /b 2";

/// How `yaml rename` takes its words.
pub(crate) const PATH_NEEDS_KEY: &str = "every PATH needs a KEY behind it: /a/old new";

/// A stream stands where one document is needed.
pub(crate) fn several_documents() -> Failure {
    Failure::new("there are several documents; choose one with --document")
}

/// A file is a stream, and one document is needed.
pub(crate) fn several_documents_in(path: &Path) -> Failure {
    Failure::new(format!("{} has several documents; choose one with --document", path.display()))
}

/// No document of a stream is the one that was asked for.
pub(crate) fn no_document(path: &Path, wanted: &str) -> Error {
    Error::new("YAML_NO_SUCH_DOCUMENT", format!("{} has no document {wanted}", path.display()))
}

/// A tag cannot be said in JSON.
pub(crate) fn json_without_tag(tag: &str, place: Option<&str>) -> String {
    let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
    format!("JSON has no tags; {tag}{place} is left out (--tags keeps it)")
}

/// No document has anything at some places.
pub(crate) fn nothing_at(pointer: &str) -> Error {
    let error = Error::new("DIRECTIVE_NO_SUCH_PLACE", format!("there is nothing at {pointer}"));
    let asks = pointer.split("[?").nth(1).filter(|asked| !asked.contains("{{"));
    match asks.filter(|asked| {
        [" > ", " < ", " == ", " >= ", " <= ", " != "].iter().any(|sign| asked.contains(sign))
    }) {
        Some(_) => error.note("a comparison is written as a template: [?{{ port > 80 }}]"),
        None => error,
    }
}

/// A selector leads to more documents than an edit may change unasked.
pub(crate) fn meets_several(pointer: &str, path: &Path, numbers: &str) -> Failure {
    Failure::new(format!(
        "{pointer} leads to several documents of {}: {numbers}; choose with --document, * for all; nothing was written",
        path.display(),
    ))
}

/// A deletion would leave an empty file.
pub(crate) fn nothing_left_of_stream() -> Failure {
    Failure::new("nothing would be left of the stream; nothing was written")
}

/// One new content for several documents.
pub(crate) fn one_for_several(file: &Path, count: usize) -> Failure {
    Failure::new(format!(
        "{} has {count} documents and the new content is one: say which with --document, or give all of them; nothing was written",
        file.display()
    ))
}

/// `--into` leads from one document to its definitions.
pub(crate) fn into_one_document(file: &Path, count: usize) -> Failure {
    Failure::new(format!("--into takes one document, and --document chooses {count} of {}", file.display()))
}

/// Two files would each insert something into a third one.
pub(crate) fn into_inserted_twice(file: &Path) -> Failure {
    let file = file.display();
    Failure::new(format!(
        "--into would insert at several places of {file}; name one file; nothing was written"
    ))
}

/// A whole content leads from one file to its definitions.
pub(crate) fn into_whole(file: &Path) -> Failure {
    let file = file.display();
    Failure::new(format!("--into would give {file} different contents; update one file; nothing was written"))
}

/// A file that was JSON would not be JSON any more.
pub(crate) fn would_not_be_json(file: &Path) -> Failure {
    Failure::new(format!("{} is JSON, which cannot say the new value; nothing was written", file.display()))
}

/// A number as YAML writes it, for a file of JSON.
pub(crate) fn number_of_yaml(spelling: &str) -> Failure {
    Failure::new(format!(
        "JSON has no number {spelling}: write it in the decimal system, or with --string; nothing was written"
    ))
}

/// A number that JSON does not have.
pub(crate) fn number_not_in_json(number: &str) -> Failure {
    Failure::new(format!("JSON cannot say the number {number}; --render-as yaml can"))
}

/// A path of `--match` under which no document has a list.
pub(crate) fn no_list_to_match(path: &str) -> String {
    format!("--match {path}=…: no document has a list there")
}

/// A key of `--match` that nothing has.
pub(crate) fn no_item_has_key(path: &str, key: &str, near: Option<&str>) -> Error {
    let text = format!("--match {path}={key}: no item of the lists there has the key {key}");
    let error = Error::new("YAML_NO_KEY_TO_MATCH", text);
    match near {
        Some(near) => error.note(format!("did you mean {path}={near}?")),
        None => error,
    }
}

/// A value on the command line that has an anchor.
pub(crate) fn anchor_in_value(name: &str) -> Failure {
    Failure::new(format!(
        "the anchor &{name} would be lost: values are written without anchors; quote the text, or say --string"
    ))
}

/// A value on the command line of which a part would be a comment.
pub(crate) fn comment_in_value(value: &str) -> Failure {
    Failure::new(format!(
        "{value}: what follows # is a comment in YAML and would be lost; quote the text, or say --string"
    ))
}

/// An edit was asked of a file whose notation is only read.
pub(crate) fn only_read(name: &str, notation: &str) -> Error {
    let text = format!(
        "{name} is {notation}, which is read but not written; `hierarch yaml expand` makes YAML of it"
    );
    Error::new("YAML_ONLY_READ", text)
}

/// A text is not HOCON.
pub(crate) fn hocon(why: &str) -> Error {
    Error::new("YAML_HOCON", why)
}

/// A text is not TOML.
pub(crate) fn toml(why: &str) -> Error {
    Error::new("YAML_TOML", why)
}

/// A lookup that an expression asked for failed.
pub(crate) fn lookup_in_expression(error: &Error) -> Error {
    Error::new("EXPR_HIERA", error.message.clone())
}

/// `--var` is not a name and a value.
pub(crate) fn bad_var(setting: &str) -> Failure {
    Failure::new(format!("--var {setting}: write NAME=VALUE"))
}

/// The system gives no random bytes.
pub(crate) fn no_random(error: &io::Error) -> Error {
    Error::new("EXPR_RANDOM", format!("there are no random numbers: {error}"))
}

/// An expression uses a file outside of what flags allow.
pub(crate) fn outside_of_allowed(flag: &str) -> io::Error {
    let why = format!("it lies outside of what may be used; allow it with {flag} DIR");
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

/// An expression writes, and no flag allows it.
pub(crate) fn may_not_write() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "allow it with --allow-write DIR")
}

/// A path leads nowhere; `attribute` is there, but an attribute of the document and not an instance.
pub(crate) fn no_match(text: &str, attribute: Option<&str>) -> Error {
    let error = Error::new("EXPR_NO_MATCH", format!("{text} has no match"));
    match attribute {
        Some(name) => error
            .note(format!("`::` names instances; {name} is an attribute of the document itself: .::{name}")),
        None => error,
    }
}

/// `template` was given a folder, and nowhere to write to.
pub(crate) fn template_is_folder(folder: &dyn Display) -> Failure {
    Failure::new(format!("{folder} is a folder: name another one with --output"))
}

/// What a template makes is a secret.
pub(crate) fn template_has_secrets(name: &str) -> Failure {
    Failure::new(format!("{name} uses secrets; print them with --reveal"))
}

/// Two templates of a folder have the same name without their endings.
pub(crate) fn two_templates(file: &Path) -> Failure {
    Failure::new(format!("two templates would write {}; give one of them another name", file.display()))
}

/// `template -` has nothing to render.
pub(crate) fn no_template() -> Failure {
    Failure::new("there is no template on standard input")
}

/// A file among templates holds bytes that are no text.
pub(crate) fn no_template_text(file: &Path) -> String {
    format!("{} is no text and is left out", file.display())
}

/// A link among templates leads out of their folder.
pub(crate) fn link_leads_out(link: &Path, folder: &Path) -> Failure {
    Failure::new(format!(
        "{} is a link that leads out of {}, and nothing but files in the folder of the templates is read; nothing was written",
        link.display(),
        folder.display(),
    ))
}

/// A folder of templates goes on and on.
pub(crate) fn too_many_templates(folder: &Path, most: usize) -> Failure {
    Failure::new(format!("{} has more than {most} templates", folder.display()))
}

/// A value cannot be encrypted or decrypted.
pub(crate) fn eyaml(why: impl Display) -> Error {
    Error::new("EYAML", why.to_string())
}

/// A value cannot be decrypted with the private key that there is.
pub(crate) fn key_does_not_open(why: &str, place: &str) -> Error {
    eyaml(format!(
        "{why}: the private key of {place} does not open it; it was encrypted for another one, or is damaged \
         (--pkcs7-private-key names another key)"
    ))
}

/// An edit ended early.
pub(crate) fn nothing_written(error: &Error) -> Failure {
    Failure::new(without_result(error) + NOTHING_WRITTEN)
}

const NOTHING_WRITTEN: &str = "; nothing was written";

/// Returns the words of an error that may say itself what was not done.
fn without_result(error: &Error) -> String {
    let words = error.to_string();
    words.strip_suffix(NOTHING_WRITTEN).map(str::to_owned).unwrap_or(words)
}

/// An edit could not be written; it is not lost.
pub(crate) fn edit_kept(error: &Error, file: &Path) -> Failure {
    Failure::of(
        format!(
            "{}{NOTHING_WRITTEN}; the edit is kept, encrypted, in {file}; \
             `hierarch eyaml edit {file}` opens it",
            without_result(error),
            file = file.display()
        ),
        error,
    )
}

/// The editor left an empty file, which means that the edit was given up.
pub(crate) fn editor_left_nothing() -> Failure {
    Failure::new("the editor left nothing; nothing was written")
}

/// The variable EYAML_CONFIG names a file that is not there.
pub(crate) fn no_eyaml_config(file: &Path) -> String {
    format!("EYAML_CONFIG names {}, which is not there", file.display())
}

/// A configuration has an option that is nearly called as one that there is.
pub(crate) fn unknown_eyaml_option(file: &Path, name: &str, near: &[&str]) -> String {
    format!("{}: there is no option {name}; did you mean {}?", file.display(), near.join(" or "))
}

/// Something is wrong with the encrypted values of a file.
pub(crate) fn eyaml_in(file: &Path, error: Error) -> Error {
    let words = format!("{}: {}", file.display(), error.message);
    error.with_message(words)
}

/// A value that was encrypted is saved as it stands.
pub(crate) fn no_longer_encrypted(key: &str) -> String {
    format!("{key} was encrypted and has no mark any more: it is written as it stands")
}

/// A secret stands in clear in what is staged. The secret itself is not said.
#[cfg(feature = "git")]
pub(crate) fn exposed(kind: &ExposureKind) -> String {
    match kind {
        ExposureKind::Marked => "a secret stands in clear between DEC::…[ and ]!; write what `hierarch eyaml encrypt -e FILE` prints into the file".to_owned(),
        ExposureKind::Plain { path } => {
            format!("{path} was encrypted and is plain text now; encrypt it with `hierarch eyaml encrypt`")
        }
        ExposureKind::Replaced { old, path } => {
            format!("{old} was encrypted, and {path} in its place is plain text; encrypt it with `hierarch eyaml encrypt`")
        }
        ExposureKind::Moved { from, path } => {
            format!("{path} was encrypted in {from}, and is plain text here; encrypt it with `hierarch eyaml encrypt`")
        }
        ExposureKind::Key => "a private key opens everything that was encrypted for it; keep it out of the repository (git rm --cached)".to_owned(),
    }
}

/// A file with encrypted values is or was broken; where, and not what stands there.
#[cfg(feature = "git")]
pub(crate) fn cannot_be_compared(file: &str, error: &Error) -> String {
    let line = error.place.as_ref().map(|place| format!(":{}", place.position().0)).unwrap_or_default();
    format!(
        "{file}{line}: encrypted values are gone, and the file is not YAML before or after, so that they cannot be compared\n"
    )
}

/// A file is named that no repository around has.
#[cfg(feature = "git")]
pub(crate) fn outside_of_repository(file: &Path, root: &Path) -> Failure {
    Failure::new(format!(
        "{} is not below {}, the git repository around this folder",
        file.display(),
        root.display()
    ))
}

/// A file is named that neither the revision nor the index has.
#[cfg(feature = "git")]
pub(crate) fn no_such_staged_file(name: &str) -> Failure {
    Failure::new(format!("{name} is neither staged nor in the revision to compare with; see 'git status'"))
}

/// The editor says that it failed.
pub(crate) fn editor_failed(editor: &str, status: ExitStatus) -> Failure {
    Failure::new(format!("the editor {editor} failed ({status}); nothing was written"))
}

/// The editor is not there.
pub(crate) fn editor_not_started(editor: &str, error: &io::Error) -> Failure {
    Failure::new(format!("the editor {editor} cannot be started: {error}"))
}

/// The question after an edit that cannot be read.
pub(crate) const EDIT_AGAIN: &str = "Edit again? (Y/n): ";

/// `createkeys` would overwrite a key.
pub(crate) fn key_is_there(path: &Path) -> Failure {
    Failure::new(format!("{} is there already; remove it first", path.display()))
}

/// A method of encryption that is not built in.
pub(crate) fn unknown_method(method: &str) -> Failure {
    Failure::new(format!("the encryption method {method} is not known; pkcs7 is"))
}

/// The length of keys is configured as something else.
pub(crate) fn bad_keysize(text: &str) -> Failure {
    Failure::new(format!("pkcs7_keysize is {text}, not a number"))
}

/// A variable that should hold a key is not there.
pub(crate) fn variable_not_set(name: &str) -> Failure {
    Failure::new(format!("env {name} is not set"))
}

/// A configuration of eyaml cannot be read.
pub(crate) fn bad_eyaml_config(file: &Path, error: &Error) -> Failure {
    Failure::new(format!("Could not open config file \"{}\" for reading: {error}", file.display()))
}

/// A configuration of eyaml holds something else than names and values.
pub(crate) fn eyaml_config_not_a_map() -> Error {
    Error::new("EYAML_CONFIG", "it is not a map")
}

/// Signals would leave drafts behind.
pub(crate) fn signals_not_watched(error: &io::Error) -> String {
    format!("signals cannot be watched: {error}")
}

/// What names a document among others.
const MEETING: &str = "documents meet by apiVersion, kind, metadata.namespace and metadata.name where all of them have a kind, else by position";

/// Two documents would be merged because of their position, and are different things.
pub(crate) fn different_documents(first: &str, other: &str) -> Error {
    let text =
        format!("{first} and {other} would become one document, because they stand at the same position");
    Error::new("YAML_UNCLEAR_MERGE", text)
        .note(MEETING)
        .note("give every document a kind, and the documents of one file different names")
}

/// Two files are to be merged document by document, and have not as many.
pub(crate) fn unclear_meeting((first, count): (&str, usize), (other, others): (&str, usize)) -> Error {
    let documents =
        |count: usize| if count == 1 { "1 document".to_owned() } else { format!("{count} documents") };
    let text = format!(
        "{first} has {} and {other} {}: which of them meet is not clear",
        documents(count),
        documents(others)
    );
    Error::new("YAML_UNCLEAR_MERGE", text)
        .note(MEETING)
        .note("give every document a kind, or every file as many documents")
}

/// What `--match` is given is nothing that it takes.
pub(crate) fn no_such_match(word: &str, why: &str) -> Failure {
    Failure::new(format!(
        "--match {word} is neither PATH=KEY (containers=name), nor kubernetes or compose, nor a table of keys that can be read ({why})"
    ))
}

/// What templates make would lie among them, and be templates the next time.
pub(crate) fn output_among_templates(output: &Path, folder: &Path) -> Failure {
    let (output, folder) = (output.display(), folder.display());
    Failure::new(format!(
        "{output} lies in {folder}, the folder of the templates; nothing was written; name a folder outside of it"
    ))
}

/// A command wants documents and got a folder.
pub(crate) fn folder_of_documents(folder: &str) -> Failure {
    let folder = folder.trim_end_matches('/');
    Failure::new(format!("{folder} is a folder; name its files with a pattern: '{folder}/**/*.yaml'"))
}
