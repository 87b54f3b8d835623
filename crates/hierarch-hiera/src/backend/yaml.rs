//! `yaml_data`: a YAML file with a hash at its top.

use hierarch_source::Result;

use super::{Around, Backend};
use crate::document::{Content, Document, read_yaml};
use crate::issues;
use crate::settings::Strict;

pub(super) struct Yaml;

impl Backend for Yaml {
    fn name(&self) -> &'static str {
        "yaml_data"
    }

    fn read(&self, path: &str, bytes: Vec<u8>, around: &Around) -> Result<Document> {
        read(path, bytes, around)
    }
}

/// Reads YAML data. A file that holds nothing is warned of, one that holds no hash is refused. Of a key that stands twice
/// Psych says nothing, and one of its values is lost: a warning of our own.
pub(super) fn read(path: &str, bytes: Vec<u8>, around: &Around) -> Result<Document> {
    let document = read_yaml(path, bytes).map_err(issues::malformed_data)?;
    for warning in document.warnings() {
        around.log.warn_on_our_own(warning.to_string());
    }
    match document.content() {
        Content::Hash => return Ok(document),
        Content::Other if around.settings.strict == Strict::Error => return Err(issues::no_yaml_hash(path)),
        Content::Nothing | Content::Other => around.log.warn(issues::no_yaml_hash_text(path)),
    }
    Ok(Document::empty())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_data;

    /// Texts of data files, and what `k` is in them, or why they cannot be read.
    const DATA_ARE_READ_AS_PUPPET_READS_THEM: &[(&str, &str)] = &[
        ("k: 1\n", "1"),
        (
            "k: [1\n",
            "fails: Unable to parse (data/c.yaml): did not find expected ',' or ']' while parsing a flow sequence at line 1 column 4",
        ),
        ("k: 1\nk: 2\n", "2"),
        (
            "k: \"a\n",
            "fails: Unable to parse (data/c.yaml): found unexpected end of stream while scanning a quoted scalar at line 1 column 4",
        ),
        ("k:\t1\n", "1"),
        ("- 1\n", "fails: data/c.yaml: file does not contain a valid yaml hash"),
        ("5\n", "fails: data/c.yaml: file does not contain a valid yaml hash"),
        ("", "not found"),
        ("---\n", "not found"),
        ("# c\n", "not found"),
        ("k: *x\n", "fails: Unable to parse An alias referenced an unknown anchor: x"),
        ("k: &x 1\nl: *x\n", "1"),
        (
            "k: !ruby/sym a\n",
            "fails: Value for key 'k', in hash returned from data_hash function 'yaml_data', when using location 'data/c.yaml', has wrong type, expects Puppet::LookupValue, got Runtime[ruby, 'Symbol']",
        ),
        (
            "k: :a\n",
            "fails: Value for key 'k', in hash returned from data_hash function 'yaml_data', when using location 'data/c.yaml', has wrong type, expects Puppet::LookupValue, got Runtime[ruby, 'Symbol']",
        ),
        ("k: 2020-01-01\n", "fails: Unable to parse (data/c.yaml): Tried to load unspecified class: Date"),
        ("k: 0x1f\n", "31"),
        ("k: 1_000\n", "1000"),
        ("k: yes\n", "true"),
        ("k: ~\n", "null"),
        ("? k\n", "null"),
        ("k: |\n  a\n  b\n", r#""a\nb\n""#),
        ("k: >\n  a\n  b\n", r#""a b\n""#),
        ("1: 2\nk: 3\n", "3"),
        ("k: {a: 1, a: 2}\n", r#"{"a":2}"#),
        ("k: 'a''b'\n", r#""a'b""#),
        (
            "k: a: b\n",
            "fails: Unable to parse (data/c.yaml): mapping values are not allowed in this context at line 1 column 5",
        ),
        ("%YAML 1.1\n---\nk: 1\n", "1"),
        ("---\nk: 1\n---\nk: 2\n", "1"),
        ("k: !!str 5\n", r#""5""#),
        ("k: !!int '5'\n", "5"),
        ("k: !!binary aGk=\n", r#""hi""#),
        ("k: <<\n<<: {k: 5}\n", "5"),
        ("x: &x {k: 1}\n<<: *x\n", "1"),
        ("k: {<<: {a: 1}, b: 2}\n", r#"{"a":1,"b":2}"#),
        ("\u{feff}k: 1\n", "1"),
        ("k: \u{a0}\n", r#"" ""#),
        ("k : 1\n", "1"),
        ("k:1\n", "fails: data/c.yaml: file does not contain a valid yaml hash"),
        ("{k: 1}\n", "1"),
        ("k: [a, b,]\n", r#"["a","b"]"#),
        ("k: {a, b}\n", r#"{"a":null,"b":null}"#),
        (
            "k: @x\n",
            "fails: Unable to parse (data/c.yaml): found character that cannot start any token while scanning for the next token at line 1 column 4",
        ),
        (
            "k: `x\n",
            "fails: Unable to parse (data/c.yaml): found character that cannot start any token while scanning for the next token at line 1 column 4",
        ),
        (
            "k: %x\n",
            "fails: Unable to parse (data/c.yaml): found character that cannot start any token while scanning for the next token at line 1 column 4",
        ),
        (
            "k: 'x\n",
            "fails: Unable to parse (data/c.yaml): found unexpected end of stream while scanning a quoted scalar at line 1 column 4",
        ),
        (
            "k: - x\n",
            "fails: Unable to parse (data/c.yaml): block sequence entries are not allowed in this context at line 1 column 4",
        ),
        ("k: x #c\n", r#""x""#),
        ("k: x#c\n", r#""x#c""#),
        ("k: 08\n", r#""08""#),
        ("k: 0o17\n", r#""0o17""#),
        ("k: 1e3\n", r#""1e3""#),
        ("k: 12:30\n", "45000"),
        ("k: 12:30:45\n", "45045"),
        ("lookup_options: 5\nk: 1\n", "fails: value of lookup_options must be a hash"),
        ("lookup_options: {k: {convert_to: Integer}}\nk: '5'\n", "5"),
        (
            "lookup_options: {k: {convert_to: Integer}}\nk: x\n",
            "fails: The convert_to lookup_option for key 'k' raised error: 'new' The string 'x' cannot be converted to Integer",
        ),
        (
            "lookup_options: {k: {convert_to: [Integer, 16]}}\nk: ff\n",
            "fails: The convert_to lookup_option for key 'k' raised error: 'new' The string 'ff' cannot be converted to Integer",
        ),
        (
            "lookup_options: {k: {convert_to: Nope}}\nk: 1\n",
            "fails: The convert_to lookup_option for key 'k' raised error: Creation of new instance of type 'TypeReference['Nope']' is not supported",
        ),
        (
            "lookup_options: {k: {convert_to: 'Integer['}}\nk: 1\n",
            "fails: Invalid data type in lookup_options for key 'k' could not parse 'Integer[', error: 'Syntax error at end of input",
        ),
        ("lookup_options: {k: {convert_to: Sensitive}}\nk: 1\n", r#""Sensitive [value redacted]""#),
        ("lookup_options: {'^k': {convert_to: String}}\nk: 1\n", r#""1""#),
        ("lookup_options: {'^[': {convert_to: String}}\nk: 1\n", "fails: premature end of char-class: /^[/"),
        ("lookup_options: {k: {odd: 1}}\nk: 1\n", "1"),
        ("lookup_options: {k: {merge: unique}}\nk: 1\n", "[1]"),
        ("lookup_options: {k: null}\nk: 1\n", "1"),
    ];

    #[test]
    fn data_are_read_as_puppet_reads_them() {
        check_data(DATA_ARE_READ_AS_PUPPET_READS_THEM);
    }
}
