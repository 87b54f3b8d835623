//! Documents full of directives, and edits of what they expand to.

use hierarch_yaml::{Data, Scalar};

use crate::random::Random;

const KEYS: &[&str] = &["a", "b", "c", "x", "y", "z", "m", "l", "'q k'", "1", "true"];
const PLAIN: &[&str] = &[
    "1",
    "2",
    "0x1F",
    "1.5",
    "true",
    "~",
    "",
    "null",
    "text",
    "'quoted'",
    "\"double\"",
    "'1'",
    "'yes'",
    "größe",
    "'it''s'",
    "1e3",
    "long words that go on for a while",
    "\"tab\\t\"",
    "''",
    "0644",
    "0o17",
    "1.10",
    "yes",
    "1_000",
    "12:30:45",
    "2020-01-01",
    ".inf",
    "!Ref thing",
    "!Sub 'a ${b}'",
    "!GetAtt [a, b]",
    "!Join {a: 1}",
    "!!str 12",
];

/// Lists whose items have names, to be changed by key.
const KEYED: &str = "\
l:
- {name: a, v: 1}
- {name: b, v: [1, 2], w: {x: 1}}
- {name: c}
- {name: d, v: text}
m: {k: 1, l: [{name: a, v: 1}, {name: b, v: 2, w: 3}]}
x: 1
";

pub(crate) struct Generator<'r> {
    random: &'r mut Random,
    /// Pointers to what stands in the document so far, and whether it is a list.
    paths: Vec<(String, bool)>,
    anchors: Vec<String>,
    step: usize,
    list_step: usize,
    newline: &'static str,
    comments: bool,
}

enum Node {
    Plain(String),
    Block(&'static str, Vec<String>),
    Alias(String),
    Map(Option<String>, bool, Vec<(String, Node)>),
    List(Option<String>, bool, Vec<Node>),
}

impl<'r> Generator<'r> {
    pub(crate) fn new(random: &'r mut Random) -> Self {
        let step = *random.pick(&[2, 2, 2, 4]);
        let list_step = *random.pick(&[0, 0, 2]);
        let newline = if random.once_in(12) { "\r\n" } else { "\n" };
        let comments = random.once_in(2);
        Self { random, paths: Vec::new(), anchors: Vec::new(), step, list_step, newline, comments }
    }

    /// The main document and the files it may include.
    pub(crate) fn files(mut self) -> Vec<(String, String)> {
        let main = self.top();
        let text = self.write_top(&main);
        let mut files = vec![("main.yaml".to_owned(), text)];
        files.push(("part.yaml".into(), "x: 1\nm: {p: 1, q: [1, 2]}\nl:\n- a\n- {b: 1}\n".into()));
        files.push(("list.yaml".into(), "- 1\n- x: 1\n".into()));
        files.push(("keys.yaml".into(), "lists:\n  l: name\n  x: [name, a]\n  base1: name\n".into()));
        files.push(("keyed.yaml".into(), KEYED.into()));
        files.push(("uses.yaml".into(), "own: {k: 1}\nin: {+/own: , j: 2}\n".into()));
        files
    }

    fn top(&mut self) -> Node {
        let mut entries: Vec<(String, Node)> = Vec::new();
        for index in 0..3 + self.random.below(5) {
            let key = format!("{}{}", self.random.pick(&["k", "t", "base"]), index);
            let node = self.node(0, &format!("/{key}"));
            let list = matches!(node, Node::List(..));
            self.paths.push((format!("/{key}"), list));
            entries.push((key, node));
        }
        if self.random.once_in(6) {
            let directive = self.directive("");
            entries.push(directive);
        }
        Node::Map(None, false, entries)
    }

    fn node(&mut self, depth: usize, path: &str) -> Node {
        match self.random.below(if depth >= 3 { 3 } else { 10 }) {
            0 | 1 => self.scalar(),
            2 if !self.anchors.is_empty() && self.random.once_in(3) => {
                Node::Alias(self.random.pick(&self.anchors).clone())
            }
            2 => self.scalar(),
            3..=6 => self.map(depth, path),
            _ => self.list(depth, path),
        }
    }

    fn scalar(&mut self) -> Node {
        if self.random.once_in(10) {
            let sign = *self.random.pick(&["|", "|-", ">", ">-", "|+", "!Text |"]);
            return Node::Block(sign, vec!["one line".into(), "two: lines".into()]);
        }
        Node::Plain((*self.random.pick(PLAIN)).to_owned())
    }

    fn anchor(&mut self) -> Option<String> {
        self.random.once_in(5).then(|| format!("n{}", self.random.below(3)))
    }

    fn map(&mut self, depth: usize, path: &str) -> Node {
        let anchor = self.anchor();
        let flow = depth > 1 || self.random.once_in(4);
        let mut entries: Vec<(String, Node)> = Vec::new();
        for _ in 0..self.random.below(4) {
            let key = (*self.random.pick(KEYS)).to_owned();
            if entries.iter().any(|(known, _)| *known == key) {
                continue;
            }
            let child_path = format!("{path}/{}", key.trim_matches('\''));
            let node = if self.random.once_in(14) {
                self.mark()
            } else {
                self.node(depth + 1 + usize::from(flow), &child_path)
            };
            let list = matches!(node, Node::List(..));
            self.paths.push((child_path, list));
            entries.push((key, node));
        }
        if self.random.once_in(2) {
            let at = self.random.below(entries.len() + 1);
            let directive = self.directive(path);
            entries.insert(at, directive);
        }
        if self.random.once_in(8) {
            let directive = self.directive(path);
            if !entries.iter().any(|(key, _)| *key == directive.0) {
                entries.push(directive);
            }
        }
        if self.random.once_in(12) {
            entries.push(("+%".into(), Node::Plain("{match: ./keys.yaml}".into())));
        }
        if self.random.once_in(10) && !self.anchors.is_empty() {
            let name = self.random.pick(&self.anchors).clone();
            entries.insert(0, ("<<".into(), Node::Alias(name)));
        }
        self.anchors.extend(anchor.clone());
        Node::Map(anchor, flow, entries)
    }

    fn mark(&mut self) -> Node {
        let word = *self.random.pick(&["whiteout", "nullout", "replace", "merge"]);
        let mut entries = vec![("+%".to_owned(), Node::Plain(word.to_owned()))];
        if self.random.once_in(2) {
            entries.push(("y".into(), self.scalar_inline()));
        }
        Node::Map(None, self.random.once_in(2), entries)
    }

    fn scalar_inline(&mut self) -> Node {
        Node::Plain((*self.random.pick(PLAIN)).to_owned())
    }

    /// A list of maps that have names, with or without a header.
    fn keyed_list(&mut self) -> Node {
        let flow = self.random.once_in(2);
        let plain = |text: &str| Node::Plain(text.to_owned());
        let mut items = Vec::new();
        if self.random.once_in(2) {
            let header = *self.random.pick(&[
                "{match: name}",
                "{match: name, loose: true}",
                "replace",
                "{match: [name, a]}",
                "{match: ./keys.yaml}",
                "{match: name}",
            ]);
            items.push(Node::Map(None, true, vec![("+%".into(), plain(header))]));
        }
        let mut names = vec!["a", "b", "c", "d", "n", "'1'", "2"];
        for _ in 0..self.random.below(4) {
            let name = names.remove(self.random.below(names.len()));
            let mut entries = vec![("name".to_owned(), plain(name))];
            for key in ["v", "w", "a"] {
                if self.random.once_in(3) {
                    entries.push((key.into(), self.scalar_inline()));
                }
            }
            if self.random.once_in(4) {
                let mark =
                    *self.random.pick(&["whiteout", "replace", "{after: a}", "{before: b}", "first", "last"]);
                entries.push(("+%".into(), plain(mark)));
            }
            items.push(Node::Map(None, flow || self.random.once_in(2), entries));
        }
        if self.random.once_in(12) {
            items.push(self.scalar_inline());
        }
        Node::List(None, flow, items)
    }

    fn list(&mut self, depth: usize, path: &str) -> Node {
        if self.random.once_in(3) {
            return self.keyed_list();
        }
        let anchor = self.anchor();
        let flow = depth > 1 || self.random.once_in(3);
        let mut items = Vec::new();
        for index in 0..self.random.below(5) {
            let item = if self.random.once_in(5) {
                let directive = self.directive(path);
                Node::Map(None, flow || self.random.once_in(2), vec![directive])
            } else {
                self.node(depth + 1 + usize::from(flow), &format!("{path}/{index}"))
            };
            items.push(item);
        }
        self.anchors.extend(anchor.clone());
        Node::List(anchor, flow, items)
    }

    /// A directive that more often than not finds something.
    fn directive(&mut self, path: &str) -> (String, Node) {
        let optional = if self.random.once_in(6) { "?" } else { "" };
        let value = Node::Plain((*self.random.pick(&["", "", "", "", "", "''", "raw"])).to_owned());
        match self.random.below(12) {
            0 | 11 => {
                let file = *self.random.pick(&[
                    "part.yaml",
                    "part.yaml#/m",
                    "list.yaml",
                    "uses.yaml",
                    "keyed.yaml",
                    "keyed.yaml#/m",
                ]);
                (format!("+{optional}include"), Node::Plain(file.to_owned()))
            }
            1 | 2 if !self.anchors.is_empty() => {
                (format!("+{optional}*{}", self.random.pick(&self.anchors)), value)
            }
            3 => ("+?/nowhere".into(), value),
            4 => {
                let depth = path.matches('/').count();
                let dots = ".".repeat(1 + self.random.below(depth + 2));
                (format!("+{optional}{dots}/{}", self.random.pick(&["a", "b", "x", "k0", "base1"])), value)
            }
            _ if self.paths.is_empty() => ("+?/base0".into(), value),
            _ => {
                let (path, _) = self.random.pick(&self.paths).clone();
                (format!("+{optional}{path}"), value)
            }
        }
    }

    // ---- writing

    fn write_top(&mut self, node: &Node) -> String {
        let Node::Map(_, _, entries) = node else { return String::new() };
        let mut text = String::new();
        if self.comments {
            text.push_str("# head");
            text.push_str(self.newline);
        }
        if self.random.once_in(10) {
            text.push_str("---");
            text.push_str(self.newline);
        }
        self.write_entries(entries, 0, &mut text);
        text
    }

    fn end_line(&mut self, text: &mut String) {
        if self.comments && self.random.once_in(6) {
            text.push_str("  # beside");
        }
        text.push_str(self.newline);
        if self.random.once_in(15) {
            text.push_str(self.newline);
        }
    }

    fn write_entries(&mut self, entries: &[(String, Node)], column: usize, text: &mut String) {
        for (index, (key, value)) in entries.iter().enumerate() {
            if index > 0 || column == 0 {
                if self.comments && self.random.once_in(8) {
                    text.push_str(&" ".repeat(column));
                    text.push_str("# above");
                    text.push_str(self.newline);
                }
                text.push_str(&" ".repeat(column));
            }
            text.push_str(&key_text(key));
            text.push(':');
            self.write_value(value, column, false, text);
        }
    }

    fn write_value(&mut self, node: &Node, column: usize, dash: bool, text: &mut String) {
        match node {
            Node::Block(sign, lines) => {
                text.push(' ');
                text.push_str(sign);
                text.push_str(self.newline);
                for line in lines {
                    text.push_str(&" ".repeat(column + self.step));
                    text.push_str(line);
                    text.push_str(self.newline);
                }
            }
            Node::Map(anchor, false, entries) if !entries.is_empty() => {
                let inner = if dash { column + 2 } else { column + self.step };
                self.open_block(anchor.as_deref(), dash, inner, text);
                self.write_entries(entries, inner, text);
            }
            Node::List(anchor, false, items) if !items.is_empty() => {
                let inner = if dash { column + 2 } else { column + self.list_step };
                self.open_block(anchor.as_deref(), dash, inner, text);
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        text.push_str(&" ".repeat(inner));
                    }
                    text.push('-');
                    self.write_value(item, inner, true, text);
                }
            }
            node => {
                let flow = flow_text(node);
                if !flow.is_empty() {
                    text.push(' ');
                    text.push_str(&flow);
                }
                self.end_line(text);
            }
        }
    }

    fn open_block(&mut self, anchor: Option<&str>, dash: bool, column: usize, text: &mut String) {
        match (anchor, dash) {
            (Some(name), _) => text.extend([" &", name]),
            (None, true) => {
                text.push(' ');
                return;
            }
            (None, false) => {}
        }
        text.push_str(self.newline);
        text.push_str(&" ".repeat(column));
    }
}

fn key_text(key: &str) -> String {
    if key.starts_with("+*") { format!("'{key}'") } else { key.to_owned() }
}

fn flow_text(node: &Node) -> String {
    let anchored =
        |anchor: &Option<String>| anchor.as_ref().map(|name| format!("&{name} ")).unwrap_or_default();
    match node {
        Node::Plain(text) => text.clone(),
        Node::Block(_, lines) => format!("'{}'", lines.join(" ")),
        Node::Alias(name) => format!("*{name}"),
        Node::Map(anchor, _, entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", key_text(key), flow_text(value)))
                .collect();
            format!("{}{{{}}}", anchored(anchor), entries.join(", "))
        }
        Node::List(anchor, _, items) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| match item {
                    Node::Plain(text) if text.is_empty() => "~".to_owned(),
                    item => flow_text(item),
                })
                .collect();
            format!("{}[{}]", anchored(anchor), items.join(", "))
        }
    }
}

/// Changes data somewhere.
pub(crate) fn mutate(data: &mut Data, random: &mut Random, depth: usize) {
    let here = depth > 0 && random.once_in(4);
    match data {
        Data::Map(entries) if !here && !entries.is_empty() => {
            let at = random.below(entries.len());
            match random.below(8) {
                0 => {
                    entries.remove(at);
                }
                1 => {
                    let key = Data::text(random.pick(&["a", "b", "x", "new", "n", "k 1"]).to_owned());
                    if !entries.iter().any(|(known, _)| *known == key) {
                        entries.push((key, value(random, 0)));
                    }
                }
                _ => mutate(&mut entries[at].1, random, depth + 1),
            }
        }
        Data::List(items) if !here => {
            let at = random.below(items.len().max(1));
            match random.below(6) {
                0 if !items.is_empty() => {
                    items.remove(at);
                }
                1 => items.insert(at.min(items.len()), value(random, 1)),
                2 => items.push(value(random, 1)),
                3 if items.len() > 1 => items.swap(0, at),
                _ if !items.is_empty() => mutate(&mut items[at], random, depth + 1),
                _ => items.push(value(random, 1)),
            }
        }
        _ => *data = value(random, 0),
    }
}

fn value(random: &mut Random, depth: usize) -> Data {
    match random.below(if depth > 1 { 8 } else { 11 }) {
        0 => Data::NULL,
        1 => Data::Scalar(Scalar::Bool(random.once_in(2))),
        2 | 3 => Data::Scalar(Scalar::Int(random.below(100) as i64)),
        4 => Data::Scalar(Scalar::Float(1.25)),
        5..=7 => {
            let texts = [
                "text",
                "yes",
                "1",
                "a: b",
                "# no",
                " lead",
                "it's",
                "größe",
                "",
                "two\nlines\n",
                "no\nend",
                "-",
                "x\ty",
                "+/a",
                "trail ",
            ];
            Data::text((*random.pick(&texts)).to_owned())
        }
        8 => Data::List((0..random.below(3)).map(|_| value(random, depth + 1)).collect()),
        _ => {
            let mut entries = Vec::new();
            for key in ["a", "x", "n"] {
                if random.once_in(2) {
                    entries.push((Data::text(key), value(random, depth + 1)));
                }
            }
            Data::Map(entries)
        }
    }
}
