//! Names of character classes: POSIX brackets and `\p{…}`.

/// Returns the content of a class for a POSIX bracket such as `[:alpha:]`; they know all of Unicode.
pub(super) fn posix(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => r"\p{Alphabetic}\p{Nd}",
        "alpha" => r"\p{Alphabetic}",
        "ascii" => r"\x00-\x7F",
        "blank" => r"\p{Zs}\t",
        "cntrl" => r"\p{Cc}",
        "digit" => r"\p{Nd}",
        "graph" => r"[\p{Any}&&[^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}]]",
        "lower" => r"\p{Lowercase}",
        "print" => r"[\p{Any}&&[^\p{Zl}\p{Zp}\p{Cc}\p{Cn}\p{Cs}]]",
        "punct" => r"\p{P}$+<=>^`|~",
        "space" => r"\p{White_Space}",
        "upper" => r"\p{Uppercase}",
        "word" => r"\p{L}\p{M}\p{Nd}\p{Pc}",
        "xdigit" => r"0-9A-Fa-f",
        _ => return None,
    })
}

/// Returns the content of a class for a POSIX bracket where `(?a)` holds.
pub(super) fn ascii_posix(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "ascii" => r"\x00-\x7F",
        "blank" => r"\x20\t",
        "cntrl" => r"\x00-\x1F\x7F",
        "digit" => "0-9",
        "graph" => r"\x21-\x7E",
        "lower" => "a-z",
        "print" => r"\x20-\x7E",
        "punct" => r"\x21-\x2F\x3A-\x40\x5B-\x60\x7B-\x7E",
        "space" => r"\t\n\x0B\f\r\x20",
        "upper" => "A-Z",
        "word" => "0-9A-Za-z_",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
}

/// Returns the content of a class for `\p{name}`.
pub(super) fn property(name: &str) -> Option<String> {
    let plain: String = name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).collect();
    match &plain.to_ascii_lowercase()[..] {
        // In brackets it has the symbols of ASCII as well.
        "punct" => return Some(r"\p{P}".into()),
        "any" => return Some(r"\p{Any}".into()),
        "assigned" => return Some(r"\P{Cn}".into()),
        lower => {
            if let Some(class) = posix(lower) {
                return Some(class.to_owned());
            }
        }
    }
    let known = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_ -=.".contains(c));
    let pattern = format!(r"\p{{{plain}}}");
    // The engine knows the categories, scripts and properties of Unicode; ask it.
    (known && fancy_regex::Regex::new(&pattern).is_ok()).then_some(pattern)
}
