//! Everything filters, tests and methods of templates can say to a user. Words of Ansible's are as Ansible has them.

use hierarch_pcore::Value;
use hierarch_source::Error;
use minijinja::value::Value as JinjaValue;
use minijinja::{Error as JinjaError, ErrorKind};

use super::failure::to_jinja_error;
use crate::expr::issues::template;
use crate::expr::python;

fn wrong(what: impl Into<String>) -> JinjaError {
    JinjaError::new(ErrorKind::InvalidOperation, what.into())
}

pub(super) fn list_needed(found: &Value) -> JinjaError {
    wrong(format!("a list is needed, not {}", python::repr(found)))
}

pub(super) fn map_needed(found: &Value) -> JinjaError {
    wrong(format!("a map is needed, not {}", python::repr(found)))
}

pub(super) fn null_has_no_items() -> JinjaError {
    wrong("'NoneType' object is not iterable")
}

pub(super) fn not_repeated() -> JinjaError {
    wrong("texts and lists can be multiplied with integers only")
}

pub(super) fn not_calculated(operator: &str, a: &JinjaValue, b: &JinjaValue) -> JinjaError {
    wrong(format!("tried to use {operator} operator on unsupported types {} and {}", a.kind(), b.kind()))
}

pub(super) fn division_by_zero() -> JinjaError {
    wrong("integer division or modulo by zero")
}

pub(super) fn nested_too_deep(limit: usize) -> JinjaError {
    JinjaError::new(
        ErrorKind::SyntaxError,
        format!(
            "the template is nested more than {limit} levels deep; an operator, a filter or an elif is a level"
        ),
    )
}

pub(super) fn undefined(name: &str) -> JinjaError {
    JinjaError::new(ErrorKind::UndefinedError, format!("{name} is undefined"))
}

pub(super) fn undefined_part() -> JinjaError {
    JinjaError::new(ErrorKind::UndefinedError, "a part of the value is undefined")
}

pub(super) fn invalid_value() -> JinjaError {
    wrong("an invalid value")
}

pub(super) fn bridge_is_gone() -> JinjaError {
    wrong("__unfurl was set to something else")
}

pub(super) fn no_task_result() -> JinjaError {
    wrong("the result of a task is a map")
}

pub(super) fn combines_maps() -> JinjaError {
    wrong("combine merges maps only")
}

pub(super) fn unknown_list_merge(name: &str) -> JinjaError {
    wrong(format!("list_merge can not be {name}"))
}

pub(super) fn items_without(key: &str, value: &str) -> JinjaError {
    wrong(format!("items2dict needs '{key}' and '{value}' in each item"))
}

pub(super) fn mandatory(message: Option<String>) -> JinjaError {
    wrong(message.unwrap_or_else(|| "Mandatory variable not defined.".into()))
}

pub(super) fn no_clock() -> JinjaError {
    wrong("there is no clock here")
}

pub(super) fn no_second(second: f64) -> JinjaError {
    wrong(format!("Invalid value for epoch value ({second})"))
}

pub(super) fn unknown_in_dates(code: char) -> JinjaError {
    wrong(format!("%{code} is not known in dates"))
}

pub(super) fn no_json(why: &serde_json::Error) -> JinjaError {
    wrong(format!("this is no JSON: {why}"))
}

pub(super) fn no_base64() -> JinjaError {
    wrong("this is no base64")
}

pub(super) fn decoded_no_text() -> JinjaError {
    wrong("the decoded bytes are no text")
}

pub(super) fn unknown_hash(name: &str) -> JinjaError {
    wrong(format!("unsupported hash type {name}"))
}

pub(super) fn bad_syntax(why: &JinjaError) -> Error {
    template(&why.to_string())
}

pub(super) fn setting_without_value(setting: &str) -> Error {
    template(&format!("a setting without a value: {setting}"))
}

pub(super) fn unknown_setting(name: &str) -> Error {
    template(&format!("unknown setting {name}"))
}

pub(super) fn values_do_not_change(method: &str) -> JinjaError {
    let what = format!("{method} would change a value; values of templates do not change");
    let way = "keep what changes in a namespace: {% set ns = namespace(list=[]) %}, {% set ns.list = ns.list + [item] %}";
    to_jinja_error(Error::new("TEMPLATE_CHANGE", what).note(way))
}

pub(super) fn substring_not_found() -> JinjaError {
    wrong("substring not found")
}

pub(super) fn empty_separator() -> JinjaError {
    wrong("empty separator")
}

pub(super) fn fill_is_no_character() -> JinjaError {
    wrong("The fill character must be exactly one character long")
}

pub(super) fn not_in_list(item: &Value) -> JinjaError {
    wrong(format!("{} is not in list", python::repr(item)))
}

pub(super) fn no_size(text: &str) -> JinjaError {
    wrong(format!("human_to_bytes() can't interpret following string: {text}"))
}

pub(super) fn relpath_without_start() -> JinjaError {
    wrong("relpath needs a folder to start from: the current one is not known")
}

pub(super) fn relpath_mixed() -> JinjaError {
    wrong("relpath needs two absolute or two relative paths")
}

pub(super) fn commonpath_of_no_list() -> JinjaError {
    wrong("commonpath needs a list of paths")
}

pub(super) fn commonpath_of_nothing() -> JinjaError {
    wrong("commonpath needs at least one path")
}

pub(super) fn mixed_paths() -> JinjaError {
    wrong("Can't mix absolute and relative paths")
}

pub(super) fn not_urlencoded(found: &Value) -> JinjaError {
    wrong(format!("urlencode needs a text or a map, not {}", python::repr(found)))
}

pub(super) fn unknown_url_part(name: &str) -> JinjaError {
    wrong(format!("urlsplit: unknown URL component: {name}"))
}

pub(super) fn unknown_argument() -> JinjaError {
    wrong("Unknown argument")
}

pub(super) fn product_too_large(limit: usize) -> JinjaError {
    wrong(format!("the product has more than {limit} members"))
}

pub(super) fn too_many_picks(limit: usize, size: usize) -> JinjaError {
    wrong(format!("there are more than {limit} ways to pick {size} items"))
}

pub(super) fn subelements_of_neither() -> JinjaError {
    wrong("obj must be a list of dicts or a nested dict")
}

pub(super) fn subelements_missing(keys: &[String], element: &Value) -> Error {
    Error::new("EXPR_KEY", format!("could not find {} in {}", keys.join("."), python::repr(element)))
}

pub(super) fn subelements_no_list(keys: &[String], found: &Value) -> Error {
    let (keys, found) = (keys.join("."), python::repr(found));
    Error::new("EXPR_KEY", format!("the key {keys} should point to a list, got {found}"))
}

pub(super) fn rekey_of_neither() -> JinjaError {
    wrong("Type is not a valid list, set, or dict")
}

pub(super) fn rekey_without(key: &str) -> JinjaError {
    wrong(format!("Key {key} was not found"))
}

pub(super) fn rekey_twice(name: &Value) -> JinjaError {
    wrong(format!("Key {name} is not unique, cannot correctly turn into dict"))
}

pub(super) fn no_seed() -> JinjaError {
    wrong("a seed is not supported: Python's random numbers are not imitated")
}

pub(super) fn nothing_to_choose() -> JinjaError {
    wrong("there is nothing to choose from")
}

pub(super) fn field_too_wide() -> JinjaError {
    wrong("a format with fields that wide is not allowed")
}

pub(super) fn xmlattr_of_no_map() -> JinjaError {
    wrong("xmlattr needs a map")
}

pub(super) fn unknown_comment(style: &str) -> JinjaError {
    wrong(format!("there is no style {style} of comments"))
}

pub(super) fn empty_version() -> JinjaError {
    wrong("Input version value cannot be empty")
}

pub(super) fn unknown_version_type(name: &str) -> JinjaError {
    wrong(format!("Invalid version type ({name})"))
}

pub(super) fn unknown_version_operator(name: &str) -> JinjaError {
    wrong(format!("Invalid operator type ({name})"))
}

pub(super) fn no_version(version: &str) -> JinjaError {
    wrong(format!("Version comparison failed: invalid version number '{version}'"))
}

pub(super) fn no_semantic_version(version: &str) -> JinjaError {
    wrong(format!("Version comparison failed: invalid semantic version '{version}'"))
}
