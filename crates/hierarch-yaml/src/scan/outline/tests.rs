//! What an outline sees, and what it leaves to the parsers.

use hierarch_source::Source;
use proptest::prelude::*;

use super::*;
use crate::{DocumentLimits, Kind, read_first};

fn keys_outlined(text: &str) -> Option<Vec<String>> {
    Some(outline(text)?.iter().map(|key| text[key.range()].to_owned()).collect())
}

/// The keys that a reader finds; none if it fails, warns, or finds something else.
fn keys_read(text: &str) -> Option<Vec<String>> {
    let tree = read_first(&Source::new("a.yaml", text), DocumentLimits::default()).ok()?;
    let root = tree.root().filter(|&root| tree.kind(root) == Kind::Map && tree.warnings().is_empty())?;
    let key = |(key, _)| match tree.scalar(key) {
        Ok(Scalar::Str(text)) => Some(text.into_owned()),
        _ => None,
    };
    tree.entries(root).map(key).collect()
}

#[test]
fn ordinary_files_have_an_outline() {
    for text in [
        "a: 1\nb::c: text # why\n",
        "---\n# above\nlookup_options:\n  '^x$':\n    merge: deep\nx: [a, 'b', \"c\\n\"]\n",
        "list:\n- a\n- k: v\n  w: |\n    text: [\n\n    more\n- 'q'\nnext:\n  deep:\n    - 1\n",
        "empty:\nmap: {}\nquoted: 'it''s'\nnumber: -1\n",
    ] {
        let keys = keys_outlined(text);
        assert_eq!(keys, keys_read(text), "{text}");
        assert!(keys.is_some(), "{text}");
    }
}

#[test]
fn words_mean_what_readers_make_of_them() {
    let letters = || ('a'..='z').chain('A'..='Z').chain(['_', '0', '9', '.', '-']);
    let two = letters().flat_map(|one| letters().map(move |two| format!("{one}{two}")));
    let known =
        ["yes", "No", "TRUE", "false", "Off", "on", "null", "Null", "nul", "inf", "NaN", "nan", "infinity"];
    let words = letters().map(String::from).chain(two).chain(known.map(str::to_owned));
    for word in words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')) {
        let is_itself = matches!(plain_word(&word), Scalar::Str(text) if text == word);
        assert_eq!(means_itself(&word), is_itself, "{word}");
    }
}

#[test]
fn what_is_not_plain_has_none() {
    for text in [
        "",
        "- a\n",
        "a: &x 1\n",
        "a: *x\n",
        "<<: {a: 1}\n",
        "a: 1\na: 2\n",
        "a: 2020-01-01\n",
        "a: b: c\n",
        "yes: 1\n",
        "a: 1\n  b\n",
        "a: [1,\n 2]\n",
        "a: 1\n---\nb: 1\n",
        "a:\n  b: 1\n c: 1\n",
        "a: !t b\n",
    ] {
        assert_eq!(outline(text), None, "{text}");
    }
}

/// Pieces of lines that have a meaning.
/// Files of every size have an outline unless a key is repeated, wherever the two stand and however alike the others look.
#[test]
fn a_repeated_key_is_found_among_few_and_among_many() {
    let names: [fn(usize) -> String; 3] = [
        |number| format!("k{number}"),
        |number| format!("profile::m{number}::options"),
        // Their first and last bytes are the same.
        |number| format!("abcdefgh{number:04}abcdefgh"),
    ];
    for name in names {
        for count in [1, 2, 3, 8, 9, 64, 256, 257, 300] {
            let text: String = (0..count).map(|number| format!("{}: 1\n", name(number))).collect();
            assert_eq!(outline(&text).map(|keys| keys.len()), Some(count), "{}", name(0));
            for place in [0, count / 2, count - 1] {
                assert_eq!(
                    outline(&format!("{text}{}: 2\n", name(place))),
                    None,
                    "{} of {count}",
                    name(place)
                );
            }
        }
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "key",
        "x::y",
        "yes",
        "null",
        "12",
        "-1",
        "2020-01-01",
        "'q'",
        "\"d\\n\"",
        "'it''s'",
        ":",
        ": ",
        "- ",
        "-",
        "  ",
        "    ",
        " ",
        "\n",
        "\n",
        "\n  ",
        "\n- ",
        "\n  - ",
        "\na: ",
        "\n  b: ",
        "# c",
        " # c",
        "|",
        ">-",
        "[",
        "]",
        "[]",
        "{}",
        ", ",
        ",",
        "{",
        "}",
        "&x ",
        "*x",
        "!t ",
        "? ",
        "---\n",
        "...",
        "%",
        "@",
        "~",
        "é",
        "\\",
        "$(x)",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn an_outline_is_what_a_reader_finds(text in pieces()) {
        let keys = keys_outlined(&text);
        if keys.is_some() {
            prop_assert_eq!(keys, keys_read(&text));
        }
    }
}
