//! Interpolation: tokens become text, or the value that they are an alias of.

use hierarch_pcore::{Str, Value};
use hierarch_source::{Result, nearest};

use super::{Found, Inquiry, Mode, Opening, VariableRead, Walk};
use crate::data::Data;
use crate::eyaml::{HIDDEN, may_be_encrypted};
use crate::host;
use crate::issues;
use crate::key::Segment;
use crate::origin::FilledToken;
use crate::piece::{Entries, Piece};
use crate::settings::Strict;
use crate::template::{Call, Method, Template, TemplatePart, Variable};
use crate::trace::{Event, LookupStep};

/// Tells whether a decrypted text has tokens that did not stand in clear in the text before.
fn has_own_tokens(opened: &Data, text: &Str) -> bool {
    let mut in_clear = tokens(&Data::new(Value::String(text.clone())));
    tokens(opened).iter().any(|token| match in_clear.iter().position(|known| known == token) {
        Some(place) => {
            in_clear.swap_remove(place);
            false
        }
        None => true,
    })
}

fn tokens(data: &Data) -> Vec<String> {
    let Data::Text(template) = data else { return Vec::new() };
    let is_token = |part: &&TemplatePart| !matches!(part, TemplatePart::Text(_));
    template.parts.iter().filter(is_token).map(ToString::to_string).collect()
}

/// The variables in which names are misspelt: what is known of a node.
const NAMED: [&str; 2] = ["facts", "trusted"];

impl Walk<'_> {
    /// Fills in the tokens of a value.
    pub(crate) fn fill<P: Piece>(&mut self, data: &Data) -> Result<P> {
        match data {
            Data::Plain(value) => Ok(P::of(value.clone())),
            Data::Text(template) => self.fill_text(template),
            Data::List(items) => {
                Ok(P::list(items.iter().map(|item| self.fill(item)).collect::<Result<_>>()?))
            }
            Data::Map(entries) => {
                let (mut map, mut has_secret_key) = (P::Map::default(), false);
                for (key, value) in entries {
                    // Keys that become equal: the later value stands at the earlier place.
                    let key = self.fill::<P>(key)?;
                    has_secret_key |= key.is_secret();
                    let value = self.fill(value)?;
                    map.put(key.value(), value);
                }
                let map = P::map(map);
                Ok(if has_secret_key { map.secret() } else { map })
            }
        }
    }

    /// Fills in the tokens of a text in hiera.yaml.
    pub(crate) fn fill_config(&mut self, data: &Data, mode: Mode) -> Result<Value> {
        if let Data::Plain(value) = data {
            return Ok(value.clone());
        }
        let inquiry = Inquiry { mode, ..self.inquiry.clone() };
        self.asking(inquiry).fill(data)
    }

    /// Fills in a text of hiera.yaml in which a name stands for a value.
    pub(crate) fn fill_with_local(&mut self, name: &Str, value: &Value, data: &Data) -> Result<Value> {
        let inquiry = Inquiry { local: Some((name, value)), ..self.inquiry.clone() };
        self.asking(inquiry).fill_config(data, Mode::Location)
    }

    /// Reads a variable for hiera.yaml.
    pub(crate) fn read_config_variable(&mut self, variable: &Variable, subject: &str) -> Result<Value> {
        let inquiry = Inquiry { mode: Mode::Location, ..self.inquiry.clone() };
        self.asking(inquiry).read_variable(variable, subject)
    }

    /// Fills in the tokens of a text.
    pub(crate) fn fill_text<P: Piece>(&mut self, template: &Template) -> Result<P> {
        let shown = match &self.listener {
            Some(_) => self.shown_text(&template.source),
            None => Str::new(),
        };
        self.within(|| LookupStep::Interpolation(shown), |walk| walk.fill_parts(template))
    }

    /// Opens a text that may be encrypted, and fills in its tokens.
    pub(crate) fn opened_text<P: Piece>(&mut self, text: &Str, opening: &Opening) -> Result<P> {
        if !may_be_encrypted(text) {
            return self.fill(&Data::new(Value::String(text.clone())));
        }
        let opened = self.opened(text, opening)?;
        self.hiera.secrets().note(&Value::from(opened.as_str()));
        let data = Data::new(Value::from(opened));
        let filled: P = if has_own_tokens(&data, text) {
            self.fill_in_secret(&data).map_err(|_| issues::secret_token(opening.key))?
        } else {
            self.fill(&data)?
        };
        self.hiera.secrets().note(&filled.value());
        Ok(P::of(filled.value()).secret())
    }

    /// Fills in tokens that were encrypted: neither explanations nor warnings nor errors tell what they ask for.
    fn fill_in_secret<P: Piece>(&mut self, data: &Data) -> Result<P> {
        self.within(
            || LookupStep::Interpolation(HIDDEN.into()),
            |walk| {
                let inquiry = Inquiry { is_secret: true, ..walk.inquiry.clone() };
                walk.unheard(inquiry).fill(data)
            },
        )
    }

    fn fill_parts<P: Piece>(&mut self, template: &Template) -> Result<P> {
        let mut out = String::with_capacity(template.source.len());
        let mut filled = Vec::new();
        for part in &template.parts {
            let start = out.len();
            self.budget.count_step()?;
            match part {
                TemplatePart::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                TemplatePart::Variable(variable) => self.fill_variable(variable, template, &mut out)?,
                TemplatePart::Call(_) if self.inquiry.mode != Mode::Data => {
                    return Err(issues::method_not_allowed());
                }
                TemplatePart::Call(call) if call.method == Method::Alias => return self.alias(call),
                TemplatePart::Call(call) if P::IS_TRACED && call.method == Method::Lookup => {
                    filled.push(self.fill_lookup::<P>(call, &mut out)?);
                    continue;
                }
                TemplatePart::Call(call) => self.fill_call(call, template, &mut out)?,
            }
            if P::IS_TRACED {
                filled.push(self.filling(part, &out[start..]));
            }
        }
        let is_secret = filled.iter().any(|token| token.is_secret);
        let piece = P::of(Value::from(out)).filled_with(filled);
        if is_secret {
            self.hiera.secrets().note(&piece.value());
        }
        Ok(if is_secret { piece.secret() } else { piece })
    }

    /// Returns what a token was filled in with that stands for no data.
    fn filling(&self, part: &TemplatePart, text: &str) -> FilledToken {
        let filling = Value::from(text).as_filling(part.to_string());
        let variable = match part {
            TemplatePart::Variable(variable) => Some(variable),
            TemplatePart::Call(call) => call.variable.as_ref(),
            TemplatePart::Text(_) => None,
        };
        let secrets = self.hiera.secrets();
        let root = variable.and_then(|variable| variable.root.as_ref());
        let is_secret = root.is_some_and(|root| secrets.is_variable(root)) || secrets.is_in(text);
        if is_secret { filling.hidden() } else { filling }
    }

    fn fill_variable(&mut self, variable: &Variable, template: &Template, out: &mut String) -> Result<()> {
        let value = self.read_variable(variable, &template.source)?;
        self.expand(format!("scope:{}", variable.text).into(), value, out)
    }

    fn alias<P: Piece>(&mut self, call: &Call) -> Result<P> {
        if !call.is_whole {
            return Err(issues::alias_not_alone());
        }
        let found: P =
            self.inner_lookup(&call.argument)?.into_option().unwrap_or_else(|| P::of(Value::from("")));
        if !P::IS_TRACED {
            return Ok(found);
        }
        let filling = found.as_filling(call.to_string());
        Ok(found.filled_with(vec![filling]))
    }

    /// Looks a key up for a token, and tells where its value comes from.
    fn fill_lookup<P: Piece>(&mut self, call: &Call, out: &mut String) -> Result<FilledToken> {
        let found = self.inner_lookup::<P>(&call.argument)?.into_option();
        let found = found.unwrap_or_else(|| P::of(Value::from("")));
        let start = out.len();
        self.expand(call.argument.clone(), found.value(), out)?;
        let filling = found.as_filling(call.to_string());
        Ok(if self.hiera.secrets().is_in(&out[start..]) { filling.hidden() } else { filling })
    }

    fn fill_call(&mut self, call: &Call, template: &Template, out: &mut String) -> Result<()> {
        let name = call.argument.clone();
        match &call.method {
            Method::Lookup => {
                let found = self.inner_lookup::<Value>(&name)?;
                self.expand(name, found.into_option().unwrap_or_else(|| Value::from("")), out)
            }
            Method::Literal => self.expand(name.clone(), Value::String(name), out),
            Method::Scope => match &call.variable {
                Some(variable) => self.fill_variable(variable, template, out),
                None => Ok(()),
            },
            Method::Alias => Ok(()),
            Method::Unknown(method) => Err(issues::unknown_method(method)),
        }
    }

    /// Writes a value that may itself have tokens. The name guards against loops.
    fn expand(&mut self, name: Str, value: Value, out: &mut String) -> Result<()> {
        let value: Value = self.check(name, |walk| match Data::new(value) {
            Data::Plain(value) => Ok(value),
            data => walk.fill(&data),
        })?;
        let start = out.len();
        match &value {
            Value::String(text) => out.push_str(text),
            other => out.push_str(&other.to_plain()),
        }
        self.budget.count_text(out.len() - start)
    }

    /// Reads a variable, and what is dug for in it. What is not there is undef.
    pub(super) fn read_variable(&mut self, variable: &Variable, subject: &str) -> Result<Value> {
        let Some(root) = &variable.root else { return Err(issues::string_syntax(subject)) };
        self.note_variable(variable);
        let mut value =
            self.within(|| LookupStep::Place("Global Scope".to_owned()), |walk| walk.read_root(root))?;
        if !value.is_undef() && !variable.segments.is_empty() {
            self.hint_at_names(variable, &value);
            let found = self.dig(&variable.text, &variable.segments, value)?;
            value = found.into_option().unwrap_or_default();
        }
        if value.is_undef() && self.inquiry.mode != Mode::Data && root.trim_start_matches(':') == "trusted" {
            self.hiera.log().warn_on_our_own(issues::nobody_trusted_text(&variable.text));
        }
        self.inquiry.note_read(|| VariableRead { variable: variable.clone(), value: value.clone() });
        Ok(value)
    }

    /// A fact that is not there is nothing, as in the reference; but if another has nearly the same name, that is said once.
    fn hint_at_names(&self, variable: &Variable, map: &Value) {
        if self.inquiry.is_secret {
            return;
        }
        let (Value::Hash(map), Some(Segment::Name(name))) = (map, variable.segments.first()) else { return };
        if map.contains_str(name) {
            return;
        }
        let is_known =
            variable.root.as_ref().is_some_and(|root| NAMED.contains(&root.trim_start_matches(':')));
        if is_known && self.hiera.log().is_new(&variable.text) {
            if map.is_empty()
                && variable.root.as_ref().is_some_and(|root| root.trim_start_matches(':') == "facts")
            {
                self.hiera.log().warn_on_our_own(issues::no_facts_text(&variable.text));
            }
            let near = nearest(name, map.keys().filter_map(Value::as_str));
            if !near.is_empty() {
                self.hiera.log().warn_on_our_own(issues::near_names_text(&variable.text, name, &near));
            }
        }
    }

    fn read_root(&mut self, root: &Str) -> Result<Value> {
        if let Some(value) = self.inquiry.overrides.get_str(root) {
            let shown = self.shown_variable(value);
            self.tell(|| Event::FoundInOverrides(root.clone(), shown));
            return Ok(value.clone());
        }
        let fallback = self.inquiry.defaults.get_str(root);
        match self.scope_value(root, fallback.is_some())? {
            Found::Value(value) => {
                let shown = self.shown_variable(&value);
                self.tell(|| Event::Found(root.clone(), shown));
                Ok(value)
            }
            Found::Missing => match fallback {
                Some(value) => {
                    let shown = self.shown_variable(value);
                    self.tell(|| Event::FoundInDefaults(root.clone(), shown));
                    Ok(value.clone())
                }
                None => Ok(Value::Undef),
            },
        }
    }

    /// Manifests may keep secrets in variables.
    fn shown_variable(&self, value: &Value) -> Value {
        if self.listener.is_some() { self.shown(value) } else { Value::Undef }
    }

    fn scope_value(&mut self, root: &str, has_fallback: bool) -> Result<Found> {
        if let Some((_, value)) = self.inquiry.local.filter(|(name, _)| *name == root) {
            return Ok(Found::Value(value.clone()));
        }
        match self.host.variable(root) {
            host::Variable::Value(Value::String(text)) if self.inquiry.hiera3_scope && text.is_empty() => {
                Ok(Found::Value(Value::Undef))
            }
            host::Variable::Value(value) => Ok(Found::Value(value)),
            host::Variable::Undefined(_) if has_fallback => Ok(Found::Missing),
            host::Variable::Undefined(reason) => self.undefined(root, &reason).map(|()| Found::Missing),
        }
    }

    fn undefined(&self, root: &str, reason: &str) -> Result<()> {
        let log = self.hiera.log();
        match self.hiera.settings().strict {
            Strict::Off => {}
            Strict::Warning if self.inquiry.is_secret => {
                log.warn_about_nothing(&issues::undefined_in_secret_text());
            }
            Strict::Warning => log.warn_about_nothing(&issues::undefined_variable_text(root, reason)),
            Strict::Error if self.inquiry.mode == Mode::Location => {
                log.warn_about_nothing(&issues::undefined_in_location_text(root, reason));
            }
            Strict::Error => return Err(issues::undefined_variable(root, reason)),
        }
        Ok(())
    }

    /// Fills in the tokens of a value that a data function made.
    pub(crate) fn interpolate(&mut self, value: Value) -> Result<Value> {
        self.fill(&Data::new(value))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_tokens;

    /// Texts as JSON, and what becomes of them. A text may ask for itself by the name that it has here.
    const TOKENS_ARE_FILLED_IN_OR_REFUSED: &[(&str, &str)] = &[
        (r#""%{x}""#, r#""X""#),
        (r#""a%{x}b""#, r#""aXb""#),
        (r#""%{::x}""#, r#""X""#),
        (r#""%{h.a}""#, r#""{\"b\"=>\"deep\"}""#),
        (r#""%{h.a.b}""#, r#""deep""#),
        (r#""%{h.nope}""#, r#""""#),
        (r#""%{nope}""#, "fails: Undefined variable 'nope'; "),
        (r#""%{}""#, r#""""#),
        (r#""%{::}""#, r#""""#),
        (r#""%{\"\"}""#, r#""""#),
        (r#""%{''}""#, r#""""#),
        (r#""%{lookup(\"s\")}""#, r#""text""#),
        (r#""%{lookup('s')}""#, r#""text""#),
        (r#""%{hiera('s')}""#, r#""text""#),
        (r#""%{alias('l')}""#, r#"[1,"X"]"#),
        (
            r#""a%{alias('l')}""#,
            "fails: 'alias' interpolation is only permitted if the expression is equal to the entire string",
        ),
        (r#""%{literal('%')}{x}""#, r#""%{x}""#),
        (r#""%{scope('x')}""#, r#""X""#),
        (r#""%{nope('x')}""#, "fails: Unknown interpolation method 'nope'"),
        (r#""%{lookup('nope')}""#, r#""""#),
        (r#""%{lookup('l')}""#, r#""[1, \"X\"]""#),
        (r#""%{lookup('m')}""#, r#""{\"a\"=>{\"b\"=>5}}""#),
        (r#""%{lookup('m.a')}""#, r#""{\"b\"=>5}""#),
        (r#""%{lookup('l.0')}""#, r#""1""#),
        (r#""%{l2.0}""#, r#""one""#),
        (r#""%{ x }""#, r#""X""#),
        (r#""%{x""#, r#""%{x""#),
        (r#""%x}""#, r#""%x}""#),
        (r#""%%{x}""#, r#""%X""#),
        (r#""%{x}%{x}""#, r#""XX""#),
        (r#""%{lookup(s)}""#, "fails: Undefined variable 'lookup(s)'; "),
        (r#""%{lookup('s'}""#, "fails: Syntax error in string: %{lookup('s'}"),
        (r#""%{lookup('s\")}""#, r#"fails: Syntax error in string: %{lookup('s")}"#),
        (r#""%{'x'}""#, r#""X""#),
        (r#""%{\"h.a\"}""#, "fails: Undefined variable 'h.a'; "),
        (r#""%{h.'a'}""#, r#""{\"b\"=>\"deep\"}""#),
        (r#"["%{x}", {"%{x}": "%{x}"}]"#, r#"["X",{"X":"X"}]"#),
        (r#""%{lookup('t38')}""#, "fails: Lookup of key 't38' failed: Recursive lookup detected in [t38]"),
        (
            r#""%{lookup('t40')}""#,
            "fails: Lookup of key 't39' failed: Recursive lookup detected in [t39, t40]",
        ),
        (
            r#""%{lookup('t39')}""#,
            "fails: Lookup of key 't40' failed: Recursive lookup detected in [t40, t39]",
        ),
        (r#""%{alias('t42')}""#, r#""text!""#),
        (r#""%{lookup('s')}!""#, r#""text!""#),
        (r#""%{b}""#, r#""true""#),
        (r#""%{n}""#, r#""5""#),
        (r#""%{h}""#, r#""{\"a\"=>{\"b\"=>\"deep\"}}""#),
        (r#""%{f}""#, r#""1.5""#),
        (r#""%{lookup('u')}""#, r#""""#),
        (r#""%{alias('nope')}""#, r#""""#),
        (r#""%{literal('a)b')}""#, r#""a)b""#),
        (r#""%{lookup('s')}%{lookup('s')}""#, r#""texttext""#),
        (r#""%{facts.x}""#, r#""X""#),
        (
            r#""%{x.y}""#,
            "fails: Data Provider type mismatch: Got String when a hash-like object was expected to access value using 'y' from key 'x.y'",
        ),
        (r#""%{x::y}""#, "fails: Undefined variable 'x::y'; class x could not be found"),
        (
            r#""%{alias('l')} ""#,
            "fails: 'alias' interpolation is only permitted if the expression is equal to the entire string",
        ),
        (r#""%{lookup(  's'  )}""#, "fails: Syntax error in string: %{lookup(  's'  )}"),
        (r#""%{LOOKUP('s')}""#, "fails: Unknown interpolation method 'LOOKUP'"),
        (r#""\\%{x}""#, r#""\\X""#),
        (
            r#""%{lookup('l.x')}""#,
            "fails: Data Provider type mismatch: Got Array when a hash-like object was expected to access value using 'x' from key 'l.x'",
        ),
    ];

    #[test]
    fn tokens_are_filled_in_or_refused() {
        check_tokens(TOKENS_ARE_FILLED_IN_OR_REFUSED);
    }
}
