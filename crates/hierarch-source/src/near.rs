//! Names that look like a misspelt one.

/// As many names as help.
const MOST: usize = 3;

/// Longer names are compared by their beginnings.
const LONGEST: usize = 200;

/// Returns the known names nearest to one, best first: at most three, no further away than a third of the name's letters.
///
/// ```
/// use hierarch_source::nearest;
///
/// assert_eq!(nearest("profile::web::prot", ["profile::web::port", "profile::db::port"]), ["profile::web::port", "profile::db::port"]);
/// assert_eq!(nearest("uper", ["upper", "lower"]), ["upper"]);
/// assert!(nearest("nothing", ["upper", "lower"]).is_empty());
/// ```
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let name = letters(name);
    let furthest = (name.len() / 3).max(1);
    let far = |known: &'n str| (distance(&name, &letters(known)), known);
    let mut near: Vec<(usize, &str)> =
        known.into_iter().map(far).filter(|(far, _)| *far <= furthest).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(MOST).map(|(_, known)| known).collect()
}

/// Returns the nodes that a name may mean: those whose name begins with it and a dot, else the nearest.
///
/// ```
/// use hierarch_source::nearest_nodes;
///
/// assert_eq!(nearest_nodes("web01", ["db01.example.com", "web01.example.com"]), ["web01.example.com"]);
/// assert_eq!(nearest_nodes("wbe01.example.com", ["web01.example.com"]), ["web01.example.com"]);
/// ```
pub fn nearest_nodes<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let known: Vec<&str> = known.into_iter().collect();
    let is_longer = |node: &&&str| node.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let longer: Vec<&str> = known.iter().filter(is_longer).take(MOST).copied().collect();
    if longer.is_empty() { nearest(name, known) } else { longer }
}

fn letters(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).take(LONGEST).collect()
}

/// Counts the letters to add, drop, change or swap with the next one, to make one word of another.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_recognised() {
        let known = ["upper", "lower", "to_json", "tojson", "from_json", "concat"];
        for (name, wanted) in [
            ("uper", &["upper"][..]),
            ("concta", &["concat"]),
            ("to_jsn", &["to_json", "tojson"]),
            ("Lower", &["lower"]),
            ("nothing", &[]),
            ("x", &[]),
            ("", &[]),
        ] {
            assert_eq!(nearest(name, known), wanted, "{name}");
        }
    }

    #[test]
    fn a_swap_is_one_mistake_and_long_names_end_somewhere() {
        assert_eq!(nearest("mian", ["main", "mine"]), ["main"]);
        let long = "x".repeat(100_000);
        assert_eq!(nearest(&long, [long.as_str(), "y"]), [long.as_str()]);
    }

    #[test]
    fn at_most_three_names_are_told_the_nearest_first() {
        let known = ["port", "ports", "part", "sort", "pot", "unrelated"];
        let near = nearest("port", known);
        assert_eq!(near.first(), Some(&"port"), "the name itself is nearest");
        assert_eq!(near.len(), 3, "{near:?}");
        assert_eq!(nearest("port", ["port", "port"]), ["port"], "each is told once");
        assert!(nearest("port", []).is_empty());
    }

    #[test]
    fn the_distance_is_that_of_edits() {
        let far = |a: &str, b: &str| distance(&letters(a), &letters(b));
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("abc", "ABC", 0),
            ("abc", "acb", 1),
            ("abc", "abd", 1),
            ("abc", "ab", 1),
            ("abc", "xyz", 3),
            ("ca", "abc", 3),
            ("grüße", "grusse", 3),
        ] {
            assert_eq!(far(a, b), expected, "{a} {b}");
            assert_eq!(far(b, a), expected, "{b} {a}");
        }
    }
}
