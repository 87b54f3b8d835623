//! By which leaves two answers differ, and how.

use hierarch_pcore::Value;

use crate::equality::DistinctValues;

/// How a leaf differs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// It was not there before.
    Added,
    /// It is gone.
    Removed,
    /// It has another value.
    Changed,
    /// A list has the same items in another order.
    Reordered,
    /// The lookup fails now.
    Failing,
    /// The lookup failed before.
    Mended,
}

impl Kind {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Reordered => "reordered",
            Self::Failing => "failing",
            Self::Mended => "mended",
        }
    }
}

/// A leaf that differs.
pub(crate) type Leaf = (Vec<String>, Kind);

/// Lists the leaves by which two values differ, by path.
pub(crate) fn leaves(old: &Value, new: &Value) -> Vec<Leaf> {
    let mut found = Vec::new();
    compare(old, new, &mut Vec::new(), &mut found);
    found.sort();
    found
}

fn compare(old: &Value, new: &Value, path: &mut Vec<String>, found: &mut Vec<Leaf>) {
    if old == new {
        return;
    }
    match (old, new) {
        (Value::Hash(a), Value::Hash(b)) => {
            let mut inside = |key: &Value, body: &mut dyn FnMut(&mut Vec<String>, &mut Vec<Leaf>)| {
                path.push(key.to_string());
                body(path, found);
                path.pop();
            };
            for (key, before) in a.iter() {
                inside(key, &mut |path, found| match b.get(key) {
                    Some(after) => compare(before, after, path, found),
                    None => found.push((path.clone(), Kind::Removed)),
                });
            }
            for key in b.keys().filter(|key| !a.contains_key(key)) {
                inside(key, &mut |path, found| found.push((path.clone(), Kind::Added)));
            }
        }
        (Value::Array(a), Value::Array(b)) => compare_lists(a, b, path, found),
        _ => found.push((path.clone(), Kind::Changed)),
    }
}

fn compare_lists(old: &[Value], new: &[Value], path: &mut Vec<String>, found: &mut Vec<Leaf>) {
    if is_reordered(old, new) {
        found.push((path.clone(), Kind::Reordered));
    } else if old.len() == new.len() {
        for (index, (before, after)) in old.iter().zip(new).enumerate() {
            path.push(index.to_string());
            compare(before, after, path, found);
            path.pop();
        }
    } else {
        let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - front;
        let back = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        let (kind, range) = match (front + back == old.len(), front + back == new.len()) {
            (true, _) => (Kind::Added, front..new.len() - back),
            (_, true) => (Kind::Removed, front..old.len() - back),
            _ => return found.push((path.clone(), Kind::Changed)),
        };
        found.extend(range.map(|index| (path.iter().cloned().chain([index.to_string()]).collect(), kind)));
    }
}

fn is_reordered(old: &[Value], new: &[Value]) -> bool {
    if old.len() != new.len() {
        return false;
    }
    let mut counts: DistinctValues<i64> = DistinctValues::new();
    old.iter().for_each(|item| *counts.of(item) += 1);
    new.iter().for_each(|item| *counts.of(item) -= 1);
    counts.list.iter().all(|(_, count)| *count == 0)
}

/// Returns the part of a value that a path leads to.
pub fn part_at<'v>(value: &'v Value, path: &[String]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, part| match value {
        Value::Hash(hash) => hash.iter().find(|(key, _)| key.to_string() == *part).map(|(_, value)| value),
        Value::Array(items) => part.parse().ok().and_then(|index: usize| items.get(index)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, expected: &[&str]) {
        let rules = hierarch_hiera::read::Yaml { aliases: false, symbols: false };
        let value = |text: &str| hierarch_hiera::read::yaml(text, rules).expect("well-formed");
        let found = leaves(&value(old), &value(new));
        let shown: Vec<String> =
            found.iter().map(|(path, kind)| format!("{} {}", path.join("."), kind.name())).collect();
        assert_eq!(shown, expected, "{old} {new}");
    }

    #[test]
    fn leaves_differ_by_path_and_kind() {
        check("1", "1.0", &[" changed"]);
        check("{a: 1, b: {c: 2}}", "{b: {c: 3, d: 4}}", &["a removed", "b.c changed", "b.d added"]);
        check("[1, 2, 3]", "[3, 1, 2]", &[" reordered"]);
        check("[1, {p: 80}]", "[1, {p: 81}]", &["1.p changed"]);
        check("[1, 2]", "[1, 9, 2]", &["1 added"]);
        check("[1, 2, 3]", "[3]", &["0 removed", "1 removed"]);
        check("[1, 2, 3]", "[4, 5]", &[" changed"]);
        check("{a: 1, b: 2}", "{b: 2, a: 1}", &[]);
    }
}
