//! The text after a text, as Ruby's `succ` counts; ranges of texts in Puppet modules and in Ruby go by it.

/// Returns the text after a text: letters and digits are counted from the right, each with those of its kind.
#[must_use]
pub fn successor(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let mut wrapped: Option<(usize, char)> = None;
    let mut is_after_other = false;
    for index in (0..characters.len()).rev() {
        let c = characters[index];
        // Beyond other characters a carry goes on only among digits, or only among letters.
        if is_after_other
            && let Some((last, _)) = wrapped
            && stops_carry(characters[last], c)
        {
            break;
        }
        match next_of_its_kind(c) {
            Next::Found(next) => {
                characters[index] = next;
                return characters.into_iter().collect();
            }
            Next::Wrapped { first, carried } => {
                characters[index] = first;
                wrapped = Some((index, carried));
                is_after_other = false;
            }
            Next::None => is_after_other = true,
        }
    }
    match wrapped {
        Some((index, carried)) => characters.insert(index, carried),
        // Where nothing is counted, the last character becomes the one with the next code.
        None => {
            if let Some(last) = characters.last_mut() {
                *last = char::from_u32(u32::from(*last) + 1).unwrap_or(*last);
            }
        }
    }
    characters.into_iter().collect()
}

fn stops_carry(last: char, c: char) -> bool {
    (last.is_ascii_alphabetic() && c.is_ascii_digit()) || (last.is_ascii_digit() && c.is_ascii_alphabetic())
}

/// What follows a character among those of its kind.
enum Next {
    Found(char),
    /// It is the last: the count begins anew, and this is carried.
    Wrapped {
        first: char,
        carried: char,
    },
    /// It is not counted.
    None,
}

fn next_of_its_kind(c: char) -> Next {
    let is_digit = c.is_numeric() && !c.is_alphabetic();
    let is_kind = |c: &char| if is_digit { c.is_numeric() && !c.is_alphabetic() } else { c.is_alphabetic() };
    if !is_kind(&c) {
        return Next::None;
    }
    let at = |code: u32| char::from_u32(code).filter(|next| next.len_utf8() == c.len_utf8());
    let code = u32::from(c);
    // One character of another kind may stand between two of a kind, such as `÷` in the middle of Latin letters.
    if let Some(next) = [code + 1, code + 2].into_iter().filter_map(at).find(is_kind) {
        return Next::Found(next);
    }
    let mut first = c;
    while let Some(before) = u32::from(first).checked_sub(1).and_then(at).filter(is_kind) {
        first = before;
    }
    if first == c {
        return Next::None;
    }
    let carried = if is_digit { char::from_u32(u32::from(first) + 1).unwrap_or(first) } else { first };
    Next::Wrapped { first, carried }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from Ruby 3.3.
    #[test]
    fn texts_are_counted_as_ruby_counts_them() {
        for (text, next) in [
            ("a", "b"),
            ("az", "ba"),
            ("zz", "aaa"),
            ("a9", "b0"),
            ("Zz", "AAa"),
            ("1.9", "2.0"),
            ("a-9", "a-10"),
            ("-9", "-10"),
            ("host09", "host10"),
            ("***", "**+"),
            ("1.9.9", "2.0.0"),
            ("Az", "Ba"),
            ("zZ9", "aaA0"),
            ("9-a", "9-b"),
            ("z-z", "aa-a"),
            ("a--9", "a--10"),
            ("Zz9", "AAa0"),
            ("<<koala>>", "<<koalb>>"),
            ("1999zzz", "2000aaa"),
            ("ZZZ9999", "AAAA0000"),
            ("***", "**+"),
            ("1-9-Z", "1-9-AA"),
            ("a.9", "a.10"),
            ("9.9", "10.0"),
            ("zz.99", "zz.100"),
            ("é", "ê"),
            ("aé", "aê"),
            ("éz", "êa"),
            ("<z>", "<aa>"),
            ("-z-", "-aa-"),
            ("a-z", "b-a"),
            ("9z", "10a"),
            ("z9", "aa0"),
            ("-", "."),
            ("", ""),
            ("ö", "ø"),
            ("aö", "aø"),
            ("zÿ", "zĀ"),
            ("µ", "¶"),
            ("aµ", "bµ"),
            ("ß", "à"),
            ("zß", "zà"),
            ("Ω", "Ϊ"),
            ("ω", "ϊ"),
            ("я", "ѐ"),
            ("ья", "ьѐ"),
            ("ё", "ђ"),
            ("٩", "١٠"),
            ("a٩", "b٠"),
            ("日", "旦"),
            ("日z", "旦a"),
            ("é9", "ê0"),
            ("9é", "9ê"),
            ("ñz-9", "ñz-10"),
            ("ªz", "ªaa"),
        ] {
            assert_eq!(successor(text), next, "{text}");
        }
    }

    #[test]
    fn counting_on_never_gives_a_text_again() {
        for first in ["a", "Zz9", "0", "a-9"] {
            let mut seen = std::collections::BTreeSet::new();
            let mut text = first.to_owned();
            for _ in 0..5_000 {
                let next = successor(&text);
                assert!(next.len() >= text.len(), "{text} {next}");
                assert!(seen.insert(text), "{next}");
                text = next;
            }
        }
    }
}
