//! What filters and tests say. Words of Ansible's are as Ansible has them.

use hierarch_pcore::Value;
use hierarch_source::Error;

use crate::expr::python;
use crate::template::fault::Fault;

/// What `undef()` says without a hint.
pub(in crate::template) const MANDATORY_HINT: &str = "Mandatory variable has not been overridden";

pub(in crate::template) fn no_task_result(test: &str) -> Fault {
    Fault::wrong(format!("The '{test}' test expects a dictionary"))
}

pub(in crate::template) fn combines_maps() -> Fault {
    Fault::wrong("combine merges maps only")
}

pub(in crate::template) fn unknown_list_merge(name: &str) -> Fault {
    Fault::wrong(format!("list_merge can not be {name}"))
}

pub(in crate::template) fn map_needed(filter: &str, kind: &str) -> Fault {
    Fault::wrong(format!("{filter} requires a dictionary, got {kind} instead."))
}

pub(in crate::template) fn list_needed(filter: &str, kind: &str) -> Fault {
    Fault::wrong(format!("{filter} requires a list, got {kind} instead."))
}

pub(in crate::template) fn items_without(key: &str, value: &str) -> Fault {
    Fault::wrong(format!("items2dict needs '{key}' and '{value}' in each item"))
}

pub(in crate::template) fn items_of_no_map() -> Fault {
    Fault::wrong("Can only get item pairs from a mapping.")
}

pub(in crate::template) fn no_clock() -> Fault {
    Fault::wrong("there is no clock here")
}

pub(in crate::template) fn no_second(second: &str) -> Fault {
    Fault::wrong(format!("Invalid value for epoch value ({second})"))
}

pub(in crate::template) fn unknown_in_dates(code: char) -> Fault {
    Fault::wrong(format!("%{code} is not known in dates"))
}

pub(in crate::template) fn date_does_not_match(text: &str, format: &str) -> Fault {
    Fault::wrong(format!("time data '{text}' does not match format '{format}'"))
}

pub(in crate::template) fn date_has_more(rest: &str) -> Fault {
    Fault::wrong(format!("unconverted data remains: {rest}"))
}

pub(in crate::template) fn date_out_of_range() -> Fault {
    Fault::wrong("day is out of range for month")
}

pub(in crate::template) fn no_json(why: &serde_json::Error) -> Fault {
    Fault::wrong(format!("this is no JSON: {why}"))
}

pub(in crate::template) fn not_json(kind: &str) -> Fault {
    Fault::wrong(format!("Object of type {kind} is not JSON serializable"))
}

pub(in crate::template) fn not_a_json_key(kind: &str) -> Fault {
    Fault::wrong(format!("keys must be str, int, float, bool or None, not {kind}"))
}

pub(in crate::template) fn bad_separators() -> Fault {
    Fault::wrong("separators are two texts: between items, and behind keys")
}

pub(in crate::template) fn yaml_option(name: &str) -> Fault {
    Fault::wrong(format!("the option {name} of YAML is not there"))
}

pub(in crate::template) fn no_base64() -> Fault {
    Fault::wrong("Incorrect padding: this is no base64")
}

pub(in crate::template) fn decoded_no_text() -> Fault {
    Fault::wrong("the decoded bytes are no text")
}

pub(in crate::template) fn not_encoded(encoding: &str) -> Fault {
    Fault::wrong(format!("the text can not be written in, or read from, the encoding {encoding}"))
}

pub(in crate::template) fn bad_uuid(text: &str) -> Fault {
    Fault::wrong(format!("Invalid value '{text}' for 'namespace': badly formed hexadecimal UUID string"))
}

pub(in crate::template) fn unknown_hash(name: &str) -> Fault {
    Fault::wrong(format!("unsupported hash type {name}"))
}

pub(in crate::template) fn no_size(text: &str) -> Fault {
    Fault::wrong(format!("human_to_bytes() can't interpret following string: {text}"))
}

pub(in crate::template) fn math_domain() -> Fault {
    Fault::wrong("math domain error")
}

pub(in crate::template) fn math_range() -> Fault {
    Fault::wrong("math range error")
}

pub(in crate::template) fn round_method() -> Fault {
    Fault::wrong("method must be common, ceil or floor")
}

pub(in crate::template) fn relpath_without_start() -> Fault {
    Fault::wrong("relpath needs a folder to start from: the current one is not known")
}

pub(in crate::template) fn relpath_mixed() -> Fault {
    Fault::wrong("relpath needs two absolute or two relative paths")
}

pub(in crate::template) fn path_join_of(kind: &str) -> Fault {
    Fault::wrong(format!("|path_join expects string or sequence, got {kind} instead."))
}

pub(in crate::template) fn commonpath_of_no_list() -> Fault {
    Fault::wrong("|commonpath expects sequence, got something else.")
}

pub(in crate::template) fn commonpath_of_nothing() -> Fault {
    Fault::wrong("commonpath() arg is an empty sequence")
}

pub(in crate::template) fn mixed_paths() -> Fault {
    Fault::wrong("Can't mix absolute and relative paths")
}

pub(in crate::template) fn unknown_url_part(name: &str) -> Fault {
    Fault::wrong(format!("urlsplit: unknown URL component: {name}"))
}

pub(in crate::template) fn unknown_argument() -> Fault {
    Fault::wrong("Unknown argument")
}

pub(in crate::template) fn regex_type(name: &str) -> Fault {
    Fault::wrong(format!("Invalid regex type ({name})"))
}

pub(in crate::template) fn no_regex_group(name: &str) -> Fault {
    Fault::wrong(format!("invalid group reference {name}"))
}

pub(in crate::template) fn bad_regex_escape(letter: char) -> Fault {
    Fault::wrong(format!("bad escape \\{letter} in a replacement"))
}

pub(in crate::template) fn product_too_large(limit: usize) -> Fault {
    Fault::wrong(format!("the product has more than {limit} members"))
}

pub(in crate::template) fn too_many_picks(limit: usize, size: usize) -> Fault {
    Fault::wrong(format!("there are more than {limit} ways to pick {size} items"))
}

pub(in crate::template) fn subelements_of_neither() -> Fault {
    Fault::wrong("obj must be a list of dicts or a nested dict")
}

pub(in crate::template) fn subelements_keys() -> Fault {
    Fault::wrong("subelements must be a list or a string")
}

pub(in crate::template) fn rekey_of_neither() -> Fault {
    Fault::wrong("Type is not a valid list, set, or dict")
}

pub(in crate::template) fn rekey_item_no_map() -> Fault {
    Fault::wrong("List item is not a valid dict")
}

pub(in crate::template) fn rekey_duplicates(name: &str) -> Fault {
    Fault::wrong(format!("duplicates parameter to rekey_on_member has unknown value: {name}"))
}

pub(in crate::template) fn rekey_without(key: &str) -> Fault {
    Fault::wrong(format!("Key {key} was not found"))
}

pub(in crate::template) fn rekey_twice(name: &str) -> Fault {
    Fault::wrong(format!("Key {name} is not unique, cannot correctly turn into dict"))
}

pub(in crate::template) fn bad_seed(kind: &str) -> Fault {
    Fault::wrong(format!(
        "The only supported seed types are: None, int, float, str, bytes, and bytearray; this is {kind}"
    ))
}

pub(in crate::template) fn empty_range() -> Fault {
    Fault::wrong("empty range for randrange()")
}

pub(in crate::template) fn random_start_of_list() -> Fault {
    Fault::wrong("start and step can only be used with integer values")
}

pub(in crate::template) fn nothing_to_choose() -> Fault {
    Fault::wrong("there is nothing to choose from")
}

pub(in crate::template) fn unknown_password_hash(name: &str) -> Fault {
    Fault::wrong(format!(
        "crypt does not support '{name}' algorithm: the kinds are sha512, sha256, md5 and blowfish"
    ))
}

pub(in crate::template) fn bad_salt_characters() -> Fault {
    Fault::wrong("invalid characters in salt")
}

pub(in crate::template) fn bad_salt_size() -> Fault {
    Fault::wrong("invalid salt size")
}

pub(in crate::template) fn too_many_rounds(name: &str, most: usize) -> Fault {
    Fault::wrong(format!("password_hash of the kind {name} has at most {most} rounds"))
}

pub(in crate::template) fn long_password(most: usize) -> Fault {
    Fault::wrong(format!("password_hash hashes passwords of at most {most} bytes, as crypt does"))
}

pub(in crate::template) fn password_not_hashed() -> Fault {
    Fault::wrong("the password can not be hashed with these options")
}

pub(in crate::template) fn xmlattr_of_no_map() -> Fault {
    Fault::wrong("xmlattr needs a map")
}

pub(in crate::template) fn bad_attribute_name(name: &str) -> Fault {
    Fault::wrong(format!("Invalid character in attribute name: '{name}'"))
}

pub(in crate::template) fn unknown_comment(style: &str) -> Fault {
    Fault::wrong(format!("there is no style {style} of comments"))
}

pub(in crate::template) fn truncated_too_short(end: usize, length: usize) -> Fault {
    Fault::wrong(format!("expected length >= {end}, got {length}"))
}

pub(in crate::template) fn dictsort_by() -> Fault {
    Fault::wrong("You can only sort by either \"key\" or \"value\"")
}

pub(in crate::template) fn sum_of_texts() -> Fault {
    Fault::wrong("sum() can't sum strings [use ''.join(seq) instead]")
}

pub(in crate::template) fn map_needs_filter() -> Fault {
    Fault::wrong("map requires a filter argument")
}

pub(in crate::template) fn attribute_needed() -> Fault {
    Fault::wrong("Missing parameter for attribute name")
}

pub(in crate::template) fn empty_version() -> Fault {
    Fault::wrong("Input version value cannot be empty")
}

pub(in crate::template) fn version_strict_and_type() -> Fault {
    Fault::wrong("Cannot specify both 'strict' and 'version_type'")
}

pub(in crate::template) fn unknown_version_type(name: &str) -> Fault {
    Fault::wrong(format!("Invalid version type ({name})"))
}

pub(in crate::template) fn unknown_version_operator(name: &str) -> Fault {
    Fault::wrong(format!("Invalid operator type ({name})"))
}

pub(in crate::template) fn no_version(version: &str) -> Fault {
    Fault::wrong(format!("Version comparison failed: invalid version number '{version}'"))
}

pub(in crate::template) fn no_semantic_version(version: &str) -> Fault {
    Fault::wrong(format!("Version comparison failed: invalid semantic version '{version}'"))
}

pub(in crate::template) fn mandatory(message: Option<String>, name: Option<&str>) -> Fault {
    let name = name.map(|name| format!("'{name}' ")).unwrap_or_default();
    Fault::wrong(message.unwrap_or_else(|| format!("Mandatory variable {name} not defined.")))
}

pub(in crate::template) fn subelements_missing(keys: &[String], element: &Value) -> Error {
    Error::new("EXPR_KEY", format!("could not find {} in {}", keys.join("."), python::repr(element)))
}

pub(in crate::template) fn subelements_no_list(keys: &[String], found: &Value) -> Error {
    let (keys, found) = (keys.join("."), python::repr(found));
    Error::new("EXPR_KEY", format!("the key {keys} should point to a list, got {found}"))
}

pub(in crate::template) fn subelements_no_map(key: &str, found: &Value) -> Error {
    let found = python::text(found);
    Error::new("EXPR_KEY", format!("the key {key} should point to a dictionary, got '{found}'"))
}
