//! Which parts of a value do not fit a type, each by itself: for those who know where each part was written.

use super::describe::describe;
use super::lines;
use super::message::{Mismatch, PathStep};
use crate::{Type, Value, infer};

/// A part of a value that does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfitPart {
    /// The keys and positions that lead to it; none if it is the whole value.
    pub path: Vec<String>,
    /// Why it does not fit, in the reference's words.
    pub text: String,
}

/// Describes why a value is not an instance of a type, part by part. The subject stands before each as it is. What some
/// alternatives of a `Variant` say of one part is one description.
pub fn describe_parts(subject: &str, expected: &Type, value: &Value) -> Vec<UnfitPart> {
    let errors = describe(expected, &infer::detailed(value), &[PathStep::Subject(subject.to_owned())]);
    let mut found: Vec<(Vec<String>, bool, Vec<Mismatch>)> = Vec::new();
    for error in errors {
        let (path, is_alternative) = error.place();
        match found.last_mut() {
            Some((known, true, list)) if is_alternative && *known == path => list.push(error),
            _ => found.push((path, is_alternative, vec![error])),
        }
    }
    let part = |(path, _, list): (Vec<String>, bool, Vec<Mismatch>)| UnfitPart {
        path,
        text: lines(&list).trim().to_owned(),
    };
    found.into_iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{type_ as type_of, value as value_of};

    fn parts(type_: &str, value: &str) -> Vec<(String, String)> {
        let parts = describe_parts("x", &type_of(type_), &value_of(value));
        parts.into_iter().map(|part| (part.path.join("/"), part.text)).collect()
    }

    #[test]
    fn each_part_is_named_by_itself() {
        for (type_, value, expected) in [
            ("Integer", "'a'", &[("", "x expects an Integer value, got String")][..]),
            ("Array[String]", "[a, 5, b]", &[("1", "x index 1 expects a String value, got Integer")]),
            (
                "Hash[String, Hash]",
                "{a => {}, b => no, c => {}, d => 1}",
                &[
                    ("b", "x entry 'b' expects a Hash value, got String"),
                    ("d", "x entry 'd' expects a Hash value, got Integer"),
                ],
            ),
            (
                "Hash[String, Array[Integer]]",
                "{a => [1, b]}",
                &[("a/1", "x entry 'a' index 1 expects an Integer value, got String")],
            ),
            ("Struct[{a => Integer}]", "{a => 1, b => 2}", &[("b", "x unrecognized key 'b'")]),
            (
                "Struct[{a => Integer, b => Integer}]",
                "{a => z, c => 2}",
                &[
                    ("a", "x entry 'a' expects an Integer value, got String"),
                    ("", "x expects a value for key 'b'"),
                    ("c", "x unrecognized key 'c'"),
                ],
            ),
            ("Array[Integer, 2]", "[1]", &[("", "x expects size to be at least 2, got 1")]),
            (
                "Hash[String, Variant[Integer, Boolean]]",
                "{a => z}",
                &[("a", "x entry 'a' expects a value of type Integer or Boolean, got String")],
            ),
        ] {
            let expected: Vec<(String, String)> =
                expected.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
            assert_eq!(parts(type_, value), expected, "{type_} {value}");
        }
    }

    #[test]
    fn alternatives_of_one_part_stay_together() {
        let found =
            parts("Hash[String, Variant[Array[Integer], Struct[{n => Integer}]]]", "{a => [z], b => [1]}");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, "a");
        assert!(found[0].1.contains("variant 0 index 0") && found[0].1.contains("variant 1"), "{found:?}");
    }

    #[test]
    fn what_fits_has_no_such_part() {
        assert!(parts("Hash[String, Integer]", "{a => 1}").is_empty());
    }
}
