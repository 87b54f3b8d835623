//! All the words a user can read, one small function per issue.

pub mod stdlib;

use std::fmt::Display;
use std::path::Path;

use hierarch_pcore::{Type, Value, issues as words};
use hierarch_source::{Error, Place};

use crate::ruby::{class_name, compared_with};

/// An argument will not do, in words made elsewhere.
pub fn argument(message: impl Into<String>) -> Error {
    hierarch_eval::issues::argument(&message.into())
}

/// `fail(…)`: the words are the program's own.
pub fn failed(message: &str) -> Error {
    argument(message)
}

/// A warning that is not about a place.
pub fn without_place(message: &str) -> String {
    format!("{message}\n   (file & line not available)")
}

/// A warning about a place.
pub fn with_place(message: &str, place: &Place) -> String {
    let file = place.source.name().unwrap_or("unknown");
    format!("{message}\n   (file: {file}, line: {})", place.position().0)
}

// Types.

/// An annotation that a type declares about itself is to be changed.
pub fn annotation_declared(clears: bool, annotation: &Type, subject: &Value) -> Error {
    let action = if clears { "clear" } else { "redefine" };
    let subject = subject.as_type().map_or("", Type::name);
    argument(format!("attempt to {action} {} annotation declared on {subject}", annotation.name()))
}

/// A value has no identity that something could be attached to.
pub fn frozen(class: &str, text: &str) -> Error {
    argument(format!("can't modify frozen {class}: {text}"))
}

// Iteration.

/// The block of `slice` has no parameters.
pub fn slice_without_parameters() -> Error {
    argument("slice(): block must define at least one parameter. Block has 0.")
}

/// The block of `slice` has neither one parameter nor as many as a group has elements.
pub fn slice_parameters(size: usize, count: usize) -> Error {
    argument(format!(
        "slice(): block must define one parameter, or the same number of parameters as the given size of the slice ({size}). Block has {count}"
    ))
}

/// `tree_each` was told to leave everything out.
pub fn nothing_to_include() -> Error {
    argument("Options 'include_containers' and 'include_values' cannot both be false")
}

/// `tree_each` was told to look into something that has no inside.
pub fn container_type(type_: &Type) -> Error {
    argument(format!("Only Array, Hash, and Object types can be used as container types. Got {type_}"))
}

// Collections.

/// A text that leads into a value is malformed.
pub fn bad_navigation() -> Error {
    argument("Syntax error in dotted-navigation string")
}

/// What `getvar` is given names no variable.
pub const NO_VARIABLE_NAME: &str = "The given string does not start with a valid variable name";

/// The way into a value leads through something that is not a collection.
pub fn no_collection_at(walked: &[Value], type_: &Type) -> String {
    let path = Value::array(walked.to_vec()).to_plain();
    format!("The given data does not contain a Collection at {path}, got '{type_}'")
}

/// The way into a value leads through an array by something that is not an index.
pub fn no_index_at(walked: &[Value], type_: &Type) -> String {
    let path = Value::array(walked.to_vec()).to_plain();
    format!("The given data requires an Integer index at {path}, got '{type_}'")
}

/// Numbers are never empty.
pub const EMPTY_NUMBER: &str = "Calling function empty() with Numeric value is deprecated.";

/// Two values have no order.
pub fn no_comparison(a: &Value, b: &Value) -> Error {
    argument(format!("comparison of {} with {} failed", class_name(a), compared_with(b)))
}

/// `max` and `min` of nothing.
pub fn needs_an_argument(function: &str) -> Error {
    argument(format!("{function}(): Wrong number of arguments need at least one"))
}

/// `max` and `min` compare texts as numbers.
pub fn numeric_texts(function: &str) -> String {
    format!(
        "The {function}() function's auto conversion of String to Numeric is deprecated - change to convert input before calling, or use lambda"
    )
}

/// `max` and `min` compare anything as texts.
pub fn values_as_texts(function: &str) -> String {
    format!(
        "The {function}() function's auto conversion of Any to String is deprecated - change to convert input before calling, or use lambda"
    )
}

// Numbers and order.

/// A number is made of a text.
pub fn number_of_text(function: &str, type_: &str) -> String {
    format!(
        "The {function}() function's auto conversion of String to {type_} is deprecated - change to convert input before calling"
    )
}

/// `abs` of a text that is not a decimal number.
pub fn not_decimal() -> Error {
    argument("abs(): Requires float or integer to work with - was given non decimal string")
}

/// A float is not an integer of 64 bits, in Ruby's words.
pub fn float_beyond_integer(number: f64) -> Error {
    let text = format!("{number:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    argument(format!("float {mantissa}e+{exponent} out of range of integer"))
}

/// A text is not a number.
pub fn not_a_float(function: &str) -> Error {
    argument(format!("{function}(): cannot convert given value to a floating point value."))
}

/// A result does not fit in 64 bits.
pub fn too_large(function: &str, result: impl Display) -> Error {
    argument(format!("{function}(): the result {result} is outside of the range of Integer values"))
}

/// `compare` of values that have no order at all.
pub fn not_comparable(a: &Value, b: &Value) -> String {
    format!(
        "compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp can be compared. Got {} and {}",
        label(a),
        label(b)
    )
}

/// `compare` of values of different kinds.
pub fn different_kinds(a: &Value, b: &Value) -> String {
    format!(
        "compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). Got {} and {}",
        label(a),
        label(b)
    )
}

/// `compare` is to ignore the case of what is not a text.
pub const CASE_OF_NO_TEXT: &str =
    "compare(): The third argument (ignore case) can only be used when comparing strings";

/// `compare` has too many arguments.
pub fn compare_count(count: usize) -> String {
    format!("compare(): Accepts at most 3 arguments, got {count}")
}

/// The third argument of `compare` is not a boolean.
pub fn compare_flag(value: &Value) -> String {
    format!("compare(): The third argument (ignore case) must be a Boolean. Got {}", label(value))
}

/// Returns the words that messages call a value by.
fn label(value: &Value) -> String {
    match value {
        Value::Default | Value::Foreign(_) => "Object".to_owned(),
        other => words::value_label(other),
    }
}

// Texts.

/// `regsubst` is given an encoding.
pub const REGSUBST_ENCODING: &str = "The regsubst() function's encoding argument has been ignored since Ruby 1.9 and will be removed in a future release";

/// A replacement names a group that is not there.
pub fn no_such_group(name: &str) -> Error {
    argument(format!("undefined group name reference: {name}"))
}

/// `match` has no use for a value as a pattern.
pub fn not_a_pattern(value: &Value) -> Error {
    argument(format!(
        "match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got {}",
        class_name(value)
    ))
}

/// `match` is given the type of all regular expressions.
pub fn no_regexp_in_type() -> Error {
    argument("Given Regexp Type has no regular expression")
}

/// A text is needed, and nothing is made one by itself.
pub fn no_implicit_text(value: &Value) -> Error {
    argument(format!("no implicit conversion of {} into String", converted_from(value)))
}

/// Returns what errors of conversion call a value by.
fn converted_from(value: &Value) -> String {
    match value {
        Value::Undef => "nil".into(),
        Value::Boolean(_) => value.to_string(),
        other => class_name(other),
    }
}

// `sprintf`, in Ruby's words.

/// A format ends with a percent sign.
pub fn incomplete_format() -> Error {
    argument("incomplete format specifier; use %% (double %) instead")
}

/// A directive ends with a percent sign, or not at all.
pub fn lone_percent() -> Error {
    argument("invalid format character - %")
}

/// A directive has a letter that means nothing.
pub fn malformed_format(letter: char) -> Error {
    argument(format!("malformed format string - %{letter}"))
}

/// A name in a format has no end.
pub fn unmatched_name() -> Error {
    argument("malformed name - unmatched parenthesis")
}

/// A directive has two names.
pub fn name_after_name(shown: &str, before: &str) -> Error {
    argument(format!("named{shown} after <{before}>"))
}

/// A name after arguments in order.
pub fn name_after_unnumbered(shown: &str, count: usize) -> Error {
    argument(format!("named{shown} after unnumbered({count})"))
}

/// A name after arguments by number.
pub fn name_after_numbered(shown: &str) -> Error {
    argument(format!("named{shown} after numbered"))
}

/// A number after arguments in order.
pub fn numbered_after_unnumbered(number: usize, count: usize) -> Error {
    argument(format!("numbered({number}) after unnumbered({count})"))
}

/// A number after arguments by name.
pub fn numbered_after_name(number: usize) -> Error {
    argument(format!("numbered({number}) after named"))
}

/// The next argument after arguments by number or by name.
pub fn unnumbered_with(number: usize, manner: &str) -> Error {
    argument(format!("unnumbered({number}) mixed with {manner}"))
}

/// Names need exactly one hash.
pub fn one_hash_required() -> Error {
    argument("one hash required")
}

/// The hash has no such name.
pub fn name_not_found(shown: &str) -> Error {
    argument(format!("key{shown} not found"))
}

/// A directive has two arguments.
pub fn value_twice(number: usize) -> Error {
    argument(format!("value given twice - {number}$"))
}

/// A directive has two widths or precisions.
pub fn given_twice(what: &str) -> Error {
    argument(format!("{what} given twice"))
}

/// A flag comes too late.
pub fn flag_after(what: &str) -> Error {
    argument(format!("flag after {what}"))
}

/// A width comes too late.
pub fn width_after_precision() -> Error {
    argument("width after precision")
}

/// A width or precision is out of all proportion.
pub fn number_too_big(what: &str) -> Error {
    argument(format!("{what} too big"))
}

/// There are more directives than arguments.
pub fn too_few_arguments() -> Error {
    argument("too few arguments")
}

/// A number is not a code point.
pub fn invalid_character() -> Error {
    argument("invalid character")
}

/// A number is not an `int` of C.
pub fn beyond_int(number: i64) -> Error {
    let side = if number < 0 { "small" } else { "big" };
    argument(format!("integer {number} too {side} to convert to `int'"))
}

/// A text is not a number.
pub fn invalid_number(type_: &str, shown: &str) -> Error {
    argument(format!("invalid value for {type_}(): {shown}"))
}

/// A value is not a number, and has no way to become one.
pub fn no_conversion(value: &Value, type_: &str) -> Error {
    argument(format!("can't convert {} into {type_}", converted_from(value)))
}

/// An integer is needed, and nothing is made one by itself.
pub fn no_implicit_integer(value: &Value) -> Error {
    argument(format!("no implicit conversion of {} into Integer", converted_from(value)))
}

/// `fqdn_rand` below nothing.
pub fn not_positive(max: i64) -> Error {
    argument(format!("invalid argument - {max}"))
}

/// `strftime` without a time.
pub const STRFTIME_NOW: &str = "The argument signature (String format, [String timezone]) is deprecated for #strftime. See #strftime documentation and Timespan type for more info";

// Calls.

/// `call` of a function that is not there.
pub fn unknown_function(name: &str) -> Error {
    argument(format!("Unknown function '{name}'"))
}

/// A deferred variable is not there.
pub fn undefined_variable(name: &str, reason: &str) -> Error {
    argument(format!("Undefined variable '{name}'; {reason}"))
}

/// Why a variable of a class is not there.
pub fn class_not_found(name: &str) -> String {
    format!("class {name} could not be found")
}

/// `import` is gone.
pub fn discontinued_import() -> Error {
    Error::new(
        "DISCONTINUED_IMPORT",
        "Use of 'import' has been discontinued in favor of a manifest directory. See http://links.puppet.com/puppet-import-deprecation",
    )
}

// Files and programs.

/// `file` finds none.
pub fn no_files(paths: &[String]) -> Error {
    argument(format!("Could not find any files from {}", paths.join(", ")))
}

/// `binary_file` finds nothing.
pub fn no_file(path: &str) -> Error {
    argument(format!("binary_file(): The given file '{path}' does not exist"))
}

/// A file is not a text.
pub fn not_utf8(path: &Path) -> Error {
    argument(format!("The file {} is not valid UTF-8", path.display()))
}

/// A file cannot be read.
pub fn unreadable(path: &Path, problem: &std::io::Error) -> Error {
    argument(format!("The file {} cannot be read: {problem}", path.display()))
}

/// A function that takes names or one list of them is given several lists.
pub fn too_many_lists(function: &str) -> Error {
    argument(format!("{function}(): at most one Array can be given"))
}

/// A template is not there.
pub fn no_template(name: &str) -> Error {
    argument(format!("Could not find template '{name}'"))
}

/// A template that is given by its path is not there.
pub fn no_template_file(path: &str) -> Error {
    template_failed(path, path, "0", &format!("No such file or directory @ rb_sysopen - {path}"))
}

/// A template that is there cannot be read.
pub fn template_unreadable(name: &str, path: &std::path::Path, error: &std::io::Error) -> Error {
    argument(format!(
        "Failed to parse template {name}:\n  Filepath: {0}\n  Line: 0\n  Detail: {error} - {0}\n",
        path.display()
    ))
}

/// A template in a file failed.
pub fn template_failed(name: &str, file: &str, line: &str, detail: &str) -> Error {
    argument(format!(
        "Failed to parse template {name}:\n  Filepath: {file}\n  Line: {line}\n  Detail: {detail}\n"
    ))
}

/// A template given as text failed.
pub fn inline_template_failed(detail: &str) -> Error {
    argument(format!("Failed to parse inline template: {detail}"))
}

/// A template that should be a text is something else.
pub fn inline_template_no_text(value: &Value) -> Error {
    let class = crate::ruby::class_name(value);
    inline_template_failed(&format!("undefined method `encoding' for an instance of {class}"))
}

/// Ruby code failed, in Ruby's own words.
pub fn ruby_error(message: &str) -> Error {
    argument(message)
}

/// Ruby code failed in a way that Puppet does not put into words of its own.
pub fn ruby_exception(message: &str) -> Error {
    Error::new(hierarch_eval::issues::RUBY_EXCEPTION, message)
}

/// Where Ruby code failed.
pub fn raised_at(place: &hierarch_ruby::run::Place) -> String {
    format!("raised in {}, line {}", place.file, place.line)
}

/// Where a real Ruby failed.
pub fn raised_in(file: &str, line: &str) -> String {
    format!("raised in {file}, line {line}, run by --ruby-command")
}

/// What an explanation says of a function that a real Ruby ran.
pub fn run_by_helper(function: &str, reason: &str) -> String {
    format!("{function}() was run by --ruby-command: {}", reason.trim_end())
}

/// The program of `--ruby-command` said something else than its protocol has.
pub fn helper_answer() -> Error {
    Error::new(
        "RUBY_COMMAND",
        "The program given with --ruby-command gave an answer that cannot be understood",
    )
}

/// A file of a function does not have one.
pub fn no_create_function(file: &str) -> String {
    format!(
        "The code loaded from {file} does not seem to be a Puppet 4x API function - no create_function call."
    )
}

/// A file of an old function does not have one.
pub fn no_newfunction(file: &str) -> String {
    format!(
        "The code loaded from {file} does not seem to be a Puppet 3x API function - no 'newfunction' call."
    )
}

/// Ruby calls a lambda after the call that it was given to.
pub fn lambda_is_gone() -> Error {
    argument("a lambda was called after the function that it was given to had returned")
}

/// A backend says that a lookup failed.
pub fn lookup_error(message: impl Into<String>) -> Error {
    hierarch_hiera::issues::lookup_failed(message)
}

/// Ruby code cannot be parsed.
pub fn ruby_syntax(file: &str, error: &hierarch_ruby::syntax::Syntax) -> Error {
    argument(format!("{file}:{}: syntax error, {}", error.line, error.message))
}

/// A program is not given by its full path.
pub fn generator_not_absolute() -> Error {
    argument("Generators must be fully qualified")
}

/// The path of a program has other characters than such paths have.
pub fn generator_characters() -> Error {
    argument("Generators can only contain alphanumerics, file separators, and dashes")
}

/// The path of a program leads upwards.
pub fn generator_dots() -> Error {
    argument("Can not use generators with '..' in them.")
}

/// Programs may not be run.
pub fn generator_refused(program: &str) -> Error {
    Error::new(
        "PROGRAM_NOT_ALLOWED",
        format!("generate(): running {program} is refused, because running programs was not allowed"),
    )
}

/// A program did not do its work.
pub fn generator_failed(program: &str, detail: impl Display) -> Error {
    argument(format!("Failed to execute generator {program}: {detail}"))
}

/// What a program ended with.
pub fn program_status(line: &str, status: i32, output: &str) -> String {
    format!("Execution of '{line}' returned {status}: {output}")
}

/// A hash is needed, and nothing is made one by itself.
pub fn no_implicit_hash(value: &Value) -> Error {
    argument(format!("no implicit conversion of {} into Hash", converted_from(value)))
}

/// A method of Ruby's that takes one argument is given more.
pub fn one_argument(given: usize) -> Error {
    argument(format!("wrong number of arguments (given {given}, expected 1)"))
}

/// A range of characters ends before it begins.
pub fn bad_range(from: char, to: char) -> Error {
    argument(format!("invalid range \"{from}-{to}\" in string transliteration"))
}

// Lookups.

/// A function is there for old programs only.
pub fn old_lookup_function(name: &str) -> String {
    format!(
        "The function '{name}' is deprecated in favor of using 'lookup'. See https://puppet.com/docs/puppet/8.10/deprecated_language.html"
    )
}

/// What is to be looked into first is not named by texts.
pub fn no_level(given: &Value) -> Error {
    argument(format!("the levels to look into first are named by Strings, not by {given}"))
}

/// `hiera_include` found a null.
pub fn no_data_item(key: &str) -> Error {
    argument(format!("Could not find data item {key}"))
}

/// A data function that reads files is given options that name none.
pub const DATA_PATH_MISSING: &str = "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this data_hash function";

// Catalog.

/// `create_resources` got a wrong number of arguments.
pub fn create_resources_count(count: usize) -> Error {
    argument(format!("create_resources(): wrong number of arguments ({count}; must be 2 or 3)"))
}

/// `create_resources` got something else than a hash.
pub fn create_resources_hash(what: &str) -> Error {
    argument(format!("create_resources(): {what} must be a hash"))
}

/// `create_resources` got no name of a type.
pub fn create_resources_type(value: &Value) -> Error {
    argument(format!("create_resources(): first argument must be the name of a type, got {value}"))
}
