//! What goes wrong while a template runs. Words of Python's are as Python has them.

use std::path::PathBuf;

use crate::template::fault::Fault;

pub(in crate::template) fn recursion(limit: usize) -> Fault {
    Fault::wrong(format!(
        "recursion limit exceeded: templates, macros and expressions nest more than {limit} levels deep"
    ))
}

pub(in crate::template) fn not_callable(kind: &str) -> Fault {
    Fault::wrong(format!("'{kind}' object is not callable"))
}

pub(in crate::template) fn not_iterable(kind: &str) -> Fault {
    Fault::wrong(format!("'{kind}' object is not iterable"))
}

pub(in crate::template) fn no_length(kind: &str) -> Fault {
    Fault::wrong(format!("object of type '{kind}' has no len()"))
}

pub(in crate::template) fn no_method(kind: &str, name: &str) -> Fault {
    Fault::wrong(format!("'{kind}' object has no attribute '{name}'"))
}

pub(in crate::template) fn not_a_container(kind: &str) -> Fault {
    Fault::wrong(format!("argument of type '{kind}' is not iterable"))
}

pub(in crate::template) fn text_contains_texts(kind: &str) -> Fault {
    Fault::wrong(format!("'in <string>' requires string as left operand, not {kind}"))
}

pub(in crate::template) fn unhashable(kind: &str) -> Fault {
    Fault::wrong(format!("unhashable type: '{kind}'"))
}

pub(in crate::template) fn not_ordered(sign: &str, a: &str, b: &str) -> Fault {
    Fault::wrong(format!("'{sign}' not supported between instances of '{a}' and '{b}'"))
}

pub(in crate::template) fn bad_operands(sign: &str, a: &str, b: &str) -> Fault {
    Fault::wrong(format!("unsupported operand type(s) for {sign}: '{a}' and '{b}'"))
}

pub(in crate::template) fn bad_unary(sign: &str, kind: &str) -> Fault {
    Fault::wrong(format!("bad operand type for unary {sign}: '{kind}'"))
}

pub(in crate::template) fn bad_repetition(kind: &str) -> Fault {
    Fault::wrong(format!("can't multiply sequence by non-int of type '{kind}'"))
}

pub(in crate::template) fn only_texts_added(kind: &str) -> Fault {
    Fault::wrong(format!("can only concatenate str (not \"{kind}\") to str"))
}

pub(in crate::template) fn only_lists_added(kind: &str, other: &str) -> Fault {
    Fault::wrong(format!("can only concatenate {kind} (not \"{other}\") to {kind}"))
}

pub(in crate::template) fn too_large() -> Fault {
    Fault::wrong("the number is outside of the range of 128 bit integers")
}

pub(in crate::template) fn division_by_zero(words: &str) -> Fault {
    Fault::wrong(words)
}

pub(in crate::template) fn power_out_of_range() -> Fault {
    Fault::wrong("(34, 'Numerical result out of range')")
}

pub(in crate::template) fn bad_slice() -> Fault {
    Fault::wrong("slice indices must be integers or None or have an __index__ method")
}

pub(in crate::template) fn slice_step_zero() -> Fault {
    Fault::wrong("slice step cannot be zero")
}

pub(in crate::template) fn range_step_zero() -> Fault {
    Fault::wrong("range() arg 3 must not be zero")
}

pub(in crate::template) fn keywords_are_a_map() -> Fault {
    Fault::wrong("argument after ** must be a mapping")
}

pub(in crate::template) fn keywords_are_texts() -> Fault {
    Fault::wrong("keywords must be strings")
}

pub(in crate::template) fn no_such_filter(name: &str) -> Fault {
    Fault::wrong(format!("No filter named '{name}'."))
}

pub(in crate::template) fn no_such_test(name: &str) -> Fault {
    Fault::wrong(format!("No test named '{name}'."))
}

pub(in crate::template) fn too_many_arguments(name: &str, most: usize, given: usize) -> Fault {
    Fault::wrong(format!("{name}() takes {most} positional arguments but {given} were given"))
}

pub(in crate::template) fn argument_twice(name: &str, argument: &str) -> Fault {
    Fault::wrong(format!("{name}() got multiple values for argument '{argument}'"))
}

pub(in crate::template) fn unknown_argument_named(name: &str, argument: &str) -> Fault {
    Fault::wrong(format!("{name}() got an unexpected keyword argument '{argument}'"))
}

pub(in crate::template) fn missing_argument(name: &str, argument: &str) -> Fault {
    Fault::wrong(format!("{name}() missing 1 required positional argument: '{argument}'"))
}

pub(in crate::template) fn integer_needed(kind: &str) -> Fault {
    Fault::wrong(format!("'{kind}' object cannot be interpreted as an integer"))
}

pub(in crate::template) fn number_needed(kind: &str) -> Fault {
    Fault::wrong(format!("must be real number, not {kind}"))
}

pub(in crate::template) fn text_needed(kind: &str) -> Fault {
    Fault::wrong(format!("must be str, not {kind}"))
}

pub(in crate::template) fn path_needed(kind: &str) -> Fault {
    Fault::wrong(format!("expected str, bytes or os.PathLike object, not {kind}"))
}

pub(in crate::template) fn not_subscriptable(kind: &str) -> Fault {
    Fault::wrong(format!("'{kind}' object is not subscriptable"))
}

pub(in crate::template) fn not_represented(kind: &str) -> Fault {
    Fault::wrong(format!("('cannot represent an object', {kind})"))
}

pub(in crate::template) fn joins_texts(index: usize, kind: &str) -> Fault {
    Fault::wrong(format!("sequence item {index}: expected str instance, {kind} found"))
}

pub(in crate::template) fn pop_out_of_range() -> Fault {
    Fault::wrong("pop index out of range")
}

pub(in crate::template) fn remove_missing() -> Fault {
    Fault::wrong("list.remove(x): x not in list")
}

pub(in crate::template) fn not_in_list(shown: &str) -> Fault {
    Fault::wrong(format!("{shown} is not in list"))
}

pub(in crate::template) fn no_such_key(shown: &str) -> Fault {
    Fault::wrong(format!("no such key: {shown}"))
}

pub(in crate::template) fn would_hold_itself() -> Fault {
    Fault::wrong("a value can not be put into itself: it could hold itself")
}

pub(in crate::template) fn pair_needed(length: usize) -> Fault {
    Fault::wrong(format!("dictionary update sequence element has length {length}; 2 is required"))
}

pub(in crate::template) fn substring_not_found() -> Fault {
    Fault::wrong("substring not found")
}

pub(in crate::template) fn empty_separator() -> Fault {
    Fault::wrong("empty separator")
}

pub(in crate::template) fn fill_is_no_character() -> Fault {
    Fault::wrong("The fill character must be exactly one character long")
}

pub(in crate::template) fn not_unpacked(kind: &str) -> Fault {
    Fault::wrong(format!("cannot unpack non-iterable {kind} object"))
}

pub(in crate::template) fn too_few_to_unpack(wanted: usize, given: usize) -> Fault {
    Fault::wrong(format!("not enough values to unpack (expected {wanted}, got {given})"))
}

pub(in crate::template) fn too_many_to_unpack(wanted: usize) -> Fault {
    Fault::wrong(format!("too many values to unpack (expected {wanted})"))
}

pub(in crate::template) fn no_namespace(kind: &str) -> Fault {
    Fault::wrong(format!("cannot assign attribute on non-namespace object: this is '{kind}'"))
}

pub(in crate::template) fn nothing_to_cycle() -> Fault {
    Fault::wrong("no items for cycling given")
}

pub(in crate::template) fn loop_takes_items() -> Fault {
    Fault::wrong("loop() takes the items to go through")
}

pub(in crate::template) fn loop_not_recursive() -> Fault {
    Fault::wrong("The loop must have the 'recursive' marker to be called recursively.")
}

pub(in crate::template) fn macro_argument_twice(name: &str, argument: &str) -> Fault {
    Fault::wrong(format!("macro '{name}' got multiple values for argument '{argument}'"))
}

pub(in crate::template) fn macro_takes_no_caller(name: &str) -> Fault {
    Fault::wrong(format!(
        "macro '{name}' was invoked with two values for the special caller argument or takes none"
    ))
}

pub(in crate::template) fn macro_unknown_argument(name: &str, argument: &str) -> Fault {
    Fault::wrong(format!("macro '{name}' takes no keyword argument '{argument}'"))
}

pub(in crate::template) fn macro_too_many(name: &str, most: usize) -> Fault {
    Fault::wrong(format!("macro '{name}' takes not more than {most} argument(s)"))
}

pub(in crate::template) fn extended_twice() -> Fault {
    Fault::wrong("extended multiple times")
}

pub(in crate::template) fn no_block(name: &str) -> Fault {
    Fault::wrong(format!("block '{name}' not found"))
}

pub(in crate::template) fn block_of_values(name: &str) -> Fault {
    Fault::wrong(format!(
        "the block '{name}' prints a value that is no text: expected str instance; print it with | string"
    ))
}

pub(in crate::template) fn required_block(name: &str) -> Fault {
    Fault::wrong(format!("Required block '{name}' not found"))
}

pub(in crate::template) fn template_name_needed(kind: &str) -> Fault {
    Fault::wrong(format!("the name of a template is a text, not '{kind}'"))
}

pub(in crate::template) fn template_no_text(name: &str) -> Fault {
    Fault::wrong(format!("the template {name} is not UTF-8 text"))
}

pub(in crate::template) fn format_wants_number(kind: char, found: &str) -> Fault {
    Fault::wrong(format!("%{kind} format: a real number is required, not {found} (a decimal integer)"))
}

pub(in crate::template) fn format_wants_integer(kind: char, found: &str) -> Fault {
    Fault::wrong(format!("%{kind} format: an integer is required, not {found}"))
}

pub(in crate::template) fn format_wants_float(found: &str) -> Fault {
    Fault::wrong(format!("must be real number, not {found}"))
}

pub(in crate::template) fn format_wants_character() -> Fault {
    Fault::wrong("%c requires int or char")
}

pub(in crate::template) fn unsupported_format(kind: char) -> Fault {
    Fault::wrong(format!("unsupported format character '{kind}'"))
}

pub(in crate::template) fn incomplete_format() -> Fault {
    Fault::wrong("incomplete format")
}

pub(in crate::template) fn incomplete_format_key() -> Fault {
    Fault::wrong("incomplete format key")
}

pub(in crate::template) fn too_few_for_format() -> Fault {
    Fault::wrong("not enough arguments for format string")
}

pub(in crate::template) fn too_many_for_format() -> Fault {
    Fault::wrong("not all arguments converted during string formatting")
}

pub(in crate::template) fn not_all_converted() -> Fault {
    Fault::wrong("not all arguments converted during string formatting")
}

pub(in crate::template) fn field_too_wide() -> Fault {
    Fault::wrong("a format with fields that wide is not allowed")
}

pub(in crate::template) fn format_nested() -> Fault {
    Fault::wrong("Max string recursion exceeded")
}

pub(in crate::template) fn python_attribute_missing(kind: &str, name: &str) -> Fault {
    Fault::wrong(format!("'{kind}' object has no attribute '{name}'"))
}

pub(in crate::template) fn single_brace(brace: char) -> Fault {
    Fault::wrong(format!("Single '{brace}' encountered in format string"))
}

pub(in crate::template) fn unknown_conversion(name: &str) -> Fault {
    Fault::wrong(format!("Unknown conversion specifier '{name}'"))
}

pub(in crate::template) fn replacement_out_of_range(at: usize) -> Fault {
    Fault::wrong(format!("Replacement index {at} out of range for positional args tuple"))
}

pub(in crate::template) fn bad_format_spec() -> Fault {
    Fault::wrong("Invalid format specifier")
}

pub(in crate::template) fn unknown_format(kind: char, of: &str) -> Fault {
    Fault::wrong(format!("Unknown format code '{kind}' for object of type '{of}'"))
}

pub(in crate::template) fn format_with_both() -> Fault {
    Fault::wrong("can't handle positional and keyword arguments at the same time")
}

pub(in crate::template) fn template_not_found(name: &str, folders: &[PathBuf]) -> Fault {
    let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    let places =
        if folders.is_empty() { String::new() } else { format!(" (looked for in {})", folders.join(", ")) };
    Fault::not_found(format!("the template '{name}' is not there{places}"))
}

pub(in crate::template) fn none_of_templates(names: &[String]) -> Fault {
    Fault::not_found(format!("none of the templates given were found: {}", names.join(", ")))
}
