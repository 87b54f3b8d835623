//! Words after a save: tags, quotes and spellings, which data do not have. What was edited gets those that were given, and every
//! other value keeps its own, also where it had to be written out. Where a directive brings the same data in other words, an
//! own entry is written over it.

use std::sync::Arc;

use hierarch_source::{Result, Source, pointer};
use hierarch_yaml::{
    Data, DocumentLimits, Edit, Fidelity, GivenValue, Kind, NodeId, Rewording, Scalar, Style, TagChange,
    Tree, find_at, read, reworded, scalar_words, spelled_otherwise, tag_words, verbatim_words,
};

use crate::document::Document;
use crate::edit::segments;
use crate::forest::{Forest, Val};
use crate::include::parse;
use crate::issues;

/// So often a text is written anew for the words of what others bring, or reworded.
const ROUNDS: usize = 4;

/// So often words that do not matter are tried, in ever smaller groups.
const MOST_TRIES: usize = 32;

impl Document<'_> {
    /// Returns the text that expands to the edited data, with the directives that still apply, and with the words of the values
    /// that were given for places of it. What cannot be written in its words is an error.
    ///
    /// ```
    /// use std::path::Path;
    /// use hierarch_compose::{Access, Document, Edit};
    /// use hierarch_source::{MemoryFiles, Source};
    /// use hierarch_yaml::{Data, Dialect, DocumentLimits, Fidelity, GivenValue, read};
    ///
    /// let files = MemoryFiles::from([("main.yaml", "base: {x: a}\nuse:\n  +/base:\n")]);
    /// let access = Access::default();
    /// let mut document = Document::open(&files, Path::new("main.yaml"), &access)?;
    /// let edited = document.with("/use/x", Edit::Set(Data::text("a")))?;
    /// let tree = read(&Source::unnamed("!Ref a"), Dialect::Core, DocumentLimits::default())?;
    /// let path = vec!["use".to_owned(), "x".to_owned()];
    /// let given = GivenValue { path, tree: &tree, node: tree.root().unwrap() };
    /// let text = document.save_in_words(edited, &[given], Fidelity::Loose)?;
    /// assert_eq!(text, "base: {x: a}\nuse:\n  +/base:\n  x: !Ref a\n");
    /// # Ok::<(), hierarch_source::Error>(())
    /// ```
    pub fn save_in_words(&mut self, edited: Val, given: &[GivenValue], fidelity: Fidelity) -> Result<String> {
        let saved = self.save_data(edited)?;
        if saved.is_in_place && given.is_empty() {
            return Ok(saved.text);
        }
        let given = Given { values: given, fidelity };
        let mut text = saved.text;
        let first = self.otherwise(&text, edited, &given)?;
        if is_like_json(&first.tree) {
            return Ok(text);
        }
        if first.words.is_empty() {
            return Ok(first.in_finer_words(text));
        }
        let refused = first.words[0].refused();
        let mut brought = Vec::new();
        let mut wanted = first;
        // Words that change at a definition may change for its users, which then get their own.
        for _ in 0..ROUNDS {
            let (here, elsewhere) = wanted.parted();
            if elsewhere.is_empty() {
                let Some(new) = reworded(&wanted.tree, here) else { break };
                text = new;
            } else {
                brought.extend(elsewhere);
                text = self.written_over(edited, &brought)?;
            }
            wanted = self.otherwise(&text, edited, &given)?;
            if wanted.words.is_empty() {
                let is_said = self.forest().same(wanted.value, edited);
                return if is_said { Ok(wanted.in_finer_words(text)) } else { Err(refused) };
            }
        }
        Err(refused)
    }

    /// Returns an edited expansion in which what is the same data as before, in its place, is what was written there: it keeps
    /// its words.
    pub fn as_written(&mut self, edited: Val) -> Result<Val> {
        self.expander.forest.as_written(self.value, edited)
    }

    /// Tells whether values may stand elsewhere than where they are in the expansion: directives or merge keys bring them.
    pub fn has_directives(&self) -> bool {
        self.forest().root(0).is_some_and(|root| self.forest().is_active(root))
    }

    /// Returns a pointer in which `-`, the place behind the last item, is the position of what an edit put there.
    pub fn settled_pointer(&self, pointer: &str) -> String {
        let Ok(mut path) = segments(pointer) else { return pointer.to_owned() };
        match self.forest().resolved(self.edited.unwrap_or(self.value), &mut path) {
            Some(_) => below_top(&path),
            None => pointer.to_owned(),
        }
    }

    fn parsed(&self, text: &str) -> Result<Tree> {
        parse(&Source::unnamed(text), self.expander.access())
    }

    /// Expands a text of this document, and finds what it says in other words than is wanted.
    fn otherwise(&mut self, text: &str, edited: Val, given: &Given) -> Result<Otherwise> {
        let tree = Arc::new(self.parsed(text)?);
        let main = self.expander.main;
        let result = self.expander.restart(&tree).and_then(|()| self.expander.run());
        let doc = self.expander.main.doc;
        self.expander.return_to(main);
        let value = result?;
        let mut search = Search::new(self, &tree, doc);
        search.kept(edited, value, &mut Vec::new());
        for wish in given.values {
            let mut path = wish.path.clone();
            if let Some(at) = search.forest.resolved(value, &mut path) {
                search.given((wish.tree, wish.node), given.fidelity, at, &mut path);
            }
        }
        let Search { found: words, finer, .. } = search;
        Ok(Otherwise { tree, value, words, finer })
    }

    /// Saves an expansion with marks in the place of values, so that each is written though a directive brings it, and writes the
    /// words of the values over the marks.
    fn written_over(&mut self, edited: Val, brought: &[Words]) -> Result<String> {
        let mark = |number: usize| format!("hierarch-words-{number}-");
        let mut edits = Vec::new();
        for (number, words) in brought.iter().enumerate() {
            words.alone.as_ref().ok_or_else(|| words.refused())?;
            edits.push((words.pointer(), Edit::Set(Data::text(mark(number)))));
        }
        let before = self.edited.replace(edited);
        let marked = self.with_all(&edits);
        self.edited = before;
        let mut text = self.save_data(marked?)?.text;
        let tree = self.parsed(&text)?;
        let mut spots = Vec::new();
        for node in (0..tree.len()).map(NodeId::from_index) {
            let is_mark = tree.kind(node) == Kind::Scalar && tree.text(node).starts_with("hierarch-words-");
            let number = (0..brought.len()).find(|&number| is_mark && tree.text(node) == mark(number));
            spots.extend(number.map(|number| (tree.span(node).range(), &brought[number].alone)));
        }
        spots.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        for (range, words) in spots {
            text.replace_range(range, words.as_deref().unwrap_or_default());
        }
        Ok(text)
    }
}

fn below_top(path: &[String]) -> String {
    path.iter().fold(String::new(), |path, segment| pointer::below(&path, segment))
}

/// JSON has neither tags nor other spellings.
fn is_like_json(tree: &Tree) -> bool {
    let Some(root) = tree.root() else { return false };
    let is_quoted = |key: &NodeId| tree.style(*key) == Style::Double;
    tree.style(root) == Style::Flow && tree.children(root).first().is_some_and(is_quoted)
}

struct Given<'g> {
    values: &'g [GivenValue<'g>],
    fidelity: Fidelity,
}

/// A text that was saved, what it expands to, and what it says in other words than is wanted.
struct Otherwise {
    tree: Arc<Tree>,
    value: Val,
    words: Vec<Words>,
    /// Words that mean the same to every reader, and are not those that were written or given.
    finer: Vec<(NodeId, Rewording)>,
}

impl Otherwise {
    /// Returns the text with the words that do not matter as far as they can stand where they are: brackets have no place for
    /// some of them.
    fn in_finer_words(self, text: String) -> String {
        let mut waiting = vec![&self.finer[..]];
        let mut known: Option<(String, Tree)> = None;
        for _ in 0..MOST_TRIES {
            let Some(part) = waiting.pop() else { break };
            let tree = known.as_ref().map_or(&*self.tree, |(_, tree)| tree);
            match reworded(tree, part.to_vec()).map(|new| (reread(tree, &new), new)) {
                // The nodes of a text in other words are those that they were.
                Some((Some(again), new)) => known = Some((new, again)),
                _ if part.len() > 1 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    waiting.extend([second, first]);
                }
                _ => {}
            }
        }
        known.map_or(text, |(text, _)| text)
    }

    /// Takes what stands in the text where it is in the expansion, and what does not.
    fn parted(&mut self) -> (Vec<(NodeId, Rewording)>, Vec<Words>) {
        let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
        for words in std::mem::take(&mut self.words) {
            match words.at {
                Some(node) => here.push((node, words.rewording)),
                None => elsewhere.push(words),
            }
        }
        (here, elsewhere)
    }
}

/// Words that a value of an expansion shall have.
struct Words {
    path: Vec<String>,
    /// The node of the text that it stands in, if nothing brings it.
    at: Option<NodeId>,
    rewording: Rewording,
    /// All of it in one line.
    alone: Option<String>,
}

impl Words {
    fn pointer(&self) -> String {
        below_top(&self.path)
    }

    fn refused(&self) -> hierarch_source::Error {
        let Rewording { tag, words } = &self.rewording;
        match (tag, words) {
            (TagChange::Set(tag), _) => issues::tag_not_written(&tag_words(tag), &self.pointer()),
            (_, Some(words)) => issues::words_not_written(words, &self.pointer()),
            _ => issues::words_not_written("a value without a tag", &self.pointer()),
        }
    }
}

fn reread(tree: &Tree, text: &str) -> Option<Tree> {
    read(&Source::unnamed(text), tree.dialect(), DocumentLimits::default()).ok()
}

struct Search<'s> {
    forest: &'s Forest,
    /// What the document expanded to before it was edited.
    before: Val,
    /// The text that was saved, and its number.
    tree: &'s Tree,
    doc: u32,
    /// Texts whose words do not count.
    planted: &'s [u32],
    found: Vec<Words>,
    finer: Vec<(NodeId, Rewording)>,
}

impl<'s> Search<'s> {
    fn new(document: &'s Document, tree: &'s Tree, doc: u32) -> Self {
        let (forest, before, planted) = (document.forest(), document.value, &document.planted);
        Self { forest, before, tree, doc, planted, found: Vec::new(), finer: Vec::new() }
    }

    /// Looks for words of an edited expansion that the result lacks.
    fn kept(&mut self, edited: Val, at: Val, path: &mut Vec<String>) {
        let forest = self.forest;
        let is_planted = edited.node().is_some_and(|(doc, _)| self.planted.contains(&doc));
        if is_planted || (edited.node().is_some() && edited.node() == at.node()) {
            return;
        }
        let (old, new) = (forest.tag(at), forest.tag(edited));
        let is_other_tag = old != new && (new.is_some() || edited.node().is_some());
        let spelled = edited
            .node()
            .filter(|&(doc, node)| self.is_spelled_otherwise(at, (forest.tree(doc), node), Fidelity::Exact));
        if is_other_tag || spelled.is_some() {
            let source = edited.node().map(|(doc, node)| (&**forest.tree(doc), node));
            let tag = if is_other_tag { TagChange::to(new) } else { TagChange::Keep };
            self.note(tag, source, spelled.is_some(), at, path);
        } else if let Some((doc, node)) = edited.node() {
            self.note_finer((forest.tree(doc), node), at, path);
        }
        match (forest.kind(edited), forest.kind(at)) {
            (Kind::Map, Kind::Map) => {
                for (index, (key, value)) in forest.entries(edited).enumerate() {
                    let Some(place) = forest.place_near(at, key, index) else { continue };
                    let (new_key, part) = forest.entry(at, place);
                    path.push(forest.text(key).into_owned());
                    self.kept_key(key, new_key, path);
                    self.kept(value, part, path);
                    path.pop();
                }
            }
            (Kind::List, Kind::List) => {
                for (number, (item, part)) in forest.items(edited).zip(forest.items(at)).enumerate() {
                    path.push(number.to_string());
                    self.kept(item, part, path);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    /// A key that was written anew has its old words: `on` and `'on'` are two keys to some readers.
    fn kept_key(&mut self, edited: Val, at: Val, path: &[String]) {
        let (Some((doc, node)), Some((new_doc, new))) = (edited.node(), at.node()) else { return };
        let wanted = (&**self.forest.tree(doc), node);
        if new_doc != self.doc || is_verbatim(wanted, (self.tree, new)) {
            return;
        }
        if self.is_spelled_otherwise(at, wanted, Fidelity::Exact) {
            let words = scalar_words(wanted.0, wanted.1);
            let rewording = Rewording { tag: TagChange::Keep, words };
            self.found.push(Words { path: path.to_vec(), at: Some(new), rewording, alone: None });
        } else if let Some(words) = verbatim_words(wanted.0, wanted.1) {
            self.finer.push((new, Rewording { tag: TagChange::Keep, words: Some(words) }));
        }
    }

    /// Looks for words of a value that was given which the result lacks.
    fn given(&mut self, wish: (&Tree, NodeId), fidelity: Fidelity, at: Val, path: &mut Vec<String>) {
        let (forest, tree) = (self.forest, wish.0);
        let node = tree.target(wish.1);
        // Another edit may have come after it.
        if forest.kind(at) == Kind::Scalar
            && tree.scalar(node).is_ok_and(|wanted| wanted != forest.scalar(at))
        {
            return;
        }
        let (old, new) = (forest.tag(at), tree.own_tag(node));
        // A tag that stands at what an edit left is taken away only by a whole new content.
        let is_other_tag = old != new && (new.is_some() || fidelity == Fidelity::Exact);
        let here = self.fidelity(fidelity, path);
        let is_spelled = self.is_spelled_otherwise(at, (tree, node), here);
        let is_text = matches!(tree.scalar(node), Ok(Scalar::Str(_)));
        if !is_other_tag && !is_spelled && !is_text && here != Fidelity::Exact {
            self.note_finer((tree, node), at, path);
        }
        if is_other_tag || is_spelled {
            let tag = if is_other_tag { TagChange::to(new) } else { TagChange::Keep };
            self.note(tag, Some((tree, node)), is_spelled, at, path);
        }
        match (forest.kind(at), tree.kind(node)) {
            (Kind::Map, Kind::Map) => {
                for (key, value) in tree.entries(node) {
                    let name = tree.text(tree.target(key));
                    let Some(part) = forest.find_text(at, name) else { continue };
                    path.push(name.to_owned());
                    self.given((tree, value), fidelity, part, path);
                    path.pop();
                }
            }
            (Kind::List, Kind::List) => {
                for (number, (part, &item)) in forest.items(at).zip(tree.children(node)).enumerate() {
                    path.push(number.to_string());
                    self.given((tree, item), fidelity, part, path);
                    path.pop();
                }
            }
            _ => {}
        }
    }

    /// Notes the words of a scalar that was written anew, if they are others than those that stand there now.
    fn note_finer(&mut self, wanted: (&Tree, NodeId), at: Val, path: &[String]) {
        let Some((doc, node)) = at.node().filter(|&(doc, _)| doc == self.doc) else { return };
        let tree = self.forest.tree(doc);
        let is_scalar = tree.kind(node) == Kind::Scalar && wanted.0.kind(wanted.1) == Kind::Scalar;
        if !is_scalar || is_verbatim(wanted, (tree, node)) {
            return;
        }
        let words = verbatim_words(wanted.0, wanted.1);
        if words != verbatim_words(tree, node) && self.own_node(at, path).is_some() && words.is_some() {
            self.finer.push((node, Rewording { tag: TagChange::Keep, words }));
        }
    }

    /// How far a given value is followed at a path: only quotes that stood there may stay.
    fn fidelity(&self, wanted: Fidelity, path: &[String]) -> Fidelity {
        let at = path.iter().try_fold(self.before, |at, segment| self.forest.child(at, segment));
        let style = at.map(|at| at.node().map(|(doc, node)| self.forest.tree(doc).style(node)));
        match (wanted, style) {
            (Fidelity::Loose, Some(Some(Style::Single | Style::Double))) => Fidelity::Loose,
            (Fidelity::Exact, Some(_)) => Fidelity::Exact,
            _ => Fidelity::Fresh,
        }
    }

    fn is_spelled_otherwise(&self, at: Val, wanted: (&Tree, NodeId), fidelity: Fidelity) -> bool {
        let (Some((doc, node)), Kind::Scalar) = (at.node(), wanted.0.kind(wanted.1)) else { return false };
        let tree = self.forest.tree(doc);
        let is_quoted = tree.style(node) != Style::Plain;
        let goes_bare = wanted.0.style(wanted.1) == Style::Plain && wanted.0.tag(wanted.1).is_none();
        // Quotes that stand there may stay.
        let may_stay = is_quoted && goes_bare && fidelity.lets_quotes_stay(wanted.0, wanted.1);
        tree.kind(node) == Kind::Scalar && !may_stay && spelled_otherwise((tree, node), wanted)
    }

    fn note(
        &mut self,
        tag: TagChange,
        source: Option<(&Tree, NodeId)>,
        is_spelled: bool,
        at: Val,
        path: &[String],
    ) {
        let scalar = source.filter(|(tree, node)| tree.kind(*node) == Kind::Scalar);
        let words = scalar.and_then(|(tree, node)| scalar_words(tree, node));
        let own_tag = source.and_then(|(tree, node)| tree.own_tag(node)).map(tag_words);
        let alone =
            words.as_ref().map(|words| own_tag.iter().chain([words]).cloned().collect::<Vec<_>>().join(" "));
        let rewording = Rewording { tag, words: words.filter(|_| is_spelled) };
        self.found.push(Words { path: path.to_vec(), at: self.own_node(at, path), rewording, alone });
    }

    /// The node that a value stands in, if it stands in the text where it is in the expansion.
    fn own_node(&self, at: Val, path: &[String]) -> Option<NodeId> {
        let (doc, node) = self.forest.written_as(at)?;
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let own = find_at(self.tree, self.tree.root()?, &path).ok()?;
        (doc == self.doc && own == node).then_some(node)
    }
}

/// Tells whether two scalars are the same words, at a glance.
fn is_verbatim((a, node): (&Tree, NodeId), (b, other): (&Tree, NodeId)) -> bool {
    a.tag(node) == b.tag(other) && a.source().slice(a.span(node)) == b.source().slice(b.span(other))
}

impl Forest {
    /// Returns what is at a path, in which `-`, the place behind the last item, becomes the position of what was put there.
    fn resolved(&self, top: Val, path: &mut [String]) -> Option<Val> {
        path.iter_mut().try_fold(top, |at, segment| {
            if segment == "-" && self.kind(at) == Kind::List {
                *segment = self.len(at).checked_sub(1)?.to_string();
            }
            self.child(at, segment)
        })
    }

    fn as_written(&mut self, old: Val, new: Val) -> Result<Val> {
        if self.same(old, new) {
            return Ok(old);
        }
        match (self.kind(old), self.kind(new)) {
            (Kind::Map, Kind::Map) => {
                let mut entries: Vec<(Val, Val)> = self.entries(new).collect();
                for (key, value) in &mut entries {
                    if let Some(old) = self.find(old, *key) {
                        *value = self.as_written(old, *value)?;
                    }
                }
                self.map(entries, Some(old))
            }
            (Kind::List, Kind::List) => {
                let olds: Vec<Val> = self.items(old).collect();
                let mut items: Vec<Val> = self.items(new).collect();
                for (item, &old) in items.iter_mut().zip(&olds) {
                    *item = self.as_written(old, *item)?;
                }
                self.list(items, Some(old))
            }
            _ => Ok(new),
        }
    }
}
