//! Words about classes, resources, collectors and relationships.

use hierarch_pcore::{Value, issues as words};
use hierarch_source::{Error, Place};

use super::{PREFIX, RUNTIME_ERROR, a_value, runtime};

/// Returns a place in parentheses, as messages quote it.
pub(crate) fn location(place: &Place) -> String {
    format!("({})", Place { has_column: false, ..place.clone() })
}

/// Returns the place of a call in parentheses; a text without a name is an unknown file there.
pub(crate) fn call_location(place: &Place) -> String {
    let unknown = if place.source.name().is_none() { "file: unknown, " } else { "" };
    format!("({unknown}{})", Place { has_column: false, ..place.clone() })
}

/// An error that is not an issue of the language, and is not wrapped once it has a place.
fn plain(message: impl Into<String>) -> Error {
    Error::new("", message)
}

/// Makes an error one that is not an issue of the language.
pub(crate) fn without_code(error: Error) -> Error {
    let mut diagnostic = error.into_diagnostic();
    diagnostic.code = "";
    diagnostic.into()
}

// Definitions.

/// A class is defined twice.
pub fn class_redefined(name: &str, first: &Place) -> Error {
    plain(format!("Class '{name}' is already defined {}; cannot redefine", location(first)))
}

/// A class has the name of a node.
pub fn node_as_class(name: &str, first: &Place) -> Error {
    plain(format!("Node '{name}' is already defined {}; cannot be redefined as a class", location(first)))
}

/// A class has the name of a defined type.
pub fn define_as_class(name: &str, first: &Place) -> Error {
    let first = location(first);
    plain(format!("Definition '{name}' is already defined {first}; cannot be redefined as a class"))
}

/// A defined type has the name of a class.
pub fn class_as_define(name: &str, first: &Place) -> Error {
    let first = location(first);
    plain(format!("'{name}' is already defined {first} as a class; cannot redefine as a definition"))
}

/// A defined type is defined twice.
pub fn define_redefined(name: &str, first: &Place) -> Error {
    plain(format!("Definition '{name}' is already defined {}; cannot be redefined", location(first)))
}

/// A node is defined twice.
pub fn node_redefined(name: &str, first: &Place) -> Error {
    plain(format!("Node '{name}' is already defined {}; cannot redefine", location(first)))
}

/// A node has the name of a class.
pub fn class_as_node(name: &str, first: &Place) -> Error {
    plain(format!("Class '{name}' is already defined {}; cannot be redefined as a node", location(first)))
}

/// A parameter has the name of a metaparameter.
pub fn metaparameter_name(parameter: &str, definition: &str) -> Error {
    let problem = format!("{parameter} is a metaparameter; please choose another parameter name");
    plain(format!("{problem} in the {definition} definition"))
}

/// A parameter has the name of a metaparameter and a default.
pub fn metaparameter_default(parameter: &str, definition: &str) -> String {
    let problem = format!("{parameter} is a metaparam; this value will inherit to all contained resources");
    format!("{problem} in the {definition} definition")
}

/// A class inherits from one that does not exist.
pub fn unknown_parent(parent: &str, environment: &str) -> Error {
    plain(format!("Could not find parent resource type '::{parent}' of type hostclass in {environment}"))
}

/// No definition is for the node.
pub fn no_node(name: &str) -> Error {
    plain(format!("Could not find node statement with name 'default' or '{name}'"))
}

// Classes.

/// A class is included that does not exist.
pub fn unknown_class_for(name: &str, node: &str) -> Error {
    let name = name.strip_prefix("::").unwrap_or(name);
    runtime(format!("Could not find class ::{name} for {node}"))
}

/// A class is declared that does not exist.
pub fn undeclared_class(name: &str) -> Error {
    runtime(format!("Could not find declared class {name}"))
}

/// Something stands for a class' name that cannot.
pub fn class_name(what: &str) -> Error {
    runtime(format!("Cannot use {what} as a class name"))
}

/// A value is not a name of a class.
pub fn not_a_class_name(value: &Value) -> Error {
    runtime(format!("Cannot use {} as a class name", a_value(value)))
}

/// A reference is to all classes.
pub fn unspecific_class() -> Error {
    runtime("Cannot use an unspecific Class[] Type")
}

/// A reference is to all resources.
pub fn unspecific_resource() -> Error {
    runtime("Cannot use an unspecific Resource[] where a Resource['class', name] is expected")
}

/// A reference is to all classes, as a resource.
pub fn untitled_class() -> Error {
    runtime("Cannot use an unspecific Resource['class'] where a Resource['class', name] is expected")
}

/// A reference is to a resource that is not a class.
pub fn no_class_reference(type_name: &str) -> Error {
    runtime(format!("Cannot use a Resource[{type_name}] where a Resource['class', name] is expected"))
}

/// A class is to be virtual.
pub fn virtual_class() -> Error {
    Error::new("CLASS_NOT_VIRTUALIZABLE", format!("{PREFIX}Classes are not virtualizable"))
}

/// A class names a stage that is not declared.
pub fn unknown_stage(stage: &str, class: &str) -> Error {
    runtime(format!("Could not find stage {stage} specified by {class}"))
}

// Resources.

/// A resource is of a type that does not exist.
pub fn unknown_resource_type(name: &str) -> Error {
    runtime(format!("Unknown resource type: '{name}'"))
}

/// A resource is of a type that nobody describes, and is let through.
pub fn assumed_type(name: &str, near: &[String]) -> String {
    let words = format!("Unknown resource type: '{name}'; its attributes are not checked");
    if near.is_empty() { words } else { format!("{words}; did you mean {}?", near.join(" or ")) }
}

/// A title that none of the type's patterns matches.
pub fn unmatched_title(title: &str) -> Error {
    runtime(format!("No set of title patterns matched the title \"{title}\"."))
}

/// What stands before the brace is not a resource type.
pub fn illegal_resource_type(actual: &str) -> Error {
    let wanted = "Illegal Resource Type expression, expected result to be a type name, or untitled Resource";
    Error::new("ILLEGAL_RESOURCE_TYPE", format!("{wanted}, got {actual}"))
}

/// A title is `undef`.
pub fn missing_title() -> Error {
    Error::new("MISSING_TITLE", "Missing title. The title expression resulted in undef")
}

/// One of several titles is `undef`.
pub fn missing_title_at(index: usize) -> Error {
    let problem = format!("Missing title at index {index}. The title expression resulted in an undef title");
    Error::new("MISSING_TITLE_AT", problem)
}

/// A title is empty.
pub fn empty_title(index: usize) -> Error {
    let rule = "Title strings must have a length greater than zero.";
    Error::new("EMPTY_STRING_TITLE_AT", format!("Empty string title at {index}. {rule}"))
}

/// A title is not a text.
pub fn illegal_title(index: usize, actual: &str) -> Error {
    let problem = format!("Illegal title type at index {index}. Expected String, got {actual}");
    Error::new("ILLEGAL_TITLE_TYPE_AT", problem)
}

/// A title stands twice in one expression.
pub fn duplicate_title(title: &str) -> Error {
    let problem = format!("The title '{title}' has already been used in this resource expression");
    Error::new("DUPLICATE_TITLE", problem)
}

/// An attribute stands twice.
pub fn duplicate_attribute(name: &str) -> Error {
    // The issue is spelled so in the reference.
    Error::new("DUPLICATE_ATTRIBUE", format!("The attribute '{name}' has already been set"))
}

/// A value is of another type than wanted.
pub fn type_mismatch(expected: &str, actual: &str) -> Error {
    Error::new("TYPE_MISMATCH", format!("Expected value of type {expected}, got {actual}"))
}

/// A resource is declared twice, at places that are given as messages quote them.
pub fn duplicate_declaration(resource: &str, first: Option<String>, second: Option<String>) -> Error {
    let first = first.map_or_else(String::new, |first| format!(" at {first}"));
    let second = second.map_or_else(String::new, |second| format!(" {second}"));
    runtime(format!("Duplicate declaration: {resource} is already declared{first}; cannot redeclare{second}"))
}

/// A resource is to be known by what another is known by.
pub fn alias_taken(
    resource: &str,
    key: &str,
    taken: &str,
    (own, first): (Option<String>, Option<String>),
) -> Error {
    let own = own.map_or_else(String::new, |own| format!(" at {own}"));
    let first = first.map_or_else(String::new, |first| format!(" {first}"));
    runtime(format!("Cannot alias {resource} to {key}{own}; resource {taken} already declared{first}"))
}

/// Two resources have one alias in a catalog that is done.
pub(crate) fn late_alias_taken(resource: &str, kind: &str, alias: &str, place: Option<String>) -> Error {
    let [kind, alias] = [kind, alias].map(hierarch_pcore::value::double_quoted);
    let place = place.map_or_else(String::new, |place| format!(" at {place}"));
    plain(format!("Cannot alias {resource} to {alias}{place}; resource [{kind}, {alias}] already declared"))
}

/// A tag has characters that tags may not have.
pub fn invalid_tag(tag: &str) -> Error {
    plain(format!("Invalid tag '{tag}'"))
}

/// A resource that is not a class names a stage.
pub fn stage_of_resource(resource: &str) -> Error {
    let rule = "Only classes can set 'stage'";
    runtime(format!("{rule}; normal resources like {resource} cannot change run stage"))
}

/// A type does not have an attribute.
pub fn unknown_parameter(name: &str, resource: &str, place: Option<String>) -> Error {
    let place = place.map_or_else(String::new, |place| format!(" {place}"));
    plain(format!("no parameter named '{name}'{place} on {resource}"))
}

/// A resource was asked for an attribute that its type does not have.
pub fn unknown_attribute(type_name: &str, title: &str, name: &Value) -> Error {
    let type_name = words::capitalized(&type_name.to_lowercase());
    Error::new(
        "UNKNOWN_RESOURCE_PARAMETER",
        format!("The resource {type_name}['{title}'] does not have a parameter called '{name}'"),
    )
}

/// A resource that is not declared was asked for an attribute.
pub fn unknown_resource(type_name: &str, title: &str) -> Error {
    Error::new("UNKNOWN_RESOURCE", format!("Resource not found: {type_name}['{title}']"))
}

/// A class has no variable of this name.
pub fn missing_class_variable(class: &str, name: &str) -> Error {
    let problem = format!("No value for required variable '${class}::{name}'");
    Error::new(
        "MISSING_MULTI_ASSIGNMENT_VARIABLE",
        format!("{problem} in assignment to variables from class reference"),
    )
}

/// A default is set twice.
pub fn default_redefined(type_name: &str, parameter: &str) -> Error {
    plain(format!("Default already defined for {type_name} {{ {parameter} }}; cannot redefine"))
}

/// What was declared failed when it was evaluated.
pub fn failed_declaration(error: &Error, place: Option<Place>) -> Error {
    if error.has_detail(ARGUMENT_ERROR) {
        let failed = plain(format!("{COMPILER_FAILED}{}", error.message));
        let note = place.as_ref().map(|place| format!("what was declared there failed ({place})"));
        return note.into_iter().fold(failed.showing(place), Error::note);
    }
    let inner = error.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
    let detail = format!("Error while evaluating a Resource Statement, {}{inner}", error.message);
    let failed = Error::new(RUNTIME_ERROR, format!("{PREFIX}{detail}")).showing(error.excerpt.clone());
    let failed = error.notes.iter().fold(failed, |failed, note| failed.note(note.text.as_str()));
    at_line(failed, place)
}

/// An error that is Ruby's own to the reference: where no expression is evaluated, nothing says where it arose.
const ARGUMENT_ERROR: &str = "argument_error";

/// What the reference says in front of such an error.
const COMPILER_FAILED: &str = "Puppet::Parser::Compiler failed with error ArgumentError: ";

/// A jump left what was declared.
pub fn failed_object(error: Error) -> Error {
    let mut diagnostic = error.into_diagnostic();
    diagnostic.code = RUNTIME_ERROR;
    diagnostic.message = format!("{PREFIX}Error while evaluating an Object, {}", diagnostic.message);
    diagnostic.into()
}

fn at_line(error: Error, place: Option<Place>) -> Error {
    match place {
        Some(place) => error.on_line_of(&place.source, place.span),
        None => error,
    }
}

/// Evaluation never came to an end.
pub fn too_many_rounds(most: usize) -> Error {
    plain(format!("Somehow looped more than {most} times while evaluating host catalog"))
}

// Overrides.

/// Something is overridden that is not a resource.
pub fn illegal_override(value: &Value) -> Error {
    let actual = words::value_label(value);
    Error::new(
        "ILLEGAL_OVERRIDDEN_TYPE",
        format!("Resource Override can only operate on resources, got: {actual}"),
    )
}

/// A class that does not inherit overrides.
pub fn only_subclasses() -> Error {
    plain("Only subclasses can override parameters")
}

/// An override comes too late.
pub fn refused_override(message: String) -> Error {
    Error::new("", message)
}

/// A resource is overridden that was evaluated.
pub fn late_override(place: Option<&Place>) -> String {
    match place {
        None => "Attempt to override an already evaluated resource with new values".to_owned(),
        Some(place) => {
            let place = location(place);
            format!("Attempt to override an already evaluated resource, defined at {place}, with new values")
        }
    }
}

/// An attribute is set already, by a definition that has the say.
pub fn parameter_taken(name: &str, resource: &str, by: &str, place: Option<&Place>) -> Error {
    let place = place.map_or_else(String::new, |place| format!(" at {}", location(place)));
    plain(format!("Parameter '{name}' is already set on {resource} by {by}{place}; cannot redefine"))
}

/// Overrides are left over.
pub fn overrides_left(resources: &str) -> Error {
    plain(format!("Could not find resource(s) {resources} for overriding"))
}

// Collectors.

/// Exporting needs a store.
pub fn export_ignored() -> String {
    "You cannot collect exported resources without storeconfigs being set; the export is ignored".to_owned()
}

/// Collecting what others exported needs a store.
pub fn collection_ignored() -> String {
    let problem = "You cannot collect exported resources without storeconfigs being set";
    format!("{problem}; the collection will be ignored")
}

/// What another node exported is in the catalog already.
pub fn exported_twice(type_name: &str, title: &str) -> Error {
    let problem = "A duplicate resource was found while collecting exported resources";
    plain(format!("{problem}, with the type and title {type_name}[{title}]"))
}

/// A resource has no title.
pub fn no_title(type_name: &str) -> Error {
    runtime(format!("No title provided and :{type_name} is not a valid resource reference"))
}

/// Classes are to be collected.
pub fn classes_collected() -> Error {
    runtime("Classes cannot be collected")
}

/// Resources of a type are collected that does not exist.
pub fn unknown_collected_type(name: &str) -> Error {
    runtime(format!("Resource type {name} doesn't exist"))
}

/// What stands in a collector is not a query.
pub fn no_query() -> Error {
    runtime("A collector looks for resources by '==' and '!=', joined by 'and' and 'or'")
}

/// A query compares with something that it cannot compare with.
pub fn foreign_to_queries(class: &str) -> Error {
    runtime(format!("Cannot transform object of class Puppet::Pops::Model::{class}"))
        .note("assign the value to a variable, and compare with that")
}

/// A number is to be a tag.
pub fn number_as_tag() -> Error {
    runtime("Cannot transform a number to a tag")
}

/// Resources are to be realized that nobody declared.
pub fn not_realized(resources: &str) -> Error {
    plain(format!("Failed to realize virtual resources {resources}"))
}

/// Something is to be realized that does not name a resource.
pub(crate) fn unreadable_reference(text: &str) -> Error {
    let cause = no_reference(text);
    plain(format!("{COMPILER_FAILED}{}", cause.message))
}

// Relationships.

/// The code of errors that concern one side of an arrow.
pub(crate) const ILLEGAL_OPERAND: &str = "ILLEGAL_RELATIONSHIP_OPERAND_TYPE";

/// A value cannot stand beside an arrow.
pub fn illegal_operand(value: &Value) -> Error {
    let problem = "Illegal relationship operand, can not form a relationship with";
    Error::new(ILLEGAL_OPERAND, format!("{problem} {}. A Catalog type is required.", a_value(value)))
}

/// A type cannot stand beside an arrow.
pub fn no_catalog_type(value: &Value) -> Error {
    let problem = "Illegal relationship operand, can not form a relationship with something of type";
    Error::new("NOT_CATALOG_TYPE", format!("{problem} {value}. A Catalog type is required."))
}

/// A text beside an arrow is not a reference.
pub fn no_type_text(text: &str) -> Error {
    runtime(format!("The expression <{text}> is not a valid type specification."))
}

/// An arrow leads to or from something that is not declared.
pub fn unrelated(missing: &str, direction: &str, other: &str) -> Error {
    plain(format!("Could not find resource '{missing}' for relationship {direction} '{other}'"))
}

/// An attribute names a resource that is not declared.
pub fn dangling(resource: &str, parameter: &str) -> Error {
    plain(format!("Could not find resource '{resource}' in parameter '{parameter}'"))
}

/// An attribute that names resources has a text that is not a reference.
pub fn no_reference(text: &str) -> Error {
    let text = hierarch_pcore::value::double_quoted(text);
    plain(format!("No title provided and {text} is not a valid resource reference"))
}

// Functions.

/// `defined` is asked about all classes.
pub fn all_classes() -> Error {
    runtime("The given class type is a reference to all classes")
}

/// `defined` is asked about all resources.
pub fn all_resources() -> Error {
    runtime("The given resource type is a reference to all kind of types")
}

/// The attributes of a resource in `create_resources` are not a hash.
pub fn attributes_no_hash(value: &Value) -> Error {
    let class = with_class_name(value);
    runtime(format!("no implicit conversion of {class} into Hash"))
}

fn with_class_name(value: &Value) -> String {
    match value {
        Value::Undef => "nil".to_owned(),
        Value::Boolean(truth) => truth.to_string(),
        other => words::value_label(other),
    }
}

/// The metadata of a module lack something.
pub(crate) fn missing_metadata(name: &str, module: &str) -> String {
    format!("No {name} module metadata provided for {module}")
}

/// The metadata of a module have no list of what it depends on.
pub(crate) fn dependencies_are_no_list(module: &str, value: &str) -> String {
    format!(
        "The value for the key dependencies in the file metadata.json of the module {module} must be an array, not: '{value}'"
    )
}

/// Nobody knows what a deferred call will give.
pub(crate) fn deferred_without_type(function: &str) -> String {
    format!(
        "Deferred function {function} has no return_type, unable to guarantee value type during compilation.\n   (file & line not available)"
    )
}

/// A deferred call has arguments that its function does not take.
pub(crate) fn deferred_arity(function: &str, arguments: &Value) -> Error {
    let arguments = crate::resource::declare::inspected(arguments);
    runtime(format!("No matching arity found for {function} with arguments {arguments}"))
        .detail(ARGUMENT_ERROR, "")
}

/// A class without a name is to be an attribute's value.
pub(crate) fn class_without_title() -> Error {
    runtime("No title provided and \"class\" is not a valid resource reference")
}

/// Any entry of a catalog is to be an attribute's value.
pub(crate) fn unspecific_entry() -> Error {
    runtime(
        "Cannot split the type Puppet::Pops::Types::PCatalogEntryType, it represents neither a PClassType, nor a PResourceType.",
    )
}

/// The metadata of a module are no JSON.
pub(crate) fn unparsable_metadata(module: &str, rest: &str) -> String {
    format!(
        "{module} has an invalid and unparsable metadata.json file. The parse error: unexpected token at '{rest}'"
    )
}

/// An override sets an attribute twice. The words lack one, as those of the reference do.
pub(crate) fn duplicate_parameter(name: &str, resource: &str) -> Error {
    plain(format!("Duplicate parameter '{name}' for on {resource}"))
}

/// The results that are given for a function are those of other calls.
pub(crate) fn other_answers(function: &str) -> String {
    format!("--answers has results of {function}(), but for other arguments")
}

/// Which placeholder was put in before something failed.
pub(crate) fn stub_before(stub: &crate::substitute::Stub) -> String {
    let place = stub.place.as_ref().map(|place| {
        let line = place.position().0;
        place
            .source
            .name()
            .map_or_else(|| format!(" in line {line}"), |file| format!(" in {file}, line {line}"))
    });
    format!(
        "a placeholder, which is a text, stands for the result of {}(){}; --answers can give another result",
        stub.function,
        place.unwrap_or_default()
    )
}

/// Data say that they are of a type whose values are not read back from data.
pub(crate) fn unread_rich_data(name: &str) -> Error {
    runtime(format!("a value of the type '{name}' cannot be read back from the data of a catalog"))
}
