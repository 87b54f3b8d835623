//! Tags and quotes after an edit of data: the text gets those of the value that was given, which data do not have.

use hierarch_source::{Result, Source};
use rustc_hash::FxHashMap;

use super::path::find_at;
use super::respell::in_column;
use crate::emit::{self, Layout, Spot};
use crate::issues;
use crate::limits::DocumentLimits;
use crate::node::{Dialect, Kind, NodeId, Style, Tree};
use crate::scan::read;
use crate::schema::{Scalar, is_date, spelled_otherwise};
use crate::spelled::tag_words;

/// How far a text follows what was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fidelity {
    /// Quotes that stand there may stay, as those of any value that is edited.
    Loose,
    /// What has no quotes gets none.
    Exact,
    /// Nothing stood there: every word is the one that was given.
    Fresh,
}

impl Fidelity {
    /// Tells whether a text that was given without quotes may have some: those that stood there, and those without which it
    /// would not be a text to every reader. A date is one only with quotes, and may be meant.
    pub fn lets_quotes_stay(self, tree: &Tree, given: NodeId) -> bool {
        self == Self::Loose || (self == Self::Fresh && tree.is_text(given) && !is_date(tree, given))
    }
}

/// A value as it was given, and the path of keys and positions that it was written to; `-` is the last item.
#[derive(Clone, Debug)]
pub struct GivenValue<'a> {
    /// Where it is.
    pub path: Vec<String>,
    /// What was given.
    pub tree: &'a Tree,
    /// The value in it.
    pub node: NodeId,
}

/// Returns a text, whose data are as they shall be, with the tags and the quotes that were given in the document at a position.
/// A tag that cannot be written is an error; what a directive brings, and does not stand in the text, is not looked at.
///
/// ```
/// use hierarch_source::Source;
/// use hierarch_yaml::{Dialect, DocumentLimits, Fidelity, GivenValue, dressed, read};
///
/// let tree = read(&Source::unnamed("[!GetAtt x, 'yes']"), Dialect::Core, DocumentLimits::default())?;
/// let given = GivenValue { path: vec!["a".to_owned()], tree: &tree, node: tree.root().unwrap() };
/// let text = dressed("a:\n- !Ref x # one\n- yes\n", 0, &[given], Fidelity::Loose)?;
/// assert_eq!(text, "a:\n- !GetAtt x # one\n- 'yes'\n");
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn dressed(text: &str, position: usize, given: &[GivenValue], fidelity: Fidelity) -> Result<String> {
    let dialect = given.first().map_or(Dialect::Core, |value| value.tree.dialect());
    let tree = read(&Source::unnamed(text), dialect, DocumentLimits::default())?;
    let mut dresser = Dresser { tree: &tree, text, fidelity, edits: Vec::new(), respelled: Vec::new() };
    for value in given {
        let found = tree.roots().get(position).and_then(|&root| place(&tree, root, &value.path));
        match found.filter(|&node| means(&tree, node, value)) {
            Some(node) => dresser.walk(node, value.tree, value.node, &mut pointer(&value.path))?,
            // A whole document may stand in others that it includes.
            None if value.path.is_empty() => {
                let root = tree.roots().get(position).copied();
                root.map_or(Ok(()), |root| dresser.walk(root, value.tree, value.node, &mut String::new()))?;
            }
            None => {
                if let Some(tag) = first_tag(value.tree, value.node) {
                    return Err(issues::tag_not_written(&tag_words(tag), &pointer(&value.path)));
                }
            }
        }
    }
    dresser.finish(position, given)
}

/// What becomes of a tag.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TagChange {
    /// It stays, or there is none.
    #[default]
    Keep,
    /// It goes.
    Remove,
    /// It becomes this one.
    Set(String),
}

impl TagChange {
    /// Returns the change to a tag, or to none.
    pub fn to(tag: Option<&str>) -> Self {
        tag.map_or(Self::Remove, |tag| Self::Set(tag.to_owned()))
    }
}

/// The tag and the words that a node shall have.
#[derive(Clone, Debug, Default)]
pub struct Rewording {
    /// Its tag.
    pub tag: TagChange,
    /// The words of a scalar, in one line, which mean the same.
    pub words: Option<String>,
}

/// Returns the text of a tree with other tags and words for some of its nodes; `None` if that cannot be written without changing
/// something else.
///
/// ```
/// use hierarch_source::Source;
/// use hierarch_yaml::{Dialect, DocumentLimits, Rewording, TagChange, find_at, read, reworded};
///
/// let tree = read(&Source::unnamed("a: 644 # all\n"), Dialect::Core, DocumentLimits::default())?;
/// let node = find_at(&tree, tree.root().unwrap(), &["a"])?;
/// let rewording = Rewording { tag: TagChange::to(Some("!Mode")), words: Some("0644".to_owned()) };
/// assert_eq!(reworded(&tree, vec![(node, rewording)]).as_deref(), Some("a: !Mode 0644 # all\n"));
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn reworded(tree: &Tree, wanted: Vec<(NodeId, Rewording)>) -> Option<String> {
    let text = tree.source().text();
    let fidelity = Fidelity::Exact;
    let mut dresser = Dresser { tree, text, fidelity, edits: Vec::new(), respelled: Vec::new() };
    for (node, Rewording { tag, words }) in wanted {
        match tag {
            TagChange::Keep => {}
            TagChange::Remove => dresser.tag(node, None)?,
            TagChange::Set(tag) => dresser.tag(node, Some(&tag))?,
        }
        if let Some(words) = words {
            dresser.write(node, words)?;
        }
    }
    dresser.new_text().map(|(text, _)| text)
}

fn pointer(path: &[String]) -> String {
    path.iter().map(|segment| format!("/{}", segment.replace('~', "~0").replace('/', "~1"))).collect()
}

fn place(tree: &Tree, root: NodeId, path: &[String]) -> Option<NodeId> {
    path.iter().try_fold(root, |node, segment| match (tree.kind(node), segment.as_str()) {
        (Kind::List, "-") => tree.children(node).last().copied(),
        (_, segment) => find_at(tree, node, &[segment]).ok(),
    })
}

fn means(tree: &Tree, node: NodeId, given: &GivenValue) -> bool {
    let limits = DocumentLimits::default();
    match (tree.data(node, limits), given.tree.data(given.node, limits)) {
        (Ok(found), Ok(wanted)) => found.means(&wanted),
        _ => false,
    }
}

/// Finds a tag that is not YAML's own in a value.
fn first_tag(tree: &Tree, node: NodeId) -> Option<&str> {
    let node = tree.target(node);
    tree.own_tag(node).or_else(|| tree.children(node).iter().find_map(|&child| first_tag(tree, child)))
}

struct Dresser<'t> {
    tree: &'t Tree,
    text: &'t str,
    fidelity: Fidelity,
    /// Ranges with what replaces them, what is outside before what is inside.
    edits: Vec<(usize, usize, String)>,
    respelled: Vec<NodeId>,
}

impl Dresser<'_> {
    fn walk(&mut self, node: NodeId, given: &Tree, wanted: NodeId, path: &mut String) -> Result<()> {
        let wanted = given.target(wanted);
        if self.tree.kind(node) == Kind::Alias {
            return self.check_alias(node, given, wanted, path);
        }
        let (old, new) = (self.tree.own_tag(node), given.own_tag(wanted));
        // A tag that stands at what an edit left is taken away only by a whole new content.
        if old != new && (new.is_some() || self.fidelity != Fidelity::Loose) {
            self.tag(node, new).ok_or_else(|| {
                issues::tag_not_written(&tag_words(new.or(old).unwrap_or_default()), path)
                    .at(self.tree.source(), self.tree.span(node))
            })?;
        }
        let length = path.len();
        match (self.tree.kind(node), given.kind(wanted)) {
            (Kind::Scalar, Kind::Scalar) => self.spell(node, given, wanted),
            (Kind::List, Kind::List) => {
                let pairs = self.tree.children(node).iter().zip(given.children(wanted)).enumerate();
                for (index, (&item, &wanted)) in pairs {
                    path.push_str(&format!("/{index}"));
                    self.walk(item, given, wanted, path)?;
                    path.truncate(length);
                }
            }
            (Kind::Map, Kind::Map) => {
                let (tree, values) = (self.tree, values_by_key(given, wanted));
                for (key, value) in tree.entries(node) {
                    let Some(&wanted) = key_text(tree, key).and_then(|text| values.get(text)) else {
                        continue;
                    };
                    path.push_str(&pointer(&[tree.text(tree.target(key)).to_owned()]));
                    self.walk(value, given, wanted, path)?;
                    path.truncate(length);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What an alias stands for has its tags elsewhere.
    fn check_alias(&self, node: NodeId, given: &Tree, wanted: NodeId, path: &str) -> Result<()> {
        match other_tag((self.tree, self.tree.target(node)), (given, wanted)) {
            Some(tag) => {
                Err(issues::tag_not_written(&tag_words(&tag), path)
                    .at(self.tree.source(), self.tree.span(node)))
            }
            None => Ok(()),
        }
    }

    /// Gives a scalar the words that were given, where they mean something else to other readers.
    fn spell(&mut self, node: NodeId, given: &Tree, wanted: NodeId) {
        let is_quoted = self.tree.style(node) != Style::Plain;
        let goes_bare = given.style(wanted) == Style::Plain && given.tag(wanted).is_none();
        if (is_quoted && goes_bare && self.fidelity.lets_quotes_stay(given, wanted))
            || (self.tree.spelling(node).is_none() && !self.tree.span(node).is_empty())
        {
            return;
        }
        let is_text = matches!(given.scalar(wanted), Ok(Scalar::Str(_)));
        if spelled_otherwise((self.tree, node), (given, wanted))
            || (!is_text && self.fidelity != Fidelity::Exact)
        {
            let stands = verbatim_words(self.tree, node);
            let words = scalar_words(given, wanted).filter(|words| stands.as_ref() != Some(words));
            // A scalar has a place for its words.
            words.and_then(|words| self.write(node, words)).unwrap_or_default();
        }
    }

    /// Plans that a scalar gets other words; several lines stand below what holds it.
    fn write(&mut self, node: NodeId, words: String) -> Option<()> {
        let span = self.tree.span(node);
        let (start, end) = (span.start as usize, span.end as usize);
        let (parent, slot) = self.tree.parent(node)?;
        // A tag of YAML's own may stand there already.
        let bare = words.strip_prefix("!!").filter(|_| self.tree.tag(node).is_some());
        let words = bare.and_then(|words| Some(words.split_once(' ')?.1.to_owned())).unwrap_or(words);
        let words = match words.split_once('\n') {
            Some((head, lines)) => self.below(parent, head, lines),
            None => words,
        };
        if span.is_empty() {
            let hook = self.hook(parent, slot, start)?;
            self.edits.push((hook, hook, format!(" {words}")));
        } else {
            let (range, words) = in_column(self.text, start..end, words);
            self.edits.push((range.start, range.end, words));
        }
        self.respelled.push(node);
        Some(())
    }

    /// The lines of a block in a collection.
    fn below(&self, parent: NodeId, head: &str, lines: &str) -> String {
        let start = self.tree.span(parent).start as usize;
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let newline = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let pad = " ".repeat(self.text[line..start].chars().count() + 2);
        let pad = |line: &str| if line.is_empty() { String::new() } else { format!("{pad}{line}") };
        let lines: Vec<String> = lines.split('\n').map(pad).collect();
        format!("{head}{newline}{}", lines.join(newline))
    }

    /// Plans that a node gets another tag, or none.
    fn tag(&mut self, node: NodeId, tag: Option<&str>) -> Option<()> {
        let words = tag.map(tag_words);
        match (self.old_tag(node), words) {
            (Some((start, end)), Some(words)) => self.edits.push((start, end, words)),
            (Some((start, end)), None) => {
                let rest = self.text.get(end..)?;
                let blanks = rest.len() - rest.trim_start_matches(' ').len();
                // Behind a tag that ends its line the blank before it goes.
                let is_last =
                    rest[blanks..].is_empty() || rest[blanks..].starts_with(['\r', '\n', ',', ']', '}']);
                let before = usize::from(is_last && self.text[..start].ends_with(' '));
                let behind = if is_last { 0 } else { blanks };
                self.edits.push((start - before, end + behind, String::new()));
            }
            (None, Some(words)) => self.add_tag(node, &words)?,
            (None, None) => {}
        }
        Some(())
    }

    /// Finds the words of the tag that stands before a node.
    fn old_tag(&self, node: NodeId) -> Option<(usize, usize)> {
        let props = self.tree.props(node)?;
        let (start, end) = (props.span.start as usize, self.tree.span(node).start as usize);
        let end = end.max(props.span.end as usize);
        let mut at = start;
        for token in self.text.get(start..end)?.split([' ', '\t', '\r', '\n']) {
            match token.as_bytes().first() {
                Some(b'!') => return Some((at, at + token.len())),
                Some(b'#') => return None,
                _ => at += token.len() + 1,
            }
        }
        None
    }

    fn add_tag(&mut self, node: NodeId, words: &str) -> Option<()> {
        let span = self.tree.span(node);
        let start = span.start as usize;
        if let Some(props) = self.tree.props(node) {
            let all = self.text.get(props.span.start as usize..props.span.end as usize)?;
            let end = props.span.start as usize + all.trim_end().len();
            self.edits.push((end, end, format!(" {words}")));
            return Some(());
        }
        let is_block = self.tree.style(node) == Style::Block;
        if !is_block && !span.is_empty() {
            self.edits.push((start, start, format!("{words} ")));
            return Some(());
        }
        let Some((parent, slot)) = self.tree.parent(node) else { return self.tag_top(start, words) };
        let hook = self.hook(parent, slot, start)?;
        let newline = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        if is_block && !self.text.get(hook..start)?.contains('\n') {
            let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
            let pad = " ".repeat(self.text[line..start].chars().count());
            self.edits.push((start, start, format!("{words}{newline}{pad}")));
        } else {
            self.edits.push((hook, hook, format!(" {words}")));
        }
        Some(())
    }

    /// Returns the end of the colon or dash that a value hangs on.
    fn hook(&self, parent: NodeId, slot: usize, start: usize) -> Option<usize> {
        if self.tree.kind(parent) == Kind::Map {
            let key = self.tree.children(parent)[slot.checked_sub(1)?];
            let end = self.tree.span(key).end as usize;
            let rest = self.text.get(end..)?;
            return rest
                .trim_start_matches(' ')
                .starts_with(':')
                .then(|| end + rest.find(':').unwrap_or(0) + 1);
        }
        let before = self.text.get(..start)?;
        let line = before.trim_end_matches([' ', '\r', '\n']);
        line.ends_with('-').then_some(line.len())
    }

    /// A block at the top has its tag behind the `---` in front of it.
    fn tag_top(&mut self, start: usize, words: &str) -> Option<()> {
        let before = self.text.get(..start)?;
        let newline = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let mark = before.rfind("---").filter(|&at| at == 0 || before[..at].ends_with('\n'));
        if let Some(at) = mark {
            self.edits.push((at + 3, at + 3, format!(" {words}")));
        } else {
            let line = before.rfind('\n').map_or(0, |at| at + 1);
            self.edits.push((line, line, format!("--- {words}{newline}")));
        }
        Some(())
    }

    /// Makes the edits, and looks whether they changed words alone.
    fn new_text(&mut self) -> Option<(String, Tree)> {
        self.respelled.sort_unstable();
        let mut new = self.text.to_owned();
        self.edits.sort_by_key(|&(start, ..)| start);
        for (start, end, words) in self.edits.iter().rev() {
            new.replace_range(*start..*end, words);
        }
        let again =
            read(&Source::unnamed(new.as_str()), self.tree.dialect(), DocumentLimits::default()).ok()?;
        let is_same = again.len() == self.tree.len()
            && again.roots() == self.tree.roots()
            && (0..again.len()).map(NodeId::from_index).all(|node| self.is_kept(node, &again));
        is_same.then_some((new, again))
    }

    /// Makes the edits, and looks whether they did what they should and nothing else.
    fn finish(mut self, position: usize, given: &[GivenValue]) -> Result<String> {
        if self.edits.is_empty() {
            return Ok(self.text.to_owned());
        }
        let tag = given.iter().find_map(|value| first_tag(value.tree, value.node)).map(tag_words);
        let refused = || {
            let path = given.first().map(|value| pointer(&value.path)).unwrap_or_default();
            issues::tag_not_written(tag.as_deref().unwrap_or_default(), &path)
        };
        let Some((new, again)) = self.new_text() else {
            // Words alone are no reason to refuse.
            return if tag.is_none() { Ok(self.text.to_owned()) } else { Err(refused()) };
        };
        let mut check =
            Dresser { tree: &again, text: &new, fidelity: self.fidelity, edits: vec![], respelled: vec![] };
        let root = again.roots().get(position).copied();
        for value in given {
            let found = root.and_then(|root| place(&again, root, &value.path));
            if let Some(node) = found.filter(|&node| value.path.is_empty() || means(&again, node, value)) {
                check.walk(node, value.tree, value.node, &mut String::new())?;
            }
        }
        if check.edits.is_empty() { Ok(new) } else { Err(refused()) }
    }

    fn means_the_same(&self, node: NodeId, again: &Tree) -> bool {
        let is_said = || matches!((again.scalar(node), self.tree.scalar(node)), (Ok(a), Ok(b)) if a == b);
        self.respelled.binary_search(&node).is_ok() && is_said()
    }

    fn is_kept(&self, node: NodeId, again: &Tree) -> bool {
        again.kind(node) == self.tree.kind(node)
            && again.anchor(node) == self.tree.anchor(node)
            && again.children(node) == self.tree.children(node)
            && (again.text(node) == self.tree.text(node) || self.means_the_same(node, again))
    }
}

/// The values of a map by the texts of their keys; of a repeated one the last.
fn values_by_key(tree: &Tree, map: NodeId) -> FxHashMap<&str, NodeId> {
    tree.entries(map).filter_map(|(key, value)| Some((key_text(tree, key)?, value))).collect()
}

fn key_text(tree: &Tree, key: NodeId) -> Option<&str> {
    let key = tree.target(key);
    (tree.kind(key) == Kind::Scalar).then(|| tree.text(key))
}

/// Finds a tag that two values do not both have.
fn other_tag((a, node): (&Tree, NodeId), (b, other): (&Tree, NodeId)) -> Option<String> {
    let (node, other) = (a.target(node), b.target(other));
    let (old, new) = (a.own_tag(node), b.own_tag(other));
    if old != new {
        return new.or(old).map(str::to_owned);
    }
    match (a.kind(node), b.kind(other)) {
        (Kind::List, Kind::List) => {
            let mut pairs = a.children(node).iter().zip(b.children(other));
            pairs.find_map(|(&item, &wanted)| other_tag((a, item), (b, wanted)))
        }
        (Kind::Map, Kind::Map) => {
            let values = values_by_key(b, other);
            let wanted = |key| key_text(a, key).and_then(|text| values.get(text).copied());
            a.entries(node).find_map(|(key, value)| other_tag((a, value), (b, wanted(key)?)))
        }
        _ => None,
    }
}

/// Returns the words of a scalar that was given, which stand in one line; quotes where a tag of YAML says that it is a text.
pub fn scalar_words(given: &Tree, wanted: NodeId) -> Option<String> {
    let is_said = given.tag(wanted).is_some() && given.own_tag(wanted).is_none();
    match given.scalar(wanted) {
        Ok(scalar @ Scalar::Str(_)) if is_said && given.style(wanted) == Style::Plain => {
            Some(emit::scalar(&scalar, Some(Style::Single), Spot::Flow, &Layout::default()))
        }
        _ if is_said => verbatim_words(given, wanted),
        _ => given.spelling(wanted).map(str::to_owned),
    }
}

/// Returns the words of a scalar as they stand, with a tag of YAML's own: `0x1F`, `!!float 5`, and of a block its sign and its lines
/// without their indentation.
pub fn verbatim_words(tree: &Tree, node: NodeId) -> Option<String> {
    let words = match tree.block_spelling(node) {
        Some((sign, lines)) => format!("{sign}\n{}", lines.join("\n")),
        None => tree.spelling(node)?.to_owned(),
    };
    let tag = tree.tag(node).and_then(|tag| tag.strip_prefix("tag:yaml.org,2002:"));
    Some(match tag {
        Some(name) => format!("!!{name} {words}"),
        None => words,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        read(&Source::unnamed(text), Dialect::Core, DocumentLimits::default()).expect("a document")
    }

    /// Dresses a text in a value that was given for a path.
    fn dress(text: &str, path: &[&str], value: &str, fidelity: Fidelity) -> Result<String> {
        let given = tree(value);
        let path = path.iter().map(|segment| (*segment).to_owned()).collect();
        let node = given.root().expect("a value");
        dressed(text, 0, &[GivenValue { path, tree: &given, node }], fidelity)
    }

    fn check(text: &str, path: &[&str], value: &str, expected: &str) {
        assert_eq!(dress(text, path, value, Fidelity::Loose).ok().as_deref(), Some(expected), "{value}");
    }

    #[test]
    fn tags_stand_where_yaml_wants_them() {
        check("a: x # c\n", &["a"], "!T x", "a: !T x # c\n");
        check("a: !O x\n", &["a"], "!T x", "a: !T x\n");
        check("a: &n x\n", &["a"], "!T x", "a: &n !T x\n");
        check("a:\n", &["a"], "!T", "a: !T\n");
        check("a: # c\n  k: 1\n", &["a"], "!T {k: 1}", "a: !T # c\n  k: 1\n");
        check("- a: 1\n  b: 2\n", &["0"], "!T {a: 1, b: 2}", "- !T\n  a: 1\n  b: 2\n");
        check("l: [x, y]\n", &["l", "1"], "!T y", "l: [x, !T y]\n");
        check("l: [x, y]\n", &["l", "-"], "!T y", "l: [x, !T y]\n");
        check("a: 1\n", &[], "!T {a: 1}", "--- !T\na: 1\n");
        check("---\na: 1\n", &[], "!T {a: 1}", "--- !T\na: 1\n");
        check("a: |\n  x\n  y\n", &["a"], "!T \"x\\ny\\n\"", "a: !T |\n  x\n  y\n");
        check("a: {k: 1}\r\n", &["a", "k"], "!<tag:e.com,2000:t> 1", "a: {k: !<tag:e.com,2000:t> 1}\r\n");
    }

    #[test]
    fn words_that_matter_to_other_readers_are_written() {
        check("a: 644 # c\n", &["a"], "0644", "a: 0644 # c\n");
        check("a: 1.1\n", &["a"], "1.10", "a: 1.10\n");
        check("a: yes\n", &["a"], "'yes'", "a: 'yes'\n");
        check("a: yes\n", &["a"], "!!str yes", "a: 'yes'\n");
        check("a: 31\n", &["a"], "0x1F", "a: 0x1F\n");
        check("a: [1000.0]\n", &["a"], "[1e3]", "a: [1e3]\n");
        check("a: 5.0\n", &["a"], "!!float 5", "a: !!float 5\n");
        check("a: 5.0 # c\n", &["a"], "5.00", "a: 5.00 # c\n");
        // Those that mean the same to all stay as they stand.
        check("a: word\n", &["a"], "\"word\"", "a: word\n");
        check("a: 'yes'\n", &["a"], "yes", "a: 'yes'\n");
    }

    #[test]
    fn a_whole_new_content_takes_tags_and_quotes_away() {
        for (text, value, expected) in [
            ("a: !O x # c\n", "a: x\n", "a: x # c\n"),
            ("a: 'yes'\n", "a: yes\n", "a: yes\n"),
            ("l: [!O x, y]\n", "l: [x, y]\n", "l: [x, y]\n"),
            ("a: !O\n", "a:\n", "a:\n"),
        ] {
            assert_eq!(dress(text, &[], value, Fidelity::Exact).ok().as_deref(), Some(expected), "{text}");
            assert_eq!(dress(text, &[], value, Fidelity::Loose).ok().as_deref(), Some(text), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        for (text, path, value) in [
            // Nothing stands there, or something else.
            ("a: 1\n", &["b"][..], "!T 1"),
            ("a: 1\n", &["a"], "!T 2"),
            // An alias has its tag elsewhere.
            ("a: &x 1\nb: *x\n", &["b"], "!T 1"),
            // A key in several lines has no place for it.
            ("? a\n:\n  k: 1\n", &["a"], "!T {k: 1}"),
        ] {
            let error = dress(text, path, value, Fidelity::Loose).expect_err(value);
            assert_eq!(error.code, "YAML_TAG_NOT_WRITTEN", "{text}");
        }
        // Words alone are no reason to refuse.
        assert_eq!(dress("a: 1\n", &["b"], "0644", Fidelity::Loose).ok().as_deref(), Some("a: 1\n"));
    }

    #[test]
    fn nodes_are_reworded_only_where_nothing_else_changes() {
        let text = "a: 644 # c\nl: [x, 1.1]\nm: !M {k: 1}\n";
        let tree = tree(text);
        let at = |path: &[&str]| find_at(&tree, tree.root().expect("a map"), path).expect("a place");
        let words = |words: &str| Rewording { words: Some(words.to_owned()), ..Rewording::default() };
        let tag = |tag| Rewording { tag: TagChange::to(tag), ..Rewording::default() };
        let wanted =
            vec![(at(&["l", "1"]), words("1.10")), (at(&["a"]), words("0644")), (at(&["m"]), tag(None))];
        let expected = "a: 0644 # c\nl: [x, 1.10]\nm: {k: 1}\n";
        assert_eq!(reworded(&tree, wanted).as_deref(), Some(expected));
        let tagged = reworded(&tree, vec![(at(&["l"]), tag(Some("!L"))), (at(&["m", "k"]), tag(Some("!K")))]);
        assert_eq!(tagged.as_deref(), Some("a: 644 # c\nl: !L [x, 1.1]\nm: !M {k: !K 1}\n"));
        for spill in ["x, y", "x]", "a: b", "# no", "", "*n"] {
            assert_eq!(reworded(&tree, vec![(at(&["l", "1"]), words(spill))]), None, "{spill}");
        }
    }
}
