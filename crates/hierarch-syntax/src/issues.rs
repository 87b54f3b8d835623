//! Every word this crate can say, one small function per issue, to be laid beside the reference.

use hierarch_bits::json::NotJsonKind;
use hierarch_source::{Diagnostic, Error, Severity};

fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Severity::Warning, code, message)
}

fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Severity::Error, code, message)
}

// Lexer

/// A byte order mark stands at the start.
pub(crate) fn illegal_bom(format: &str, bytes: &str) -> Error {
    Error::new(
        "ILLEGAL_BOM",
        format!(
            "Illegal {format} Byte Order mark at beginning of input: {bytes} - remove these from the puppet source"
        ),
    )
}

/// A `/*` has no `*/`.
pub(crate) fn unclosed_comment() -> Error {
    Error::new("UNCLOSED_MLCOMMENT", "Unclosed multiline comment")
}

/// A string has no end.
pub(crate) fn unclosed_quote(after: &str, followed_by: &str) -> Error {
    Error::new("UNCLOSED_QUOTE", format!("Unclosed quote after {after} followed by '{followed_by}'"))
}

/// `A::` with nothing that could be a type after it.
pub(crate) fn illegal_class_reference() -> Error {
    Error::new("ILLEGAL_CLASS_REFERENCE", "Illegal class reference")
}

/// `::A::` with nothing that could be a type after it.
pub(crate) fn illegal_qualified_class_reference() -> Error {
    Error::new("ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE", "Illegal fully qualified class reference")
}

/// `::` with no name after it.
pub(crate) fn illegal_qualified_name() -> Error {
    Error::new("ILLEGAL_FULLY_QUALIFIED_NAME", "Illegal fully qualified name")
}

/// Digits that run into letters.
pub(crate) fn illegal_number(text: &str) -> Error {
    Error::new("ILLEGAL_NUMBER", format!("Illegal number '{text}'"))
}

/// `0x` with other than hexadecimal digits.
pub(crate) fn invalid_hex(text: &str) -> Error {
    Error::new("INVALID_HEX_NUMBER", format!("Not a valid hex number {text}"))
}

/// A leading zero with other than octal digits.
pub(crate) fn invalid_octal(text: &str) -> Error {
    Error::new("INVALID_OCTAL_NUMBER", format!("Not a valid octal number {text}"))
}

/// A number with a point or exponent that is malformed.
pub(crate) fn invalid_decimal(text: &str) -> Error {
    Error::new("INVALID_DECIMAL_NUMBER", format!("Not a valid decimal number {text}"))
}

const UNICODE_ESCAPE: &str =
    "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff";

/// `\u` that names no character at all.
pub(crate) fn illegal_unicode_escape() -> Error {
    Error::new("ILLEGAL_UNICODE_ESCAPE", UNICODE_ESCAPE)
}

/// `\u` without its digits, kept as it stands.
pub(crate) fn unicode_escape_kept() -> Diagnostic {
    warning("ILLEGAL_UNICODE_ESCAPE", UNICODE_ESCAPE)
}

/// A backslash before a character that needs none.
pub(crate) fn unrecognized_escape(character: &str) -> Diagnostic {
    warning("UNRECOGNIZED_ESCAPE", format!("Unrecognized escape sequence '\\{character}'"))
}

/// `@(` without `)`.
pub(crate) fn heredoc_unclosed_parenthesis(followed_by: &str) -> Error {
    Error::new(
        "HEREDOC_UNCLOSED_PARENTHESIS",
        format!("Unclosed parenthesis after '@(' followed by '{followed_by}'"),
    )
}

/// A heredoc whose end never comes.
pub(crate) fn heredoc_without_end() -> Error {
    Error::new("HEREDOC_WITHOUT_END_TAGGED_LINE", "Heredoc without end-tagged line")
}

/// A heredoc tag that does not fit its grammar.
pub(crate) fn heredoc_invalid_syntax() -> Error {
    Error::new("HEREDOC_INVALID_SYNTAX", "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes])")
}

/// A heredoc with an escape that there is none of.
pub(crate) fn heredoc_invalid_escape(character: char) -> Error {
    Error::new(
        "HEREDOC_INVALID_ESCAPE",
        format!("Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got '{character}'"),
    )
}

/// A heredoc that names an escape twice.
pub(crate) fn heredoc_repeated_escape(escapes: &str) -> Error {
    let listed = escapes.chars().map(String::from).collect::<Vec<_>>().join(", ");
    Error::new(
        "HEREDOC_MULTIPLE_AT_ESCAPES",
        format!("An escape char for @() may only appear once. Got '{listed}'"),
    )
}

/// A heredoc on the last line.
pub(crate) fn heredoc_without_text() -> Error {
    Error::new("HEREDOC_WITHOUT_TEXT", "Heredoc without any following lines of text")
}

/// A heredoc with nothing for a tag.
pub(crate) fn heredoc_empty_tag() -> Error {
    Error::new("HEREDOC_EMPTY_ENDTAG", "Heredoc with an empty endtag")
}

/// A heredoc inside the text of another, on which the reference breaks.
pub(crate) fn heredoc_in_heredoc() -> Error {
    Error::new("HEREDOC_IN_HEREDOC", "A heredoc cannot be opened inside the text of another heredoc")
        .note("assign the inner heredoc to a variable first and interpolate that")
}

/// A template tag that is never closed.
pub(crate) fn epp_unbalanced_tag() -> Error {
    Error::new("EPP_UNBALANCED_TAG", "Unbalanced epp tag, reached <eof> without closing tag.")
}

/// A template comment that is never closed.
pub(crate) fn epp_unbalanced_comment() -> Error {
    Error::new("EPP_UNBALANCED_COMMENT", "Reaching end after opening <%# without seeing %>")
}

/// A template that ends in `<%`.
pub(crate) fn epp_unbalanced_expression() -> Error {
    Error::new(
        "EPP_UNBALANCED_EXPRESSION",
        "Unbalanced embedded expression - opening <% and reaching end of input",
    )
}

// Parser

/// The detail of a text that ends too early.
pub const END_OF_INPUT: &str = "end of input";

/// A token that does not fit.
pub(crate) fn syntax_error(token: &str) -> Error {
    Error::new("SYNTAX_ERROR", format!("Syntax error at '{token}'"))
}

/// The text ends too early.
pub(crate) fn syntax_error_at_end() -> Error {
    Error::new("SYNTAX_ERROR", "Syntax error at end of input").detail(END_OF_INPUT, "")
}

/// Where a text ends that ends too early, and which brackets are open there.
pub(crate) fn ends_too_early(line: u32, open: &[String]) -> String {
    match open {
        [] => format!("the text ends on line {line}, where something is expected to follow"),
        [one] => format!("the text ends on line {line}; {one} is not closed"),
        [first @ .., last] => {
            format!("the text ends on line {line}; {} and {last} are not closed", first.join(", "))
        }
    }
}

/// The tree would be deeper than we are willing to walk.
pub(crate) fn nesting_too_deep(limit: usize) -> Error {
    Error::new("NESTING_TOO_DEEP", format!("Expressions are nested more than {limit} levels deep"))
        .note("split the expression, or move a part of it into a variable or function")
}

/// The text is longer than positions can count.
pub(crate) fn source_too_large() -> Error {
    Error::new("FILE_TOO_LARGE", "The source is larger than 2 GiB, the most that can be parsed")
}

/// A float literal beyond the range of a double.
pub(crate) fn float_out_of_range(text: &str) -> Error {
    Error::new("FLOAT_OUT_OF_RANGE", format!("The number '{text}' is too large for a Float"))
}

/// An integer literal so long that converting it would take forever.
pub(crate) fn integer_too_long(digits: usize) -> Error {
    Error::new(
        "INTEGER_TOO_LONG",
        format!("The number has {digits} digits, far beyond the range of an Integer"),
    )
}

/// `@` before something else than a resource.
pub(crate) fn not_virtualizable() -> Error {
    Error::new("", "Virtual (@) can only be applied to a Resource Expression")
}

/// `@@` before something else than a resource.
pub(crate) fn not_exportable() -> Error {
    Error::new("", "Exported (@@) can only be applied to a Resource Expression")
}

/// `name { a +> 1 }`
pub(crate) fn resource_without_title_appends() -> Error {
    Error::new("", "Syntax error resource body without title or hash with +>")
}

/// A brace after something that takes none.
pub(crate) fn not_a_resource() -> Error {
    Error::new("", "Expression is not valid as a resource, resource-default, or resource-override")
}

/// `class class`
pub(crate) fn class_keyword_as_name() -> Error {
    Error::new("", "'class' keyword not allowed at this location")
}

/// `class 'a'`
pub(crate) fn quoted_name() -> Error {
    Error::new("", "A quoted string is not valid as a name here")
}

/// `foo 1, 2`
pub(crate) fn arguments_without_parentheses(function: &str) -> Error {
    Error::new(
        "",
        format!(
            "attempt to pass argument list to the function '{function}' which cannot be called without parentheses"
        ),
    )
}

/// `1, 2`
pub(crate) fn illegal_comma_list() -> Error {
    Error::new("", "illegal comma separated argument list")
}

// Validation

/// Several errors were found; this one closes the list.
pub(crate) fn giving_up(errors: usize, warnings: usize) -> Error {
    let count = if warnings == 0 { String::new() } else { format!(", and {warnings} warnings") };
    Error::new("", format!("Language validation logged {errors} errors{count}. Giving up"))
}

/// A definition where none may stand.
pub(crate) fn not_top_level() -> Diagnostic {
    error(
        "NOT_TOP_LEVEL",
        "Classes, definitions, and nodes may only appear at toplevel or inside other classes",
    )
}

/// A function or type alias that is not at the very top.
pub(crate) fn not_absolute_top_level(what: &str) -> Diagnostic {
    error("NOT_ABSOLUTE_TOP_LEVEL", format!("{what} may only appear at toplevel"))
}

/// `$a::b = 1`
pub(crate) fn cross_scope_assignment(name: &str) -> Diagnostic {
    error(
        "CROSS_SCOPE_ASSIGNMENT",
        format!("Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces"),
    )
}

/// `1 = 2`
pub(crate) fn illegal_assignment(what: &str) -> Diagnostic {
    error("ILLEGAL_ASSIGNMENT", format!("Illegal attempt to assign to '{what}'. Not an assignable reference"))
}

/// `$1 = 2`
pub(crate) fn illegal_numeric_assignment(name: &str) -> Diagnostic {
    error(
        "ILLEGAL_NUMERIC_ASSIGNMENT",
        format!(
            "Illegal attempt to assign to the numeric match result variable '${name}'. Numeric variables are not assignable"
        ),
    )
}

/// An assignment in a parameter's default.
pub(crate) fn illegal_assignment_context() -> Diagnostic {
    error("ILLEGAL_ASSIGNMENT_CONTEXT", "Assignment not allowed here")
}

/// A parameter named like a match variable.
pub(crate) fn illegal_numeric_parameter(name: &str) -> Diagnostic {
    error(
        "ILLEGAL_NUMERIC_PARAMETER",
        format!(
            "The numeric parameter name '${name}' cannot be used (clashes with numeric match result variables)"
        ),
    )
}

/// A class parameter whose type has to be computed.
pub(crate) fn nonliteral_parameter_type(name: &str, what: &str) -> Diagnostic {
    warning(
        "ILLEGAL_NONLITERAL_PARAMETER_TYPE",
        format!("The parameter '${name}' must be a literal type, not {what}"),
    )
}

/// `$a[1] = 2`
pub(crate) fn illegal_indexed_assignment() -> Diagnostic {
    error(
        "ILLEGAL_INDEXED_ASSIGNMENT",
        "Illegal attempt to assign via [index/key]. Not an assignable reference",
    )
}

/// `+=` and `-=`
pub(crate) fn operator_no_longer_supported(operator: &str) -> Diagnostic {
    error(
        "APPENDS_DELETES_NO_LONGER_SUPPORTED",
        format!(
            "The operator '{operator}' is no longer supported. See http://links.puppet.com/remove-plus-equals"
        ),
    )
}

/// A definition or collector used as a value.
pub(crate) fn not_a_value(what: &str) -> Diagnostic {
    error("NOT_RVALUE", format!("Invalid use of expression. {what} does not produce a value"))
}

/// `+>` where nothing can be appended to.
pub(crate) fn illegal_append(attribute: &str, place: &str) -> Diagnostic {
    error(
        "ILLEGAL_ATTRIBUTE_APPEND",
        format!("Illegal +> operation on attribute {attribute}. This operator can not be used in {place}"),
    )
}

/// `type Runtime[…] = …` with a right side that is not a type.
pub(crate) fn illegal_single_type_mapping(what: &str) -> Diagnostic {
    error(
        "ILLEGAL_TYPE_MAPPING",
        format!("Illegal type mapping. Expected a Type on the left side, got {what}"),
    )
}

/// `type Runtime[…, [/…/, '…']] = …` with a right side that is not such a pair.
pub(crate) fn illegal_regex_type_mapping(what: &str) -> Diagnostic {
    error(
        "ILLEGAL_TYPE_MAPPING",
        format!("Illegal type mapping. Expected a Tuple[Regexp,String] on the left side, got {what}"),
    )
}

/// A parameter name that does not follow the rule.
pub(crate) fn illegal_parameter_name(name: &str) -> Diagnostic {
    error(
        "ILLEGAL_PARAM_NAME",
        format!(
            "Illegal parameter name. The given name '{name}' does not conform to the naming rule /^[a-z_]\\w*$/"
        ),
    )
}

/// A variable name that does not follow the rule.
pub(crate) fn illegal_variable_name(name: &str) -> Diagnostic {
    error(
        "ILLEGAL_VAR_NAME",
        format!(
            "Illegal variable name, The given name '{name}' does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/"
        ),
    )
}

/// `$01`
pub(crate) fn illegal_numeric_variable_name(name: &str) -> Diagnostic {
    error(
        "ILLEGAL_NUMERIC_VAR_NAME",
        format!(
            "Illegal numeric variable name, The given name '{name}' must be a decimal value if it starts with a digit 0-9"
        ),
    )
}

/// A node name with other than host name characters.
pub(crate) fn illegal_hostname(name: &str) -> Diagnostic {
    error(
        "ILLEGAL_HOSTNAME_CHARS",
        format!(
            "The hostname '{name}' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed)"
        ),
    )
}

/// A node name with `${}` in it.
pub(crate) fn illegal_hostname_interpolation() -> Diagnostic {
    error(
        "ILLEGAL_HOSTNAME_INTERPOLATION",
        "An interpolated expression is not allowed in a hostname of a node",
    )
}

/// An expression in a place that takes other ones.
pub(crate) fn illegal_expression(what: &str, feature: &str, container: &str) -> Diagnostic {
    error(
        "ILLEGAL_EXPRESSION",
        format!("Illegal expression. {what} is unacceptable as {feature} in {container}"),
    )
}

/// An expression that a collector's query cannot use.
pub(crate) fn illegal_query(what: &str) -> Diagnostic {
    error("ILLEGAL_QUERY_EXPRESSION", format!("Illegal query expression. {what} cannot be used in a query"))
}

/// `@File { }`
pub(crate) fn defaults_not_virtualizable() -> Diagnostic {
    error("NOT_VIRTUALIZEABLE", "Resource Defaults are not virtualizable")
}

/// `@class { }`
pub(crate) fn class_not_virtualizable() -> Diagnostic {
    error("CLASS_NOT_VIRTUALIZABLE", "Classes are not virtualizable")
}

/// A form that parses and means nothing yet.
pub(crate) fn unsupported_expression(what: &str) -> Diagnostic {
    error(
        "UNSUPPORTED_EXPRESSION",
        format!("Expressions of type {what} are not supported in this version of Puppet"),
    )
}

/// A definition with a name it may not have.
pub(crate) fn illegal_definition_name(name: &str, what: &str) -> Diagnostic {
    error(
        "ILLEGAL_DEFINITION_NAME",
        format!("Unacceptable name. The name '{name}' is unacceptable as the name of {what}"),
    )
}

/// A definition in a file that should hold another.
pub(crate) fn illegal_definition_location(name: &str, file: &str) -> Diagnostic {
    error(
        "ILLEGAL_DEFINITION_LOCATION",
        format!("Unacceptable location. The name '{name}' is unacceptable in file '{file}'"),
    )
}

/// Something else than a definition in a module's file.
pub(crate) fn illegal_top_construct(what: &str, name: Option<&str>) -> Diagnostic {
    let subject = name.map_or_else(|| format!("This {what}"), |name| format!("The {what} '{name}'"));
    error(
        "ILLEGAL_TOP_CONSTRUCT_LOCATION",
        format!("{subject} is unacceptable as a top level construct in this location"),
    )
}

/// A rest parameter that is not the last.
pub(crate) fn rest_parameter_not_last(name: &str) -> Diagnostic {
    error("CAPTURES_REST_NOT_LAST", format!("Parameter ${name} is not last, and has 'captures rest'"))
}

/// A rest parameter where there can be none.
pub(crate) fn rest_parameter_not_supported(name: &str, place: &str) -> Diagnostic {
    error(
        "CAPTURES_REST_NOT_SUPPORTED",
        format!("Parameter ${name} has 'captures rest' - not supported in {place}"),
    )
}

/// Template parameters behind text.
pub(crate) fn illegal_epp_parameters() -> Diagnostic {
    error(
        "ILLEGAL_EPP_PARAMETERS",
        "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace",
    )
}

/// A value nobody uses.
pub(crate) fn value_forgotten(what: &str) -> Diagnostic {
    error(
        "IDEM_EXPRESSION_NOT_LAST",
        format!(
            "This {what} has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)"
        ),
    )
}

/// `file { mode => '1' }`
pub(crate) fn resource_without_title(name: &str) -> Diagnostic {
    error(
        "RESOURCE_WITHOUT_TITLE",
        format!("This expression is invalid. Did you try declaring a '{name}' resource without a title?"),
    )
}

/// A class that ends in a value.
pub(crate) fn value_at_end(what: &str, place: &str) -> Diagnostic {
    error(
        "IDEM_NOT_ALLOWED_LAST",
        format!(
            "This {what} has no effect. {place} can not end with a value-producing expression without other effect"
        ),
    )
}

/// `attr` or `private`.
pub(crate) fn reserved_word(word: &str) -> Diagnostic {
    error(
        "RESERVED_WORD",
        format!("Use of reserved word: {word}, must be quoted if intended to be a String value"),
    )
}

/// A name that will be a keyword one day.
pub(crate) fn future_reserved_word(word: &str) -> Diagnostic {
    warning("FUTURE_RESERVED_WORD", format!("Use of future reserved word: '{word}'"))
}

/// A class named like a built-in type.
pub(crate) fn reserved_type_name(name: &str, what: &str) -> Diagnostic {
    error(
        "RESERVED_TYPE_NAME",
        format!("The name: '{name}' is already defined by Puppet and can not be used as the name of {what}."),
    )
}

/// `node a inherits b`
pub(crate) fn node_inheritance() -> Diagnostic {
    error(
        "ILLEGAL_NODE_INHERITANCE",
        "Node inheritance is not supported in Puppet >= 4.0.0. See http://links.puppet.com/puppet-node-inheritance-deprecation",
    )
}

/// Two parameters of one name.
pub(crate) fn duplicate_parameter(name: &str) -> Diagnostic {
    error(
        "DUPLICATE_PARAMETER",
        format!("The parameter '{name}' is declared more than once in the parameter list"),
    )
}

/// Two equal keys in a hash literal.
pub(crate) fn duplicate_key(key: &str) -> Diagnostic {
    error("DUPLICATE_KEY", format!("The key '{key}' is declared more than once"))
}

/// Two equal keys in a hash literal, where the setting `strict` says to warn.
pub(crate) fn repeated_key(key: &str) -> Diagnostic {
    warning("DUPLICATE_KEY", format!("The key '{key}' is declared more than once"))
}

/// Two `default` options.
pub(crate) fn duplicate_default(place: &str) -> Diagnostic {
    error("DUPLICATE_DEFAULT", format!("This {place} already has a 'default' entry - this is a duplicate"))
}

/// A class or define with a parameter that every one has already.
pub(crate) fn reserved_parameter(name: &str, place: &str) -> Diagnostic {
    error("RESERVED_PARAMETER", format!("The parameter ${name} redefines a built in parameter in {place}"))
}

/// Two `* =>` in one resource body.
pub(crate) fn repeated_attribute_hash() -> Diagnostic {
    error(
        "MULTIPLE_ATTRIBUTES_UNFOLD",
        "Unfolding of attributes from Hash can only be used once per resource body",
    )
}

/// An integer literal beyond 64 bits.
pub(crate) fn numeric_overflow(hexadecimal: &str) -> Diagnostic {
    error(
        "NUMERIC_OVERFLOW",
        format!(
            "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+0x{hexadecimal}'"
        ),
    )
}

/// A heredoc whose text is not what its tag says.
pub(crate) fn invalid_heredoc_text(code: &'static str, syntax: &str, problem: &str) -> Error {
    Error::new(code, format!("Invalid produced text having syntax: '{syntax}'. {problem}"))
}

/// A text is not JSON, in the words of Ruby's reader.
pub(crate) fn not_json(kind: NotJsonKind, rest: &str, is_blank: bool) -> String {
    match kind {
        NotJsonKind::Empty if is_blank => "JSON::ParserError".to_owned(),
        NotJsonKind::Empty | NotJsonKind::Malformed => format!("unexpected token at '{rest}'"),
        NotJsonKind::HalfCharacter => format!("incomplete surrogate pair at '{rest}'"),
        NotJsonKind::TooDeep(depth) => format!("nesting of {depth} is too deep"),
    }
}
