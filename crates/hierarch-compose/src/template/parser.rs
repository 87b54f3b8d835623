//! Tokens become statements: text, printed expressions, and blocks, each by the file of its tag.

use std::rc::Rc;

use hierarch_pcore::Str;

use super::fault::{Checked, Fault};
use super::issues;
use super::lexer::{self, Kind, Token};
use super::settings::TemplateSettings;
use super::tags;
use super::tree::{Block, Body, Range, Stmt};

/// How deep brackets, blocks and operators may nest.
pub(super) const DEEPEST: u16 = 400;

/// How deep brackets and blocks may nest; each of them takes many times the stack of an operator.
const DEEPEST_BRACKETS: usize = 90;

/// A template that was read.
#[derive(Debug)]
pub(super) struct ParsedTemplate {
    pub(super) body: Body,
    pub(super) blocks: Vec<Rc<Block>>,
}

/// Reads a template.
pub(super) fn parse(source: &str, settings: &TemplateSettings, raw_texts: bool) -> Checked<ParsedTemplate> {
    let tokens = lexer::tokens(source, settings, raw_texts)?;
    let mut parser = Parser {
        tokens,
        at: 0,
        settings,
        nesting: 0,
        loops: 0,
        open: Vec::new(),
        macros: Vec::new(),
        blocks: Vec::new(),
    };
    let body = parser.body(&[])?;
    Ok(ParsedTemplate { body, blocks: parser.blocks })
}

pub(super) struct Parser<'s> {
    tokens: Vec<Token>,
    at: usize,
    pub(super) settings: &'s TemplateSettings,
    nesting: usize,
    /// How many loops are open here.
    pub(super) loops: usize,
    /// The tags that are open, and what ends them.
    open: Vec<(Str, Vec<&'static str>)>,
    /// For each macro that is open, which of `varargs`, `kwargs` and `caller` its body names.
    pub(super) macros: Vec<[bool; 3]>,
    pub(super) blocks: Vec<Rc<Block>>,
}

impl Parser<'_> {
    pub(super) fn kind(&self) -> &Kind {
        &self.tokens[self.at.min(self.tokens.len() - 1)].kind
    }

    pub(super) fn next_kind(&self) -> &Kind {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn range(&self) -> Range {
        self.tokens[self.at.min(self.tokens.len() - 1)].range
    }

    /// Returns the range of what was read last.
    pub(super) fn last(&self) -> Range {
        self.tokens[self.at.saturating_sub(1)].range
    }

    pub(super) fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.kind(), Kind::Sign(found) if *found == sign)
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        matches!(self.kind(), Kind::Name(found) if found == name)
    }

    pub(super) fn skip_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn skip_name(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn sign(&mut self, sign: &'static str) -> Checked<()> {
        if self.skip_sign(sign) { Ok(()) } else { Err(self.expected(sign)) }
    }

    pub(super) fn word(&mut self, name: &'static str) -> Checked<()> {
        if self.skip_name(name) { Ok(()) } else { Err(self.expected(name)) }
    }

    pub(super) fn name(&mut self) -> Checked<Str> {
        match self.kind() {
            Kind::Name(name) => {
                let name = name.clone();
                self.advance();
                Ok(name)
            }
            _ => Err(self.expected("name")),
        }
    }

    pub(super) fn expected(&self, what: &str) -> Fault {
        let found = described(self.kind());
        Fault::syntax(issues::expected_token(what, &found), self.range())
    }

    pub(super) fn fail(&self, what: String) -> Fault {
        Fault::syntax(what, self.range())
    }

    /// Reads something that is nested one level deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Checked<T>) -> Checked<T> {
        self.nesting += 1;
        if self.nesting > DEEPEST_BRACKETS {
            return Err(self.fail(issues::nested_too_deep(DEEPEST_BRACKETS)));
        }
        let result = read(self);
        self.nesting -= 1;
        result
    }

    /// Ends a block's opening.
    pub(super) fn block_end(&mut self) -> Checked<()> {
        match self.kind() {
            Kind::BlockEnd => {
                self.advance();
                Ok(())
            }
            _ => Err(self.expected("end of statement block")),
        }
    }

    /// Reads statements up to a tag that ends them, whose name is the next token.
    pub(super) fn body(&mut self, ends: &[&'static str]) -> Checked<Body> {
        let mut body = Vec::new();
        loop {
            match self.kind() {
                Kind::Data(text) => {
                    let text = text.clone();
                    self.advance();
                    body.push(Stmt::Data(text));
                }
                Kind::VariableBegin => {
                    self.advance();
                    let printed = self.tuple(true)?;
                    match self.kind() {
                        Kind::VariableEnd => self.advance(),
                        _ => return Err(self.expected("end of print statement")),
                    }
                    body.push(Stmt::Print(printed));
                }
                Kind::BlockBegin => {
                    self.advance();
                    if matches!(self.kind(), Kind::Name(name) if ends.contains(&name.as_str())) {
                        return Ok(body);
                    }
                    self.statement(&mut body)?;
                }
                Kind::End if ends.is_empty() => return Ok(body),
                Kind::End => return Err(self.fail(issues::unexpected_end_in(&self.open))),
                _ => return Err(self.expected("template data")),
            }
        }
    }

    /// Reads the body of a tag, and the name of the tag that ends it.
    pub(super) fn body_until(&mut self, tag: &str, ends: &[&'static str]) -> Checked<(Body, Str)> {
        self.block_end()?;
        self.open.push((tag.into(), ends.to_vec()));
        let body = self.deeper(|parser| parser.body(ends))?;
        self.open.pop();
        Ok((body, self.name()?))
    }

    /// Reads the body of a tag that has one end, and that.
    pub(super) fn whole_body(&mut self, tag: &str, end: &'static str) -> Checked<Body> {
        let (body, _) = self.body_until(tag, &[end])?;
        Ok(body)
    }

    fn statement(&mut self, body: &mut Body) -> Checked<()> {
        let Kind::Name(name) = self.kind().clone() else {
            return Err(self.fail(issues::tag_name_expected()));
        };
        let Some(tag) = tags::find(&name, self.settings) else {
            return Err(self.fail(issues::unknown_tag(&name, &self.open)));
        };
        self.advance();
        (tag.parse)(self, body)?;
        self.block_end()
    }
}

/// Says what a token is.
pub(super) fn described(kind: &Kind) -> String {
    match kind {
        Kind::Data(_) => "template data / text".into(),
        Kind::VariableBegin => "begin of print statement".into(),
        Kind::VariableEnd => "end of print statement".into(),
        Kind::BlockBegin => "begin of statement block".into(),
        Kind::BlockEnd => "end of statement block".into(),
        Kind::Name(name) => name.to_string(),
        Kind::Integer(_) => "integer".into(),
        Kind::Float(_) => "float".into(),
        Kind::Text(_) => "string".into(),
        Kind::Sign(sign) => (*sign).into(),
        Kind::End => "end of template".into(),
    }
}
