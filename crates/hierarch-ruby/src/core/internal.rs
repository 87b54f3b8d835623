//! Which core methods are themselves written in Ruby: a backtrace names their file first.

/// `Class#` or `Class.`, the file, and the methods, as Ruby 3.3 has them.
const METHODS: &[(&str, &str, &[&str])] = &[
    (
        "Kernel",
        "<internal:kernel>",
        &["Float", "Integer", "class", "clone", "frozen?", "loop", "tap", "then", "yield_self"],
    ),
    ("Kernel", "<internal:warning>", &["warn"]),
    ("Array", "<internal:array>", &["first", "last", "sample", "shuffle", "shuffle!"]),
    ("Array", "<internal:pack>", &["pack"]),
    ("String", "<internal:pack>", &["unpack", "unpack1"]),
    ("Symbol", "<internal:symbol>", &["intern", "to_sym"]),
    (
        "Integer",
        "<internal:numeric>",
        &[
            "-@",
            "abs",
            "bit_length",
            "ceildiv",
            "denominator",
            "even?",
            "integer?",
            "magnitude",
            "numerator",
            "odd?",
            "ord",
            "size",
            "times",
            "to_i",
            "to_int",
            "zero?",
            "~",
        ],
    ),
    ("Float", "<internal:numeric>", &["-@", "abs", "magnitude", "negative?", "positive?", "to_f", "zero?"]),
    ("NilClass", "<internal:nilclass>", &["to_f", "to_i"]),
    ("Enumerable", "<internal:prelude>", &["to_set"]),
    ("Numeric", "<internal:numeric>", &["finite?", "infinite?", "integer?", "real", "real?"]),
    ("#<Class:Time>", "<internal:timev>", &["at", "now"]),
    ("#<Class:Dir>", "<internal:dir>", &["[]", "glob", "open"]),
];

/// Returns the file that a method is written in, if it is written in Ruby.
pub(crate) fn file_of(class: &str, method: &str) -> Option<&'static str> {
    let is_it = |(owner, _, names): &&(&str, &str, &[&str])| *owner == class && names.contains(&method);
    METHODS.iter().find(is_it).map(|(_, file, _)| *file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_told_by_class_and_name() {
        assert_eq!(file_of("Kernel", "Integer"), Some("<internal:kernel>"));
        assert_eq!(file_of("String", "Integer"), None);
        assert_eq!(file_of("Array", "pack"), Some("<internal:pack>"));
    }
}
