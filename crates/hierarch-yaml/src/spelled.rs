//! Data that is written as it was spelled: scalars in their own words, with their tags and comments.

use crate::emit::{self, Layout, Spot};
use crate::node::{Kind, NodeId, Style, Tree};
use crate::schema::Scalar;

/// A value with how it is written.
#[derive(Clone, Debug, Default)]
pub struct SpelledValue {
    /// Lines of comments above it.
    pub above: Vec<String>,
    /// The comment beside it.
    pub beside: Option<String>,
    /// A tag that is not YAML's own.
    pub tag: Option<String>,
    /// The value.
    pub content: Content,
}

/// What a spelled value is.
#[derive(Clone, Debug)]
pub enum Content {
    /// A scalar in its own words, which stand in one line.
    Words(String),
    /// A text of several lines as it stands in a block: its sign, without the number of an indentation, and its lines.
    Block(String, Vec<String>),
    /// A scalar that is written anew, in this style if it fits.
    Scalar(Scalar<'static>, Option<Style>),
    /// Items.
    List(Vec<SpelledValue>),
    /// Keys and values; comments are those of the key.
    Map(Vec<(SpelledValue, SpelledValue)>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Scalar(Scalar::Null, None)
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
        let mut raw = self.source.slice(self.span(id)).lines();
        let sign: String = raw.next()?.chars().take_while(|sign| "|>+-0123456789".contains(*sign)).collect();
        let sign = sign.replace(|sign: char| sign.is_ascii_digit(), "");
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
        Some((sign, lines))
    }

    /// Returns a tag that is not YAML's own.
    pub fn own_tag(&self, id: NodeId) -> Option<&str> {
        self.tag(id).filter(|tag| !tag.starts_with("tag:yaml.org,2002:") && *tag != "!")
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
    let tag = tag_of(value);
    match &value.content {
        Content::Map(entries) if !entries.is_empty() => {
            text.push_str(&writer.top_tag(&tag));
            writer.entries(entries, 0, true, &mut text);
        }
        Content::List(items) if !items.is_empty() => {
            text.push_str(&writer.top_tag(&tag));
            writer.items(items, 0, true, &mut text);
        }
        _ => text.push_str(writer.value(value, 0, true, layout.step).trim_start_matches(' ')),
    }
    text.push_str(layout.newline);
    text
}

struct Writer<'l> {
    layout: &'l Layout,
}

impl Writer<'_> {
    fn top_tag(&self, tag: &str) -> String {
        if tag.is_empty() { String::new() } else { format!("---{tag}{}", self.layout.newline) }
    }

    /// A value behind `key:` or `-`, with what separates the two. The comment beside it stands at the end of its
    /// first line.
    fn value(&self, value: &SpelledValue, column: usize, under_dash: bool, step: usize) -> String {
        let tag = tag_of(value);
        let beside = value.beside.as_ref().map(|comment| format!(" {comment}")).unwrap_or_default();
        match &value.content {
            Content::Words(words) => format!("{tag} {words}{beside}"),
            Content::Block(sign, lines) => self.block(&format!("{tag} {sign}"), &beside, lines, column),
            Content::Scalar(scalar, style) => {
                let words = emit::scalar(scalar, *style, Spot::Block(column), self.layout);
                let gap = if words.is_empty() { "" } else { " " };
                match words.split_once('\n') {
                    // A comment may stand behind the sign of a block text.
                    Some((sign, rest)) => format!("{tag} {sign}{beside}\n{rest}"),
                    None => format!("{tag}{gap}{words}{beside}"),
                }
            }
            Content::List(items) if items.is_empty() => format!("{tag} []{beside}"),
            Content::Map(entries) if entries.is_empty() => format!("{tag} {{}}{beside}"),
            Content::List(items) => {
                let inline = under_dash && tag.is_empty() && beside.is_empty() && items[0].above.is_empty();
                let column = if under_dash { column + 2 } else { column + self.layout.list_step };
                let mut text = if inline { " ".to_owned() } else { format!("{tag}{beside}") };
                self.items(items, column, inline, &mut text);
                text
            }
            Content::Map(entries) => {
                let inline =
                    under_dash && tag.is_empty() && beside.is_empty() && entries[0].0.above.is_empty();
                let column = if under_dash { column + 2 } else { column + step };
                let mut text = if inline { " ".to_owned() } else { format!("{tag}{beside}") };
                self.entries(entries, column, inline, &mut text);
                text
            }
        }
    }

    /// A block text; a number tells where its lines begin if the first of them does not show it.
    fn block(&self, sign: &str, beside: &str, lines: &[String], column: usize) -> String {
        let begins = lines.iter().find(|line| !line.trim().is_empty());
        let is_shown = !begins.is_some_and(|line| line.starts_with(' '))
            && !lines.first().is_some_and(|line| line.starts_with(' '));
        let (mark, chomping) = sign.split_at(sign.len() - usize::from(sign.ends_with('-')));
        let number = if is_shown { String::new() } else { self.layout.step.to_string() };
        let mut text = format!("{mark}{number}{chomping}{beside}");
        let pad = " ".repeat(column + self.layout.step);
        for line in lines {
            text.push_str(self.layout.newline);
            if !line.is_empty() {
                text.push_str(&pad);
                text.push_str(line);
            }
        }
        text
    }

    /// Begins a line, unless it is the first of what continues one.
    fn line(&self, column: usize, above: &[String], first: bool, text: &mut String) {
        let pad = " ".repeat(column);
        let mut is_first = first;
        for comment in above.iter().map(String::as_str) {
            if !std::mem::take(&mut is_first) {
                text.push_str(self.layout.newline);
                text.push_str(&pad);
            }
            text.push_str(comment);
        }
        if !is_first {
            text.push_str(self.layout.newline);
            text.push_str(&pad);
        }
    }

    fn items(&self, items: &[SpelledValue], column: usize, inline: bool, text: &mut String) {
        for (index, item) in items.iter().enumerate() {
            self.line(column, &item.above, inline && index == 0, text);
            text.push('-');
            text.push_str(&self.value(item, column, true, self.layout.step));
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
            text.push_str(&self.value(value, column, false, self.layout.step));
        }
    }

    fn key(&self, key: &SpelledValue) -> String {
        match &key.content {
            Content::Words(words) => words.clone(),
            Content::Block(_, lines) => emit::scalar(&joined(lines), None, Spot::Key, self.layout),
            Content::Scalar(scalar, style) => emit::scalar(scalar, *style, Spot::Key, self.layout),
            // A collection as a key: rare, and always writable between brackets.
            _ => emit::flow(&data(key), self.layout),
        }
    }
}

fn tag_of(value: &SpelledValue) -> String {
    value.tag.as_ref().map(|tag| format!(" {}", tag_words(tag))).unwrap_or_default()
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

fn joined(lines: &[String]) -> Scalar<'static> {
    Scalar::Str(lines.join("\n").into())
}

/// What a spelled value means, as far as a key needs it.
fn data(value: &SpelledValue) -> crate::data::Data {
    use crate::data::Data;
    match &value.content {
        Content::Words(words) => Data::text(words.clone()),
        Content::Block(_, lines) => Data::Scalar(joined(lines)),
        Content::Scalar(scalar, _) => Data::Scalar(scalar.clone()),
        Content::List(items) => Data::List(items.iter().map(data).collect()),
        Content::Map(entries) => Data::Map(entries.iter().map(|(k, v)| (data(k), data(v))).collect()),
    }
}
