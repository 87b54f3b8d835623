//! Which style of YAML scalar a string gets: Ruby's wish first, then what libyaml allows.

/// The four styles that are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

/// What libyaml finds out about a text.
#[derive(Default)]
struct Analysis {
    multiline: bool,
    plain: bool,
    single: bool,
    block: bool,
}

/// Chooses the style of a string; `is_key` where it stands before a colon on the same line.
pub(super) fn style_of(text: &str, is_key: bool) -> Style {
    let analysis = analyse(text);
    let mut style = wanted_style(text);
    if is_key && analysis.multiline {
        style = Style::Double;
    }
    if style == Style::Plain && (!analysis.plain || text.is_empty()) {
        style = Style::Single;
    }
    if style == Style::Single && !analysis.single {
        style = Style::Double;
    }
    if style == Style::Literal && (!analysis.block || is_key) {
        style = Style::Double;
    }
    style
}

/// Tells whether a string fits before a colon on one line.
pub(super) fn is_simple_key(text: &str) -> bool {
    text.len() <= 128 && !text.contains(is_break)
}

/// The style that Ruby's YAML library asks for.
fn wanted_style(text: &str) -> Style {
    if has_inner_newline(text) {
        Style::Literal
    } else if text == "y" || text == "n" || looks_odd(text) {
        Style::Double
    } else if reads_as_other(text) || is_bad_octal(text) {
        Style::Single
    } else {
        Style::Plain
    }
}

/// A newline that is followed by more than the end or one last newline.
fn has_inner_newline(text: &str) -> bool {
    text.match_indices('\n').any(|(at, _)| !matches!(&text[at + 1..], "" | "\n"))
}

/// A line that starts with something other than a word character and holds no double quote after it.
fn looks_odd(text: &str) -> bool {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    starts.filter(|start| *start < text.len()).any(|start| {
        let mut chars = text[start..].chars();
        let first_is_odd = chars.next().is_some_and(|c| !(c.is_alphanumeric() || c == '_'));
        first_is_odd && !chars.as_str().split('\n').next().unwrap_or("").contains('"')
    })
}

/// `089`: an octal number that is none.
fn is_bad_octal(text: &str) -> bool {
    let octal = text.bytes().take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    text.starts_with('0') && matches!(text.as_bytes().get(octal), Some(b'8' | b'9'))
}

/// Tells whether a plain scalar of this text would be read as something other than a string.
fn reads_as_other(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    if starts_as_word(text) || text.contains('\n') {
        return text.chars().count() <= 5
            && matches!(
                &text.to_ascii_lowercase()[..],
                "~" | "null" | "yes" | "true" | "on" | "no" | "false" | "off"
            );
    }
    let lower = text.to_ascii_lowercase();
    matches!(&lower[..], ".inf" | "+.inf" | "-.inf" | ".nan")
        || (text.starts_with(':') && text.len() > 1)
        || is_time(text)
        || is_date(text)
        || is_base_60(text)
        || is_float(text)
        || is_integer(text)
}

/// The reader's shortcut for words: at most one other character, then letters or signs.
fn starts_as_word(text: &str) -> bool {
    let is_wordy = |c: char| c.is_alphabetic() || c.is_whitespace() || "_!@#$%^&*(){}<>|/\\~;=".contains(c);
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    is_wordy(first)
        || (!first.is_ascii_digit() && !".:-".contains(first) && chars.next().is_some_and(is_wordy))
}

/// Takes digits off the front, between `least` and `most` of them.
fn digits(text: &str, least: usize, most: usize) -> Option<&str> {
    let count = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    (count >= least).then(|| &text[count..])
}

fn is_date(text: &str) -> bool {
    let read = || {
        let rest = digits(text, 4, 4)?.strip_prefix('-')?;
        let (month, day) = rest.split_once('-')?;
        let number = |text: &str| {
            digits(text, 1, 2).filter(|rest| rest.is_empty()).and_then(|_| text.parse::<u32>().ok())
        };
        let (month, day) = (number(month)?, number(day)?);
        Some(
            (1..=12).contains(&month) && (1..=31).contains(&day) && {
                let year = text[..4].parse().ok()?;
                day <= crate::value::time::calendar::days_in_month(year, month)
            },
        )
    };
    read().unwrap_or(false)
}

fn is_time(text: &str) -> bool {
    let read = || {
        let rest = digits(text.strip_prefix('-').unwrap_or(text), 4, 4)?.strip_prefix('-')?;
        let rest = digits(rest, 1, 2)?.strip_prefix('-')?;
        let rest = digits(rest, 1, 2)?;
        let trimmed = rest.trim_start();
        let rest = if trimmed.len() < rest.len() { trimmed } else { rest.strip_prefix(['t', 'T'])? };
        let rest = digits(rest, 1, 2)?.strip_prefix(':')?;
        let rest = digits(rest, 2, 2)?.strip_prefix(':')?;
        let rest = digits(rest, 2, 2)?;
        let rest =
            rest.strip_prefix('.').map_or(Some(rest), |rest| digits(rest, 0, usize::MAX))?.trim_start();
        if rest.is_empty() || rest == "Z" {
            return Some(true);
        }
        let rest = digits(rest.strip_prefix(['-', '+'])?, 1, 2)?;
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        Some(rest.is_empty() || digits(rest, 2, 2) == Some(""))
    };
    read().unwrap_or(false)
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

fn is_base_60(text: &str) -> bool {
    let (whole, fraction) = unsigned(text).split_once('.').unwrap_or((unsigned(text), ""));
    let mut parts = whole.split(':');
    let first = parts.next().unwrap_or("");
    let rest: Vec<&str> = parts.collect();
    let is_sixtieth = |part: &&str| match part.as_bytes() {
        [digit] => digit.is_ascii_digit(),
        [tens, digit] => (b'0'..=b'5').contains(tens) && digit.is_ascii_digit(),
        _ => false,
    };
    first.starts_with(|c: char| c.is_ascii_digit())
        && first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
        && (1..=2).contains(&rest.len())
        && rest.iter().all(is_sixtieth)
        && fraction.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}

fn is_float(text: &str) -> bool {
    let text = unsigned(text);
    let Some((whole, rest)) = text.split_once('.') else { return false };
    let whole_fits = whole.is_empty()
        || (whole.starts_with(|c: char| c.is_ascii_digit())
            && whole.bytes().all(|byte| byte.is_ascii_digit() || b"_,".contains(&byte)));
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let exponent_fits = rest.is_empty()
        || rest
            .strip_prefix(['e', 'E'])
            .and_then(|rest| rest.strip_prefix(['-', '+']))
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    whole_fits && exponent_fits && text != "."
}

fn is_integer(text: &str) -> bool {
    let text = unsigned(text);
    let all = |text: &str, fits: fn(u8) -> bool| {
        !text.is_empty() && text.bytes().all(|byte| fits(byte) || b"_,".contains(&byte))
    };
    if let Some(digits) = text.strip_prefix("0b") {
        return all(digits, |byte| byte == b'0' || byte == b'1');
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return all(digits, |byte| byte.is_ascii_hexdigit());
    }
    if text == "0" {
        return true;
    }
    if let Some(digits) = text.strip_prefix('0') {
        return all(digits, |byte| (b'0'..=b'7').contains(&byte));
    }
    // Separators only between digits.
    text.starts_with(|c: char| c.is_ascii_digit())
        && text
            .split(['_', ','])
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Tells whether libyaml writes a character as it is; beyond the basic plane it does not.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '\n' | '\u{20}'..='\u{7e}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
        && c != '\u{feff}'
}

fn analyse(text: &str) -> Analysis {
    if text.is_empty() {
        return Analysis { plain: true, single: true, ..Analysis::default() };
    }
    let chars: Vec<char> = text.chars().collect();
    let last = chars.len() - 1;
    let breaks = chars.iter().any(|c| is_break(*c));
    let special = chars.iter().any(|c| *c != '\t' && !is_printable(*c));
    let tabs = chars.contains(&'\t');
    let pair = |first: fn(char) -> bool, second: fn(char) -> bool| {
        chars.windows(2).any(|w| first(w[0]) && second(w[1]))
    };
    let is_space = |c: char| c == ' ';
    let break_space = pair(is_break, is_space);
    let space_break = pair(is_space, is_break);
    let at_edge = |test: fn(char) -> bool| test(chars[0]) || test(chars[last]);
    let edges = at_edge(is_space) || at_edge(is_break);
    let quotable = !break_space && !space_break && !tabs && !special;
    Analysis {
        multiline: breaks,
        plain: !edges && quotable && !breaks && !has_indicators(text, &chars),
        single: quotable,
        block: chars[last] != ' ' && !space_break && !special && !tabs,
    }
}

/// Tells whether something in the text means something to YAML.
fn has_indicators(text: &str, chars: &[char]) -> bool {
    if text.starts_with("---") || text.starts_with("...") {
        return true;
    }
    let is_blank = |index: usize| chars.get(index).is_none_or(|c| *c == ' ' || *c == '\t' || is_break(*c));
    chars.iter().enumerate().any(|(index, c)| {
        if index == 0 {
            "#,[]{}&*!|>'\"%@`".contains(*c) || ("?:-".contains(*c) && is_blank(1))
        } else {
            (*c == ':' && is_blank(index + 1)) || (*c == '#' && is_blank(index - 1))
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::Value;

    /// Texts that mean something to YAML, or look as if they did; all of it is asked of Psych.
    const TEXTS_ARE_QUOTED_WHERE_PSYCH_QUOTES_THEM: &[(&str, &str)] = &[
        ("", "--- ''\n"),
        (" ", "--- \" \"\n"),
        ("a", "--- a\n"),
        ("a b", "--- a b\n"),
        (" a", "--- \" a\"\n"),
        ("a ", "--- 'a '\n"),
        ("a\n", "--- 'a\n\n  '\n"),
        ("a\nb", "--- |-\n  a\n  b\n"),
        ("a\nb\n", "--- |\n  a\n  b\n"),
        ("\na", "--- |2-\n\n  a\n"),
        ("a\n\n", "--- \"a\\n\\n\"\n"),
        ("a\n b", "--- |-\n  a\n   b\n"),
        ("a \nb", "--- \"a \\nb\"\n"),
        ("\ta", "--- \"\\ta\"\n"),
        ("a\tb", "--- \"a\\tb\"\n"),
        ("a\r", "--- \"a\\r\"\n"),
        ("\u{a0}", "--- \"\u{a0}\"\n"),
        ("é", "--- é\n"),
        ("😀", "--- \"\\U0001F600\"\n"),
        ("\u{85}", "--- \"\\N\"\n"),
        ("\u{2028}", "--- \"\\L\"\n"),
        ("\u{0}", "--- \"\\0\"\n"),
        ("\u{7}", "--- \"\\a\"\n"),
        ("\u{feff}", "--- \"\\uFEFF\"\n"),
        ("~", "--- \"~\"\n"),
        ("null", "--- 'null'\n"),
        ("Null", "--- 'Null'\n"),
        ("NULL", "--- 'NULL'\n"),
        ("nULL", "--- 'nULL'\n"),
        ("true", "--- 'true'\n"),
        ("True", "--- 'True'\n"),
        ("TRUE", "--- 'TRUE'\n"),
        ("tRUE", "--- 'tRUE'\n"),
        ("false", "--- 'false'\n"),
        ("yes", "--- 'yes'\n"),
        ("Yes", "--- 'Yes'\n"),
        ("no", "--- 'no'\n"),
        ("on", "--- 'on'\n"),
        ("off", "--- 'off'\n"),
        ("y", "--- \"y\"\n"),
        ("n", "--- \"n\"\n"),
        ("Y", "--- Y\n"),
        ("N", "--- N\n"),
        ("1", "--- '1'\n"),
        ("-1", "--- \"-1\"\n"),
        ("+1", "--- \"+1\"\n"),
        ("1_000", "--- '1_000'\n"),
        ("1,000", "--- '1,000'\n"),
        ("0", "--- '0'\n"),
        ("00", "--- '00'\n"),
        ("01", "--- '01'\n"),
        ("08", "--- '08'\n"),
        ("0x1f", "--- '0x1f'\n"),
        ("0X1F", "--- 0X1F\n"),
        ("0b11", "--- '0b11'\n"),
        ("0o17", "--- 0o17\n"),
        ("1.0", "--- '1.0'\n"),
        ("1.", "--- '1.'\n"),
        (".5", "--- \".5\"\n"),
        ("-.5", "--- \"-.5\"\n"),
        ("1e3", "--- 1e3\n"),
        ("1.0e3", "--- 1.0e3\n"),
        ("1.0e+3", "--- '1.0e+3'\n"),
        ("1.e+3", "--- '1.e+3'\n"),
        (".inf", "--- \".inf\"\n"),
        ("-.inf", "--- \"-.inf\"\n"),
        (".Inf", "--- \".Inf\"\n"),
        (".nan", "--- \".nan\"\n"),
        (".NaN", "--- \".NaN\"\n"),
        ("1:30", "--- '1:30'\n"),
        ("12:30:45", "--- '12:30:45'\n"),
        ("190:20:30.15", "--- '190:20:30.15'\n"),
        ("1:90", "--- 1:90\n"),
        ("2020-01-02", "--- '2020-01-02'\n"),
        ("2020-13-02", "--- 2020-13-02\n"),
        ("2020-02-30", "--- 2020-02-30\n"),
        ("2020-1-2", "--- '2020-1-2'\n"),
        ("2020-01-02 03:04:05", "--- '2020-01-02 03:04:05'\n"),
        ("2020-01-02T03:04:05Z", "--- '2020-01-02T03:04:05Z'\n"),
        ("2020-01-02 03:04:05 +01:00", "--- '2020-01-02 03:04:05 +01:00'\n"),
        ("2020-01-02 03:04:05.5 -1", "--- '2020-01-02 03:04:05.5 -1'\n"),
        ("-2020-01-02 03:04:05", "--- \"-2020-01-02 03:04:05\"\n"),
        (":a", "--- \":a\"\n"),
        (":a b", "--- \":a b\"\n"),
        (":\"a\"", "--- ':\"a\"'\n"),
        ("a:", "--- 'a:'\n"),
        ("a: b", "--- 'a: b'\n"),
        ("a:b", "--- a:b\n"),
        (": a", "--- \": a\"\n"),
        ("a #b", "--- 'a #b'\n"),
        ("#a", "--- \"#a\"\n"),
        ("a#b", "--- a#b\n"),
        ("-", "--- \"-\"\n"),
        ("- a", "--- \"- a\"\n"),
        ("-a", "--- \"-a\"\n"),
        ("--", "--- \"--\"\n"),
        ("---", "--- \"---\"\n"),
        ("--- a", "--- \"--- a\"\n"),
        ("...", "--- \"...\"\n"),
        (".", "--- \".\"\n"),
        ("?", "--- \"?\"\n"),
        ("? a", "--- \"? a\"\n"),
        ("?a", "--- \"?a\"\n"),
        ("!", "--- \"!\"\n"),
        ("!a", "--- \"!a\"\n"),
        ("&a", "--- \"&a\"\n"),
        ("*a", "--- \"*a\"\n"),
        ("|", "--- \"|\"\n"),
        (">", "--- \">\"\n"),
        ("|a", "--- \"|a\"\n"),
        ("'", "--- \"'\"\n"),
        ("'a'", "--- \"'a'\"\n"),
        ("\"", "--- \"\\\"\"\n"),
        ("\"a\"", "--- '\"a\"'\n"),
        ("it's", "--- it's\n"),
        ("a\"b", "--- a\"b\n"),
        ("a\\b", "--- a\\b\n"),
        ("%", "--- \"%\"\n"),
        ("%a", "--- \"%a\"\n"),
        ("@", "--- \"@\"\n"),
        ("@a", "--- \"@a\"\n"),
        ("`", "--- \"`\"\n"),
        ("`a", "--- \"`a\"\n"),
        ("[", "--- \"[\"\n"),
        ("[a]", "--- \"[a]\"\n"),
        ("a]", "--- a]\n"),
        ("{", "--- \"{\"\n"),
        ("{a}", "--- \"{a}\"\n"),
        ("}a", "--- \"}a\"\n"),
        (",", "--- \",\"\n"),
        (",a", "--- \",a\"\n"),
        ("a,b", "--- a,b\n"),
        ("=", "--- \"=\"\n"),
        ("<<", "--- !!str '<<'\n"),
        ("<<a", "--- \"<<a\"\n"),
        ("line one\nline one\nline one\n", "--- |\n  line one\n  line one\n  line one\n"),
        ("1_0", "--- '1_0'\n"),
        ("_1", "--- _1\n"),
        ("0.1.2", "--- 0.1.2\n"),
        ("1e", "--- 1e\n"),
        ("e1", "--- e1\n"),
        ("0x", "--- 0x\n"),
        ("0xg", "--- 0xg\n"),
        ("+", "--- \"+\"\n"),
        ("+.inf", "--- \"+.inf\"\n"),
        ("-0", "--- \"-0\"\n"),
        ("-0.0", "--- \"-0.0\"\n"),
        ("1__0", "--- 1__0\n"),
        ("0_7", "--- '0_7'\n"),
        ("09", "--- '09'\n"),
        ("1_", "--- 1_\n"),
        ("a: ", "--- 'a: '\n"),
        ("a:\tb", "--- \"a:\\tb\"\n"),
        ("a\u{2028}b", "--- 'a\u{2028}  b'\n"),
        ("NaN", "--- NaN\n"),
        ("Infinity", "--- Infinity\n"),
        ("!ruby/object", "--- \"!ruby/object\"\n"),
        ("key: [1, 2]", "--- 'key: [1, 2]'\n"),
        ("😀 a\nb", "--- \"\\U0001F600 a\\nb\"\n"),
        ("0b12", "--- 0b12\n"),
        ("0b", "--- 0b\n"),
        ("1:2:3", "--- '1:2:3'\n"),
        ("60:00", "--- '60:00'\n"),
        ("a\n\nb", "--- |-\n  a\n\n  b\n"),
        ("  a\nb", "--- |2-\n    a\n  b\n"),
        ("a\n  ", "--- \"a\\n  \"\n"),
        ("\n", "--- \"\\n\"\n"),
        ("\n\n", "--- \"\\n\\n\"\n"),
        (" \n", "--- \" \\n\"\n"),
        ("#a\nb", "--- |-\n  #a\n  b\n"),
        ("- a\n- b", "--- |-\n  - a\n  - b\n"),
        ("a\n#b", "--- |-\n  a\n  #b\n"),
    ];

    #[test]
    fn texts_are_quoted_where_psych_quotes_them() {
        check_texts(TEXTS_ARE_QUOTED_WHERE_PSYCH_QUOTES_THEM);
    }

    /// Long lines are folded at blanks, and only there.
    #[test]
    fn long_texts_are_folded_as_psych_folds_them() {
        check_texts(&[
            (
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                "--- xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
            ),
            (
                "word word word word word word word word word word word word word word word word word word word word ",
                "--- 'word word word word word word word word word word word word word word word word\n  word word word word '\n",
            ),
            (
                "long line with words long line with words long line with words long line with words long line with words \nnext",
                "--- \"long line with words long line with words long line with words long line with\n  words long line with words \\nnext\"\n",
            ),
            (
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "--- aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
            ),
            (
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b",
                "--- aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n  b\n",
            ),
        ]);
    }

    #[track_caller]
    fn check_texts(facts: &[(&str, &str)]) {
        let mut wrong = Vec::new();
        for (text, expected) in facts {
            let written = Value::from(*text).to_yaml();
            if written != *expected {
                wrong.push(format!("{text:?}: {written:?}, not {expected:?}"));
            }
        }
        assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}
