//! Secrets that a change writes in clear: what stands between marks, and what was encrypted before.

use std::collections::{HashMap, HashSet};

use hierarch_source::pointer;
use hierarch_yaml::{Kind, NodeId, Tree};

use super::token::{Passage, passages};

/// A secret that stands in clear in a file. It never holds the secret itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exposure {
    /// Where it begins.
    pub offset: u32,
    /// How it came to stand there.
    pub kind: ExposureKind,
}

/// How a secret comes to stand in clear.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExposureKind {
    /// Between the marks of an edit, `DEC::PKCS7[…]!`, which nothing has encrypted again.
    Marked,
    /// A value was encrypted, all of it or in parts, and is not any more.
    Plain {
        /// The value's path.
        path: String,
    },
    /// An encrypted entry is gone, and a new one in plain text has its place.
    Replaced {
        /// The path of what is gone.
        old: String,
        /// The path of what has its place.
        path: String,
    },
    /// An encrypted value of another file is gone, and its path has plain text here.
    Moved {
        /// The file that had it encrypted.
        from: String,
        /// The value's path.
        path: String,
    },
    /// A private key, which opens what is encrypted.
    Key,
}

/// Finds what stands between the marks of an edit, in comments too.
pub fn marked(text: &str) -> Vec<Exposure> {
    let starts =
        text.match_indices("DEC").map(|(start, _)| start).filter(|start| is_mark(&text[start + 3..]));
    starts.map(|start| Exposure { offset: offset(start), kind: ExposureKind::Marked }).collect()
}

/// Whether `DEC` goes on as a mark does: `(1)::PKCS7[`, the number and the method left out at will.
fn is_mark(rest: &str) -> bool {
    let rest = match rest.strip_prefix('(') {
        Some(numbered) => numbered.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(')'),
        None => Some(rest),
    };
    let method = rest.and_then(|rest| rest.strip_prefix("::"));
    method
        .is_some_and(|method| method.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).starts_with('['))
}

/// Finds a private key that a file begins with; one that a password protects is none.
pub fn key(text: &str) -> Option<Exposure> {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let is_key = first.starts_with("-----BEGIN ") && first.ends_with("PRIVATE KEY-----");
    (is_key && !first.contains("ENCRYPTED")).then_some(Exposure { offset: 0, kind: ExposureKind::Key })
}

/// Places in a file are below 4 GB, which is more than can be read.
fn offset(start: usize) -> u32 {
    u32::try_from(start).unwrap_or(u32::MAX)
}

/// Finds values that are encrypted in the old state of a file and stand in clear in the new one. What is encrypted anew, moved, or
/// deleted is none; neither is text that the old state had in clear already.
pub fn exposed(old: &Tree, new: &Tree) -> Vec<Exposure> {
    let (old, new) = (Scalars::of(old), Scalars::of(new));
    let found = old.list.iter().filter_map(|scalar| new.exposure(scalar, &old)).collect();
    in_order(found)
}

fn in_order(mut found: Vec<Exposure>) -> Vec<Exposure> {
    found.sort_by_key(|exposure| exposure.offset);
    found.dedup();
    found
}

/// The encrypted values that a change takes out of its files, by path: one of them may come back in clear in another file.
#[derive(Default, Debug)]
pub struct LostSecrets {
    lost: HashMap<String, LostSecret>,
    /// What is encrypted in the files that the change writes.
    kept: HashSet<String>,
}

#[derive(Debug)]
struct LostSecret {
    file: String,
    tokens: Vec<String>,
}

impl LostSecrets {
    /// Adds what a file of the change had encrypted and has no more; without a new state the file is gone.
    pub fn add(&mut self, file: &str, old: Option<&Tree>, new: Option<&Tree>) {
        let new = new.map(Scalars::of).unwrap_or_default();
        for scalar in old.map(Scalars::of).into_iter().flat_map(|old| old.list) {
            if !scalar.tokens.is_empty() && !new.has(&scalar.path) {
                let lost = LostSecret { file: file.to_owned(), tokens: scalar.tokens };
                self.lost.insert(scalar.path, lost);
            }
        }
        self.kept.extend(new.tokens.into_keys());
    }

    /// Finds plain text that a file newly has at the path of a lost secret.
    pub fn exposed(&self, file: &str, old: Option<&Tree>, new: &Tree) -> Vec<Exposure> {
        if self.lost.is_empty() {
            return Vec::new();
        }
        let old = old.map(Scalars::of).unwrap_or_default();
        let new = Scalars::of(new);
        let of = |scalar: &Scalar<'_>| {
            let lost = self.lost.get(&scalar.path).filter(|lost| lost.file != file && !self.has(lost))?;
            let is_new = !old.has(&scalar.path) && scalar.tokens.is_empty() && is_new_text(scalar, &old);
            let kind = ExposureKind::Moved { from: lost.file.clone(), path: scalar.path.clone() };
            is_new.then_some(Exposure { offset: scalar.start, kind })
        };
        in_order(new.list.iter().filter_map(of).collect())
    }

    fn has(&self, lost: &LostSecret) -> bool {
        lost.tokens.iter().all(|token| self.kept.contains(token))
    }
}

/// How much two states of files have in common: the share of paths that both have. Tells which file was renamed to which.
pub fn likeness(a: &Tree, b: &Tree) -> f64 {
    let (a, b) = (Scalars::of(a), Scalars::of(b));
    let shared = a.by_path.keys().filter(|path| b.by_path.contains_key(*path)).count();
    let all = a.by_path.len() + b.by_path.len() - shared;
    // Files have far fewer values than a float counts exactly.
    #[expect(clippy::cast_precision_loss)]
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// The path of a map, and which of its entries is meant.
type Place = (String, usize);

/// One value of a file.
struct Scalar<'t> {
    path: String,
    /// The path of the map that it is an entry of, and which entry.
    place: Option<Place>,
    text: &'t str,
    start: u32,
    /// What is encrypted in it.
    tokens: Vec<String>,
}

/// All values of a file that are no collections.
#[derive(Default)]
struct Scalars<'t> {
    list: Vec<Scalar<'t>>,
    by_path: HashMap<String, usize>,
    /// All paths, those of collections among them.
    paths: HashSet<String>,
    /// The paths of all entries of maps, collections among them.
    by_place: HashMap<Place, String>,
    /// How often each encrypted text stands in the file.
    tokens: HashMap<String, usize>,
    plain: HashSet<&'t str>,
}

impl<'t> Scalars<'t> {
    fn of(tree: &'t Tree) -> Self {
        let mut found = Self::default();
        for (number, root) in tree.roots().iter().enumerate() {
            // Documents of a stream are told apart; the first is the file.
            let path = if number == 0 { String::new() } else { format!("#{number}") };
            found.walk(tree, *root, path);
        }
        found
    }

    /// Goes through a document without recursion: a file may nest as deeply as it likes.
    fn walk(&mut self, tree: &'t Tree, root: NodeId, path: String) {
        let mut left = vec![(root, path, None)];
        while let Some((node, path, place)) = left.pop() {
            let seen = left.len();
            self.by_place.extend(place.clone().map(|place| (place, path.clone())));
            self.paths.insert(path.clone());
            match tree.kind(node) {
                Kind::Scalar => self.add(tree, node, path, place),
                Kind::Map => left.extend(tree.entries(node).enumerate().map(|(number, (key, value))| {
                    (value, pointer::below(&path, tree.text(key)), Some((path.clone(), number)))
                })),
                Kind::List => left.extend(
                    tree.children(node)
                        .iter()
                        .enumerate()
                        .map(|(number, item)| (*item, pointer::below(&path, &number.to_string()), None)),
                ),
                Kind::Alias => {}
            }
            // The last is taken first, and all are told in the order of the text.
            left[seen..].reverse();
        }
    }

    fn has(&self, path: &str) -> bool {
        self.by_path.contains_key(path)
    }

    fn add(&mut self, tree: &'t Tree, node: NodeId, path: String, place: Option<Place>) {
        let text = tree.text(node);
        let tokens: Vec<String> = passages(text).into_iter().filter_map(token).collect();
        if tokens.is_empty() {
            self.plain.insert(text);
        }
        for token in &tokens {
            *self.tokens.entry(token.clone()).or_default() += 1;
        }
        self.by_path.insert(path.clone(), self.list.len());
        self.list.push(Scalar { path, place, text, start: tree.span(node).start, tokens });
    }

    /// What became of a value of the old state, if it stands in clear here.
    fn exposure(&self, before: &Scalar<'_>, old: &Scalars<'_>) -> Option<Exposure> {
        if before.tokens.iter().all(|token| self.has_all_of(token, old)) {
            // What was encrypted here moved. Where another secret went, the text in its place may be that one.
            let is_suspect = !before.tokens.is_empty() && self.lacks_some_of(old);
            return self.at(&before.path).filter(|now| is_suspect && is_plain_and_new(now, old)).map(plain);
        }
        if let Some(now) = self.at(&before.path) {
            let is_exposed = now.tokens.len() < before.tokens.len() && is_new_text(now, old);
            return is_exposed.then(|| plain(now));
        }
        self.below(before, old).or_else(|| self.above(before, old)).or_else(|| self.in_its_place(before, old))
    }

    /// Whether an encrypted text stands here as often as before, if at other places: a copy elsewhere is no proof that it moved.
    fn has_all_of(&self, token: &str, old: &Scalars<'_>) -> bool {
        self.tokens.get(token).is_some_and(|count| Some(count) >= old.tokens.get(token))
    }

    /// Whether something that was encrypted is gone.
    fn lacks_some_of(&self, old: &Scalars<'_>) -> bool {
        old.tokens.keys().any(|token| !self.has_all_of(token, old))
    }

    fn at(&self, path: &str) -> Option<&Scalar<'t>> {
        self.by_path.get(path).map(|number| &self.list[*number])
    }

    /// A secret that became a collection with new text in it.
    fn below(&self, before: &Scalar<'_>, old: &Scalars<'_>) -> Option<Exposure> {
        self.new_text_below(&before.path, old).map(plain)
    }

    fn new_text_below(&self, path: &str, old: &Scalars<'_>) -> Option<&Scalar<'t>> {
        if !self.paths.contains(path) {
            return None;
        }
        let is_below =
            |scalar: &&Scalar<'_>| scalar.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        self.list.iter().filter(is_below).find(|now| is_plain_and_new(now, old))
    }

    /// A collection with a secret in it that became a text.
    fn above(&self, before: &Scalar<'_>, old: &Scalars<'_>) -> Option<Exposure> {
        let mut ends = before.path.match_indices('/').map(|(end, _)| end);
        let now = ends.find_map(|end| self.at(&before.path[..end]))?;
        is_plain_and_new(now, old).then(|| plain(now))
    }

    /// A new entry in plain text where the encrypted one stood: it was renamed.
    fn in_its_place(&self, before: &Scalar<'_>, old: &Scalars<'_>) -> Option<Exposure> {
        let path = self.by_place.get(before.place.as_ref()?)?;
        if old.paths.contains(path) {
            return None;
        }
        let now = self.at(path).or_else(|| self.new_text_below(path, old))?;
        let kind = ExposureKind::Replaced { old: before.path.clone(), path: now.path.clone() };
        is_plain_and_new(now, old).then_some(Exposure { offset: now.start, kind })
    }
}

fn plain(now: &Scalar<'_>) -> Exposure {
    Exposure { offset: now.start, kind: ExposureKind::Plain { path: now.path.clone() } }
}

fn is_plain_and_new(now: &Scalar<'_>, old: &Scalars<'_>) -> bool {
    now.tokens.is_empty() && is_new_text(now, old)
}

/// Tells whether a text that need not be YAML lacks something that another one has encrypted.
pub fn lacks_secrets(old: &str, new: &str) -> bool {
    let tokens = |text| passages(text).into_iter().filter_map(token);
    let kept: HashSet<String> = tokens(new).collect();
    tokens(old).any(|token| !kept.contains(&token))
}

/// Text that says something and that the old state does not have in clear.
fn is_new_text(now: &Scalar<'_>, old: &Scalars<'_>) -> bool {
    !matches!(now.text, "" | "~" | "null") && !old.plain.contains(now.text)
}

fn token(passage: Passage<'_>) -> Option<String> {
    match passage {
        Passage::Token { data, .. } => Some(data),
        Passage::Text(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;
    use hierarch_yaml::{Dialect, DocumentLimits, read};

    use super::*;

    fn tree(text: &str) -> Tree {
        read(&Source::new("c.eyaml", text), Dialect::Psych, DocumentLimits::default()).expect("YAML")
    }

    fn told(old: &str, new: &str) -> Vec<String> {
        let found = exposed(&tree(old), &tree(new));
        let words = found.into_iter().map(|exposure| match exposure.kind {
            ExposureKind::Marked => "marked".to_owned(),
            ExposureKind::Plain { path } => path,
            ExposureKind::Replaced { old, path } => format!("{old} -> {path}"),
            ExposureKind::Moved { from, path } => format!("{from} -> {path}"),
            ExposureKind::Key => "key".to_owned(),
        });
        words.collect()
    }

    #[test]
    fn what_was_encrypted_and_is_not_is_told() {
        let two = "m: user=x pass=ENC[PKCS7,AAAA] end=ENC[PKCS7,BBBB]\n";
        for (old, new, paths) in [
            ("s: ENC[PKCS7,AAAA]\n", "s: plain\n", &["/s"][..]),
            ("s: ENC[PKCS7,AAAA]\n", "s: plain mentions ENC[ here\n", &["/s"]),
            ("s: ENC[PKCS7,AAAA]\n", "s: DEC::PKCS7[plain]!\n", &["/s"]),
            ("s: >\n  ENC[PKCS7,AA\n  AA]\n", "s: plain\n", &["/s"]),
            ("a:\n  - {p: 'ENC[PKCS7,AAAA]'}\n", "a:\n  - {p: plain}\n", &["/a/0/p"]),
            ("s: ENC[PKCS7,AAAA]\n", "s: {user: me, pass: plain}\n", &["/s/user"]),
            (two, "m: user=x pass=plain end=ENC[PKCS7,BBBB]\n", &["/m"]),
            ("'a: b -> c': ENC[PKCS7,AAAA]\n", "'a: b -> c': plain\n", &["/a: b -> c"]),
            ("s: ENC[PKCS7,AAAA]\nt: 1\n", "s2: plain\nt: 1\n", &["/s -> /s2"]),
            ("a: 1\n---\ns: ENC[PKCS7,AAAA]\n", "a: 1\n---\ns: plain\n", &["#1/s"]),
            ("s: ENC[PKCS7,AAAA]\nt: ENC[PKCS7,AAAA]\n", "s: plain\nt: ENC[PKCS7,AAAA]\n", &["/s"]),
            ("l: ['ENC[PKCS7,AAAA]', x]\n", "l: plain\n", &["/l"]),
            ("d: {a: {b: 'ENC[PKCS7,AAAA]'}}\n", "d: {a: plain}\n", &["/d/a"]),
            ("d::p: ENC[PKCS7,AAAA]\nt: 1\n", "d:\n  p: plain\nt: 1\n", &["/d::p -> /d/p"]),
            // A list in another order, and two entries whose values changed places, with one secret in clear.
            (
                "l: [{n: a, p: 'ENC[PKCS7,AAAA]'}, {n: b, p: 'ENC[PKCS7,BBBB]'}]\n",
                "l: [{n: b, p: 'ENC[PKCS7,BBBB]'}, {n: a, p: plain}]\n",
                &["/l/1/p"],
            ),
            ("a: ENC[PKCS7,AAAA]\nb: ENC[PKCS7,BBBB]\n", "a: ENC[PKCS7,BBBB]\nb: plain\n", &["/b"]),
        ] {
            assert_eq!(told(old, new), paths, "{old:?} -> {new:?}");
        }
    }

    #[test]
    fn what_is_encrypted_anew_moved_or_deleted_is_not() {
        for (old, new) in [
            ("s: ENC[PKCS7,AAAA]\n", "s: ENC[PKCS7,BBBB]\n"),
            ("s: ENC[PKCS7,AAAA]\n", "s: ENC[GPG,BBBB]\n"),
            ("s: ENC[PKCS7,AAAA]\n", "s: >\n  ENC[PKCS7,AA\n  AA]\n"),
            ("s: ENC[PKCS7,AAAA]\n", "t: ENC[PKCS7,AAAA]\n"),
            ("s: ENC[PKCS7,AAAA]\nt: 1\n", "t: 1\n"),
            ("s: ENC[PKCS7,AAAA]\n", "s:\n"),
            ("s: ENC[PKCS7,AAAA]\n", "s: ''\n"),
            ("l: ['ENC[PKCS7,AAAA]', plain]\n", "l: [plain]\n"),
            ("l: ['ENC[PKCS7,AAAA]']\n", "l: [new, 'ENC[PKCS7,AAAA]']\n"),
            ("u: [{p: 'ENC[PKCS7,AAAA]'}, {p: open}]\n", "u: [{p: open}]\n"),
            ("s: ENC[PKCS7,AAAA]\nt: 1\n", "t: 1\nnew: plain\n"),
            ("s: plain\n", "s: other\n"),
            ("s: ENC[PKCS7,AAAA]\n", "s: plain\nt: ENC[PKCS7,AAAA]\n"),
            ("s: ENC[PKCS7,AAAA]\nt: ENC[PKCS7,AAAA]\n", "t: ENC[PKCS7,AAAA]\n"),
            ("d: {a: 'ENC[PKCS7,AAAA]'}\ne: 1\n", "d: ~\ne: 1\n"),
            ("s: ENC[PKCS7,AAAA]\nd: {p: 1}\n", "d: {p: 2}\n"),
        ] {
            assert_eq!(told(old, new), [""; 0], "{old:?} -> {new:?}");
        }
    }

    #[test]
    fn a_secret_that_comes_back_in_clear_in_another_file_is_told() {
        let old = tree("s: ENC[PKCS7,AAAA]\nt: 1\n");
        let paths = |gone: Option<&Tree>, before: Option<&Tree>, now: &str| {
            let (mut lost, now) = (LostSecrets::default(), tree(now));
            lost.add("a.yaml", Some(&old), gone);
            lost.add("b.yaml", before, Some(&now));
            lost.exposed("b.yaml", before, &now).into_iter().map(|found| found.kind).collect::<Vec<_>>()
        };
        let moved = [ExposureKind::Moved { from: "a.yaml".to_owned(), path: "/s".to_owned() }];
        let without = tree("t: 1\n");
        assert_eq!(paths(Some(&without), None, "s: plain\n"), moved, "the entry is gone");
        assert_eq!(paths(None, None, "s: plain\n"), moved, "the file is gone");
        assert_eq!(paths(Some(&old), None, "s: plain\n"), [], "it is still there; another level may differ");
        assert_eq!(paths(None, None, "s: ENC[PKCS7,AAAA]\n"), [], "it moved as it is");
        assert_eq!(paths(None, None, "s: ENC[PKCS7,BBBB]\n"), [], "it was encrypted anew");
        assert_eq!(paths(None, Some(&tree("s: open\n")), "s: plain\n"), [], "it was in clear there before");
    }

    #[test]
    fn texts_that_are_not_yaml_are_compared_by_what_is_encrypted_in_them() {
        let old = "a: ENC[PKCS7,AAAA]\nx: [1\nb: ENC[PKCS7,BBBB]\n";
        for (new, lacks) in [
            (old, false),
            ("x: [1]\nb: ENC[PKCS7,BBBB]\na: ENC[PKCS7,AAAA]\n", false),
            ("a: one\nx: [1\nb: ENC[PKCS7,BBBB]\n", true),
            ("", true),
        ] {
            assert_eq!(lacks_secrets(old, new), lacks, "{new:?}");
        }
    }

    #[test]
    fn private_keys_are_told_and_protected_ones_are_not() {
        for (text, is_key) in [
            ("-----BEGIN RSA PRIVATE KEY-----\nMII\n", true),
            ("\n-----BEGIN PRIVATE KEY-----\r\nMII\n", true),
            ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMII\n", false),
            ("-----BEGIN PUBLIC KEY-----\nMII\n", false),
            ("a: 1\n# -----BEGIN PRIVATE KEY-----\n", false),
            ("", false),
        ] {
            assert_eq!(key(text).is_some(), is_key, "{text:?}");
        }
    }

    #[test]
    fn marks_of_an_edit_are_told_wherever_they_stand() {
        let text = "a: DEC::PKCS7[x]!\nb: \"y DEC(12)::PKCS7[z]!\"\n# DEC::[w]!\nc: DECEMBER\nd: DEC(x)::PKCS7[\ne: DEC::\n";
        let places: Vec<usize> = marked(text).iter().map(|found| found.offset as usize).collect();
        let expected: Vec<usize> =
            ["DEC::PKCS7[x", "DEC(12)", "DEC::[w"].iter().filter_map(|mark| text.find(mark)).collect();
        assert_eq!(places, expected);
    }

    #[test]
    fn renamed_files_are_alike_in_their_paths() {
        let (a, b) = (tree("s: ENC[PKCS7,AAAA]\nt: 1\n"), tree("s: plain\nt: 1\nu: 2\n"));
        assert!((likeness(&a, &b) - 2.0 / 3.0).abs() < 1e-9);
        assert!(likeness(&a, &tree("x: 1\n")) < 1e-9);
        assert!(likeness(&tree(""), &tree("")) < 1e-9);
    }

    #[test]
    fn deep_documents_are_gone_through() {
        let deep = |text: &str| format!("{}{text}{}\n", "[".repeat(200), "]".repeat(200));
        assert_eq!(told(&deep("'ENC[PKCS7,AAAA]'"), &deep("plain")).len(), 1);
    }
}
