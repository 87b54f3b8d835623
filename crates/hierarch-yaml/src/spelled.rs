//! Data that is written as it was spelled: scalars in their own words, with their tags and comments.

use std::borrow::Cow;

use crate::emit::{self, Layout, Spot};
use crate::node::{Kind, NodeId, Style, Tree};
use crate::schema::Scalar;

/// A value with how it is written.
#[derive(Clone, Debug, Default)]
pub struct SpelledValue<'t> {
    /// Lines of comments above it.
    pub above: Vec<String>,
    /// The comment beside it.
    pub beside: Option<String>,
    /// A tag that is not YAML's own.
    pub tag: Option<String>,
    /// The value.
    pub content: Content<'t>,
}

/// What a spelled value is.
#[derive(Clone, Debug)]
pub enum Content<'t> {
    /// A scalar in its own words, which stand in one line.
    Words(Cow<'t, str>),
    /// A text of several lines as it stands in a block: its sign, without the number of an indentation, and its lines.
    Block(String, Vec<String>),
    /// A scalar that is written anew, in this style if it fits.
    Scalar(Scalar<'static>, Option<Style>),
    /// Items.
    List(Vec<SpelledValue<'t>>),
    /// Keys and values; comments are those of the key.
    Map(Vec<(SpelledValue<'t>, SpelledValue<'t>)>),
}

impl Default for Content<'_> {
    fn default() -> Self {
        Self::Scalar(Scalar::Null, None)
    }
}

impl SpelledValue<'_> {
    /// Gives up the borrow.
    pub fn into_owned(self) -> SpelledValue<'static> {
        let Self { above, beside, tag, content } = self;
        let content = match content {
            Content::Words(words) => Content::Words(words.into_owned().into()),
            Content::Block(sign, lines) => Content::Block(sign, lines),
            Content::Scalar(scalar, style) => Content::Scalar(scalar, style),
            Content::List(items) => Content::List(items.into_iter().map(Self::into_owned).collect()),
            Content::Map(entries) => {
                let owned = |(key, value): (Self, Self)| (key.into_owned(), value.into_owned());
                Content::Map(entries.into_iter().map(owned).collect())
            }
        };
        SpelledValue { above, beside, tag, content }
    }
}

impl Tree {
    /// Returns a scalar as it is spelled; `None` if it takes several lines, or is nothing at all.
    pub fn spelling(&self, id: NodeId) -> Option<&str> {
        if self.is_foreign {
            return None;
        }
        let one_line = matches!(self.style(id), Style::Plain | Style::Single | Style::Double);
        let text = self.source.slice(self.span(id));
        (self.kind(id) == Kind::Scalar && one_line && !text.is_empty() && !text.contains('\n'))
            .then_some(text)
    }

    /// Returns a block text as it stands: its sign, `|`, `>-`, and its lines without their indentation; `None` for anything
    /// else, and where line breaks at its end count.
    pub fn block_spelling(&self, id: NodeId) -> Option<(String, Vec<String>)> {
        let is_block = matches!(self.style(id), Style::Literal | Style::Folded) && !self.is_foreign;
        let text = self.text(id);
        if self.kind(id) != Kind::Scalar || !is_block || text.trim_matches([' ', '\n']).is_empty() {
            return None;
        }
        // Blanks at the end of the last line are the text's own.
        let span = self.span(id);
        let rest = &self.source.text()[span.end as usize..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let is_end = rest[blanks..].is_empty() || rest[blanks..].starts_with(['\r', '\n']);
        let end = span.end as usize + if is_end { blanks } else { 0 };
        let mut raw = self.source.text()[span.start as usize..end].lines();
        let sign: String = raw.next()?.chars().take_while(|sign| "|>+-0123456789".contains(*sign)).collect();
        let mut sign = sign.replace(|sign: char| sign.is_ascii_digit(), "");
        // At the end of a file without a last line break the text has none either.
        if !text.ends_with('\n') && !sign.contains(['-', '+']) {
            sign.push('-');
        }
        if sign.contains('+') || text.contains('\t') {
            return None;
        }
        let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let raw: Vec<&str> = raw.collect();
        let first = raw.iter().find(|line| !line.trim().is_empty())?;
        // The first line of the text shows how much of the blanks in front are the text's own.
        let own = text.lines().find(|line| !line.trim_matches(' ').is_empty()).map_or(0, blanks);
        let indentation = blanks(first).checked_sub(own)?;
        let mut lines: Vec<String> =
            raw.iter().map(|line| line.get(indentation..).unwrap_or_default().to_owned()).collect();
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        // Blanks that are no lines of a block to every reader may be the end of the text.
        let is_whole = lines.last().is_some_and(|last| text.trim_end_matches('\n').ends_with(last.as_str()));
        is_whole.then_some((sign, lines))
    }

    /// Returns a tag that is not YAML's own.
    pub fn own_tag(&self, id: NodeId) -> Option<&str> {
        self.tag(id).filter(|tag| !tag.starts_with("tag:yaml.org,2002:") && *tag != "!")
    }

    /// Tells whether anything has a tag that is not YAML's own.
    pub fn has_own_tags(&self) -> bool {
        // Most documents have neither tags nor anchors.
        !self.props.is_empty() && (0..self.len()).any(|at| self.own_tag(NodeId::from_index(at)).is_some())
    }

    /// Returns the value of a key in its map.
    pub fn value_of(&self, key: NodeId) -> Option<NodeId> {
        let (map, slot) = self.parent(key)?;
        self.children(map).get(slot + 1).copied().filter(|_| self.kind(map) == Kind::Map && slot % 2 == 0)
    }

    /// Returns where what a value has in its first line ends: all of it, or the sign of a block text; `None` if it stands
    /// in lines of its own.
    pub fn first_line_end(&self, value: NodeId) -> Option<u32> {
        let span = self.span(value);
        match self.style(value) {
            Style::Block => None,
            Style::Literal | Style::Folded => {
                let head = self.source.slice(span).lines().next().unwrap_or_default();
                Some(span.start + head.find([' ', '\t']).unwrap_or(head.len()) as u32)
            }
            _ => Some(span.end),
        }
    }

    /// Returns the comment lines above a node that begins its line, and the comment in the line that `end` is in.
    pub fn comments(&self, start: NodeId, end: u32) -> (Vec<String>, Option<String>) {
        let text = self.source.text();
        if self.is_foreign || !*self.has_signs.get_or_init(|| text.contains('#')) {
            return (Vec::new(), None);
        }
        let mut line = text[..self.outer_span(start).start as usize].rfind('\n').map_or(0, |at| at + 1);
        let begins =
            text[line..self.outer_span(start).start as usize].bytes().all(|b| matches!(b, b' ' | b'-'));
        let mut above = Vec::new();
        while begins && line > 0 {
            let before = text[..line - 1].rfind('\n').map_or(0, |at| at + 1);
            let comment = text[before..line].trim();
            if !comment.starts_with('#') {
                break;
            }
            above.insert(0, comment.to_owned());
            line = before;
        }
        let rest = text.get(end as usize..).unwrap_or_default().lines().next().unwrap_or_default();
        let beside = rest.trim_start_matches([' ', '\t', ',']);
        let beside =
            (beside.starts_with('#') && beside.len() < rest.len()).then(|| beside.trim_end().to_owned());
        (above, beside)
    }
}

/// Writes a whole document.
pub fn spelled_document(value: &SpelledValue, layout: &Layout) -> String {
    let mut text = String::new();
    for line in &value.above {
        text.push_str(line);
        text.push_str(layout.newline);
    }
    let writer = Writer { layout };
    match &value.content {
        Content::Map(entries) if !entries.is_empty() => {
            writer.top_tag(value, &mut text);
            writer.entries(entries, 0, true, &mut text);
        }
        Content::List(items) if !items.is_empty() => {
            writer.top_tag(value, &mut text);
            writer.items(items, 0, true, &mut text);
        }
        _ => {
            let mut alone = String::new();
            writer.value(value, 0, true, &mut alone);
            text.push_str(alone.trim_start_matches(' '));
        }
    }
    text.push_str(layout.newline);
    text
}

struct Writer<'l> {
    layout: &'l Layout,
}

impl Writer<'_> {
    fn top_tag(&self, value: &SpelledValue, text: &mut String) {
        if value.tag.is_some() {
            text.push_str("---");
            push_tag(value, text);
            text.push_str(self.layout.newline);
        }
    }

    /// A value behind `key:` or `-`, with what separates the two. The comment beside it stands at the end of its
    /// first line.
    fn value(&self, value: &SpelledValue, column: usize, under_dash: bool, text: &mut String) {
        let is_inline = under_dash && value.tag.is_none() && value.beside.is_none();
        match &value.content {
            Content::List(items) if !items.is_empty() => {
                let inline = is_inline && items[0].above.is_empty();
                let column = if under_dash { column + 2 } else { column + self.layout.list_step };
                push_head(value, inline, text);
                return self.items(items, column, inline, text);
            }
            Content::Map(entries) if !entries.is_empty() => {
                let inline = is_inline && entries[0].0.above.is_empty();
                let column = if under_dash { column + 2 } else { column + self.layout.step };
                push_head(value, inline, text);
                return self.entries(entries, column, inline, text);
            }
            _ => push_tag(value, text),
        }
        match &value.content {
            Content::Words(words) => push_all([" ", words], text),
            Content::Block(sign, lines) => return self.block(sign, value, lines, column, text),
            Content::Scalar(scalar, style) => {
                let words = emit::scalar(scalar, *style, Spot::Block(column), self.layout);
                text.push_str(if words.is_empty() { "" } else { " " });
                // A comment may stand behind the sign of a block text.
                let (first, rest) = words.split_at(words.find('\n').unwrap_or(words.len()));
                text.push_str(first);
                push_beside(value, text);
                return text.push_str(rest);
            }
            Content::List(_) => text.push_str(" []"),
            Content::Map(_) => text.push_str(" {}"),
        }
        push_beside(value, text);
    }

    /// A block text; a number tells where its lines begin if the first of them does not show it.
    fn block(&self, sign: &str, value: &SpelledValue, lines: &[String], column: usize, text: &mut String) {
        let begins = lines.iter().find(|line| !line.trim().is_empty());
        let is_shown = !begins.is_some_and(|line| line.starts_with(' '))
            && !lines.first().is_some_and(|line| line.starts_with(' '));
        let (mark, chomping) = sign.split_at(sign.len() - usize::from(sign.ends_with('-')));
        let number = if is_shown { String::new() } else { self.layout.step.to_string() };
        push_all([" ", mark, &number, chomping], text);
        push_beside(value, text);
        for line in lines {
            text.push_str(self.layout.newline);
            if !line.is_empty() {
                push_blanks(column + self.layout.step, text);
                text.push_str(line);
            }
        }
    }

    /// Begins a line, unless it is the first of what continues one.
    fn line(&self, column: usize, above: &[String], first: bool, text: &mut String) {
        let mut is_first = first;
        for comment in above {
            self.begin(column, std::mem::take(&mut is_first), text);
            text.push_str(comment);
        }
        self.begin(column, is_first, text);
    }

    fn begin(&self, column: usize, is_first: bool, text: &mut String) {
        if !is_first {
            text.push_str(self.layout.newline);
            push_blanks(column, text);
        }
    }

    fn items(&self, items: &[SpelledValue], column: usize, inline: bool, text: &mut String) {
        for (index, item) in items.iter().enumerate() {
            self.line(column, &item.above, inline && index == 0, text);
            text.push('-');
            self.value(item, column, true, text);
        }
    }

    fn entries(
        &self,
        entries: &[(SpelledValue, SpelledValue)],
        column: usize,
        inline: bool,
        text: &mut String,
    ) {
        for (index, (key, value)) in entries.iter().enumerate() {
            self.line(column, &key.above, inline && index == 0, text);
            text.push_str(&self.key(key));
            text.push(':');
            self.value(value, column, false, text);
        }
    }

    fn key<'k>(&self, key: &'k SpelledValue) -> Cow<'k, str> {
        match &key.content {
            Content::Words(words) => Cow::Borrowed(words),
            Content::Block(_, lines) => emit::scalar(&joined(lines), None, Spot::Key, self.layout).into(),
            Content::Scalar(scalar, style) => emit::scalar(scalar, *style, Spot::Key, self.layout).into(),
            // A collection as a key: rare, and always writable between brackets.
            _ => emit::flow(&data(key), self.layout).into(),
        }
    }
}

/// Returns how a tag is written where no `%TAG` names its beginning: `!word`, or in full between `!<` and `>`.
///
/// ```
/// use hierarch_yaml::tag_words;
///
/// assert_eq!(tag_words("!Ref"), "!Ref");
/// assert_eq!(tag_words("tag:e.com,2000:foo"), "!<tag:e.com,2000:foo>");
/// ```
pub fn tag_words(tag: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_.:/;?@&=+$~*'()#".contains(sign);
    match tag.strip_prefix('!') {
        Some(word) if !word.is_empty() && word.chars().all(is_plain) => tag.to_owned(),
        _ => format!("!<{}>", tag.replace('>', "%3E").replace(' ', "%20")),
    }
}

/// What stands before the lines of a collection: its tag and the comment beside it, or the blank after a dash.
fn push_head(value: &SpelledValue, inline: bool, text: &mut String) {
    if inline {
        return text.push(' ');
    }
    push_tag(value, text);
    push_beside(value, text);
}

fn push_tag(value: &SpelledValue, text: &mut String) {
    if let Some(tag) = &value.tag {
        push_all([" ", &tag_words(tag)], text);
    }
}

fn push_beside(value: &SpelledValue, text: &mut String) {
    if let Some(comment) = &value.beside {
        push_all([" ", comment], text);
    }
}

fn push_all<const COUNT: usize>(parts: [&str; COUNT], text: &mut String) {
    parts.into_iter().for_each(|part| text.push_str(part));
}

fn push_blanks(count: usize, text: &mut String) {
    const SOME: &str = "                                ";
    let mut left = count;
    while left > 0 {
        let now = left.min(SOME.len());
        text.push_str(&SOME[..now]);
        left -= now;
    }
}

fn joined(lines: &[String]) -> Scalar<'static> {
    Scalar::Str(lines.join("\n").into())
}

/// What a spelled value means, as far as a key needs it.
fn data(value: &SpelledValue) -> crate::data::Data {
    use crate::data::Data;
    match &value.content {
        Content::Words(words) => Data::text(words.as_ref()),
        Content::Block(_, lines) => Data::Scalar(joined(lines)),
        Content::Scalar(scalar, _) => Data::Scalar(scalar.clone()),
        Content::List(items) => Data::List(items.iter().map(data).collect()),
        Content::Map(entries) => Data::Map(entries.iter().map(|(k, v)| (data(k), data(v))).collect()),
    }
}
