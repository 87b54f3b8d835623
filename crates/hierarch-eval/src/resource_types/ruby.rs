//! What a Ruby file says about the resource type it defines, read without running it.
//!
//! `newparam`, `newproperty`, `ensurable`, `isnamevar`, loops over literal lists, helpers that hand a name on, types
//! registered with the Resource API, and title patterns that are literal. What depends on more is left open.

use std::collections::BTreeMap;

use super::tokens::{Token, tokens};

/// What is known of a type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct DeclaredType {
    /// All attributes but the metaparameters, in order.
    pub(super) attributes: Vec<String>,
    /// The attributes that tell its resources apart.
    pub(super) namevars: Vec<String>,
    /// Title patterns: the regular expression, its flags, the attributes of its groups.
    pub(super) patterns: Vec<(String, String, Vec<String>)>,
    /// Some attributes are named by code, so there may be more.
    pub(super) open: bool,
    /// Several resources may manage the same thing.
    pub(super) shared: bool,
}

/// Reads a file of `lib/puppet/type`; nothing if it defines no type.
pub(super) fn read_ruby(text: &str) -> Option<DeclaredType> {
    let tokens = tokens(text);
    // `Puppet::Type::newtype` is one word.
    let defines = |token: &Token| match token {
        Token::Word(word) => matches!(word.rsplit("::").next(), Some("newtype" | "register_type")),
        _ => false,
    };
    let begin = tokens.iter().position(defines)?;
    let mut reader = Reader { tokens: &tokens, found: DeclaredType::default(), lists: BTreeMap::new() };
    if matches!(tokens[begin], Token::Word(word) if word.ends_with("register_type")) {
        reader.registered(begin);
    } else {
        reader.read();
    }
    Some(reader.found.settled())
}

impl DeclaredType {
    /// Adds an attribute.
    pub(super) fn declare(&mut self, name: &str, is_namevar: bool) {
        self.add(name);
        if is_namevar {
            self.add_namevar(name);
        }
    }

    fn add(&mut self, name: &str) {
        if !self.attributes.iter().any(|known| known == name) {
            self.attributes.push(name.to_owned());
        }
    }

    fn add_namevar(&mut self, name: &str) {
        if !self.namevars.iter().any(|known| known == name) {
            self.namevars.push(name.to_owned());
        }
    }

    /// A type without a declared name variable is named by `name`.
    pub(super) fn settled(mut self) -> Self {
        if self.namevars.is_empty() {
            self.namevars.push("name".to_owned());
        }
        self
    }
}

struct Reader<'r, 't> {
    tokens: &'r [Token<'t>],
    found: DeclaredType,
    /// Literal lists by the name of the constant that holds them, or of the block's variable that walks them.
    lists: BTreeMap<&'t str, Vec<String>>,
}

impl<'t> Reader<'_, 't> {
    fn at(&self, index: usize) -> Option<&Token<'t>> {
        self.tokens.get(index)
    }

    fn is_mark(&self, index: usize, mark: char) -> bool {
        self.at(index) == Some(&Token::Mark(mark))
    }

    fn is_word(&self, index: usize, word: &str) -> bool {
        matches!(self.at(index), Some(Token::Word(found)) if *found == word)
    }

    fn read(&mut self) {
        let helpers = self.helpers();
        for index in 0..self.tokens.len() {
            let Token::Word(word) = self.tokens[index] else { continue };
            let called = index == 0 || !self.is_word(index - 1, "def") && !self.is_mark(index - 1, '.');
            match word {
                "newparam" | "newproperty" if called => self.attribute(index),
                "ensurable" if called => self.found.add("ensure"),
                // A module may bring attributes of its own.
                "extend" | "include" if called => self.found.open = true,
                "each" => self.walk_list(index),
                "title_patterns" if !called => self.title_patterns(index),
                "@isomorphic" if self.is_mark(index + 1, '=') => {
                    self.found.shared = self.is_word(index + 2, "false");
                }
                _ if called && helpers.contains(&word) => self.attribute(index),
                _ => self.keep_list(index, word),
            }
        }
    }

    /// Methods that hand their first parameter on to `newparam` or `newproperty`.
    fn helpers(&self) -> Vec<&'t str> {
        let mut helpers = Vec::new();
        let mut method = None;
        for (index, token) in self.tokens.iter().enumerate() {
            match token {
                Token::Word("def") => method = self.method(index),
                Token::Word("newparam" | "newproperty") => {
                    if let (Some((name, parameter)), Some(Token::Word(handed))) =
                        (method, self.argument(index))
                        && handed == &parameter
                    {
                        helpers.push(name);
                    }
                }
                _ => {}
            }
        }
        helpers
    }

    /// The name and first parameter of `def self.NAME(PARAMETER`.
    fn method(&self, def: usize) -> Option<(&'t str, &'t str)> {
        let of_self = self.is_word(def + 1, "self") && self.is_mark(def + 2, '.');
        match (self.at(def + 3)?, self.at(def + 5)?) {
            (Token::Word(name), Token::Word(parameter)) if of_self => Some((name, parameter)),
            _ => None,
        }
    }

    /// The first argument of a call, with or without parentheses.
    fn argument(&self, call: usize) -> Option<&Token<'t>> {
        self.at(call + 1 + usize::from(self.is_mark(call + 1, '(')))
    }

    /// A call of `newparam` or `newproperty`: its name, and whether it is a name variable.
    fn attribute(&mut self, call: usize) {
        let names = match self.argument(call) {
            Some(Token::Symbol(name)) => vec![(*name).to_owned()],
            Some(Token::Text(name)) => vec![name.clone().into_owned()],
            Some(Token::Word(variable)) => {
                let Some(names) = self.lists.get(variable) else {
                    // In a helper the name comes from its callers.
                    self.found.open |= !self.is_in_method(call);
                    return;
                };
                names.clone()
            }
            _ => return,
        };
        // Only parameters tell resources apart, and one called `name` always does.
        let is_parameter = !self.is_word(call, "newproperty");
        let is_namevar = is_parameter && self.is_namevar(call + 1);
        for name in &names {
            self.found.declare(name, is_namevar || (is_parameter && name == "name"));
        }
    }

    fn is_in_method(&self, index: usize) -> bool {
        let before = self.tokens[..index].iter().rev();
        let mut before = before.filter_map(|token| match token {
            Token::Word(word @ ("def" | "newparam" | "newproperty" | "ensurable")) => Some(*word),
            _ => None,
        });
        before.next() == Some("def")
    }

    /// Looks between a call and the next of its kind for `isnamevar` or `namevar => true`.
    fn is_namevar(&self, start: usize) -> bool {
        let is_next = |token: &Token| matches!(token, Token::Word("newparam" | "newproperty" | "ensurable"));
        let end = self.tokens[start..].iter().position(is_next).map_or(self.tokens.len(), |at| start + at);
        (start..end).any(|index| match &self.tokens[index] {
            Token::Word("isnamevar") => true,
            Token::Symbol("namevar") => {
                self.is_word(index + 1, "true")
                    || (self.is_mark(index + 1, '=') && self.is_word(index + 3, "true"))
            }
            _ => false,
        })
    }

    /// `CONSTANT = [:a, :b]`, or a variable in its place.
    fn keep_list(&mut self, index: usize, word: &'t str) {
        if !self.is_mark(index + 1, '=') {
            return;
        }
        let list = match self.at(index + 2) {
            Some(Token::Words(words)) => words.iter().map(|word| (*word).to_owned()).collect(),
            Some(Token::Mark('[')) => self.list(index + 3),
            _ => return,
        };
        self.lists.insert(word, list);
    }

    /// The names in a literal list, from behind its bracket.
    fn list(&self, start: usize) -> Vec<String> {
        let items = self.tokens[start..].iter().take_while(|token| **token != Token::Mark(']'));
        items.filter_map(name_of).collect()
    }

    /// `LIST.each do |variable|`: from now on the variable stands for all of them.
    fn walk_list(&mut self, each: usize) {
        let Some(dot) = each.checked_sub(1).filter(|&dot| self.is_mark(dot, '.')) else { return };
        let list = match dot.checked_sub(1).and_then(|index| self.at(index)) {
            Some(Token::Words(words)) => words.iter().map(|word| (*word).to_owned()).collect(),
            Some(Token::Word(name)) => self.lists.get(name).cloned().unwrap_or_default(),
            Some(Token::Mark(']')) => {
                let open = self.tokens[..dot].iter().rposition(|token| *token == Token::Mark('['));
                open.map(|open| self.list(open + 1)).unwrap_or_default()
            }
            _ => return,
        };
        if self.is_mark(each + 2, '|')
            && let Some(Token::Word(variable)) = self.at(each + 3)
            && !list.is_empty()
        {
            self.lists.insert(variable, list);
        }
    }

    /// `def self.title_patterns`: regular expressions, each with the attributes of its groups.
    fn title_patterns(&mut self, start: usize) {
        let mut patterns: Vec<(String, String, Vec<String>)> = Vec::new();
        let mut depth = 0;
        for token in &self.tokens[start..] {
            match token {
                Token::Mark('[') => depth += 1,
                Token::Mark(']') => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                Token::Word("def") => break,
                // What is put together from parts nobody can read here.
                Token::Pattern(source, _) if source.contains("#{") => return,
                Token::Pattern(source, flags) => {
                    patterns.push(((*source).to_owned(), (*flags).to_owned(), Vec::new()));
                }
                Token::Symbol(name) => {
                    if let Some(last) = patterns.last_mut() {
                        last.2.push((*name).to_owned());
                    }
                }
                _ => {}
            }
        }
        patterns.retain(|(_, _, names)| !names.is_empty());
        self.found.patterns = patterns;
    }

    /// `Puppet::ResourceApi.register_type(name: …, attributes: {…})`.
    fn registered(&mut self, start: usize) {
        let mut depth = 0;
        let mut attributes_at = None;
        let mut attribute = String::new();
        for index in start..self.tokens.len() {
            match &self.tokens[index] {
                Token::Mark('{' | '[' | '(') => depth += 1,
                Token::Mark('}' | ']' | ')') => {
                    depth -= 1;
                    if attributes_at.is_some_and(|at| depth < at) {
                        attributes_at = None;
                    }
                }
                Token::Pattern(source, flags) => {
                    let names = source.split("(?<").skip(1).filter_map(|rest| rest.split_once('>'));
                    let names = names.map(|(name, _)| name.to_owned()).collect();
                    self.found.patterns.push(((*source).to_owned(), (*flags).to_owned(), names));
                }
                token => {
                    let Some(name) = name_of(token) else { continue };
                    let is_key = matches!(token, Token::Symbol(_))
                        || self.is_mark(index + 1, '=')
                        || self.is_mark(index + 1, ':');
                    if name == "attributes" && is_key {
                        attributes_at = Some(depth + 1);
                    } else if attributes_at == Some(depth) && is_key {
                        self.found.add(&name);
                        attribute = name;
                    } else if name == "namevar" && attributes_at.is_some_and(|at| depth == at + 1) {
                        self.found.add_namevar(&attribute);
                    }
                }
            }
        }
    }
}

fn name_of(token: &Token) -> Option<String> {
    match token {
        Token::Symbol(name) => Some((*name).to_owned()),
        Token::Text(name) => Some(name.clone().into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, attributes: &str, namevars: &str) {
        let found = read_ruby(&format!("Puppet::Type.newtype(:example) do\n{text}\nend\n")).expect("a type");
        assert_eq!(
            (found.attributes.join(" "), found.namevars.join(" ")),
            (attributes.into(), namevars.into())
        );
    }

    #[test]
    fn attributes_are_what_the_file_declares() {
        check(
            "ensurable\nnewparam(:name)\nnewproperty :mode do\n  desc 'x'\nend",
            "ensure name mode",
            "name",
        );
        check("newparam('path', :namevar => true) do end\nnewproperty(:owner)", "path owner", "path");
        check("newparam(:path) do\n  isnamevar\nend\nnewparam(:name)", "path name", "path name");
        check("newparam(:id, namevar: true)\nnewproperty(:name)", "id name", "id");
        check("newproperty(\n  :users,\n  :array_matching => :all\n) {}", "users", "name");
    }

    #[test]
    fn comments_texts_and_heredocs_declare_nothing() {
        check("# newparam(:a)\n@doc = <<-'EOT'\n  newparam(:b) isn't\nEOT\nnewparam(:name)", "name", "name");
        check(
            "desc \"a newparam(:c)\"\ndesc %q{newparam(:d)}\n=begin\nnewparam(:e)\n=end\nnewparam(:f)",
            "f",
            "name",
        );
        check("newparam(:name) { newvalues(/['\"]/) }\nnewparam(:x)", "name x", "name");
    }

    #[test]
    fn loops_over_literal_lists_are_followed() {
        check("[:a, :b].each do |p|\n  newparam(p) do\n    isnamevar\n  end\nend", "a b", "a b");
        check("NAMES = %w[x y].freeze\nNAMES.each { |n| newproperty(n) }", "x y", "name");
        check(
            "def self.newcheck(name, &block)\n  newparam(name, &block)\nend\nnewcheck(:only) { }",
            "only",
            "name",
        );
    }

    #[test]
    fn what_depends_on_more_is_left_open() {
        let open = |text: &str| {
            read_ruby(&format!("Puppet::Type.newtype(:x) do\n{text}\nend")).expect("a type").open
        };
        assert!(open("extend Other::Module"));
        assert!(open("names.each { |n| newparam(n) }"));
        assert!(!open("newparam(:name)"));
    }

    #[test]
    fn the_resource_api_is_understood() {
        let text = "Puppet::ResourceApi.register_type(\n  name: 'x',\n  attributes: {\n    ensure: {type: 'Enum[present]', \
                    default: 'present'},\n    'name' => {behaviour: :namevar},\n  },\n)\n";
        let found = read_ruby(text).expect("a type");
        assert_eq!(
            (found.attributes.join(" "), found.namevars.join(" ")),
            ("ensure name".into(), "name".into())
        );
    }

    #[test]
    fn literal_title_patterns_are_kept() {
        let text = "Puppet::Type.newtype(:x) do\n  def self.title_patterns\n    [[/^(.*)@(.*)$/, [[:a], [:b]]], \
                    [/(.*)/m, [[:a]]]]\n  end\n  validate do\n    self[:c]\n  end\nend";
        let found = read_ruby(text).expect("a type").patterns;
        let found: Vec<String> = found.iter().map(|(s, f, n)| format!("/{s}/{f} {}", n.join(" "))).collect();
        assert_eq!(found, ["/^(.*)@(.*)$/ a b", "/(.*)/m a"]);
    }

    #[test]
    fn any_text_is_read_without_a_crash() {
        for text in [
            "",
            "newtype",
            "newtype(",
            "newtype(:x) do newparam",
            "newtype '",
            "newtype %w[",
            "newtype <<EOT",
            "newtype /",
            "newtype é\u{0}",
        ] {
            let _ = read_ruby(text);
        }
    }
}
