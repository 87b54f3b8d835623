//! Calls that need no search, because they are made so often: operators on small numbers, and what templates are made of.

use std::rc::Rc;

use ecow::EcoString;
use hierarch_pcore::value::number::Digits;

use super::call::Form;
use super::classes::Plain;
use super::{Args, Res, Vm};
use crate::syntax::tree::{Call, Expression, Kind, Shortcut};
use crate::value::class::{Callable, Visibility};
use crate::value::hash::Identity;
use crate::value::string::{Encoding, Str};
use crate::value::{ClassRef, Env, Hash, Sym, Value, names};

impl Vm<'_> {
    /// Answers a call of a frequent form without a search; nothing if the method has to be called after all.
    #[inline]
    pub(super) fn take_shortcut(
        &mut self,
        env: &Rc<Env>,
        receiver: &Value,
        call: &Call,
        line: u32,
    ) -> Res<Option<Value>> {
        let Some(argument) = call.arguments.items.first() else { return Ok(None) };
        match (call.shortcut, receiver, &argument.kind) {
            (Shortcut::Integer, Value::Int(left), Kind::Integer(right)) => {
                Ok(integer_operation(*left, call.name, *right))
            }
            (Shortcut::Append, Value::Str(it), Kind::Text { text, .. }) => {
                self.append(receiver, it, text, line)
            }
            (Shortcut::Output, Value::Str(it), Kind::Call(said)) => {
                let Some(value) = &said.receiver else { return Ok(None) };
                self.output(env, (receiver, it), value, (argument.line, line)).map(Some)
            }
            (Shortcut::Entry, Value::Hash(hash), Kind::Text { text, .. }) => self.entry(hash, text, line),
            (Shortcut::Equal, _, Kind::Text { text, .. }) => {
                let is_same = match receiver {
                    Value::Str(it) if is_plain(it) => it.is(text),
                    Value::Nil | Value::Bool(_) | Value::Int(_) => false,
                    _ => return Ok(None),
                };
                self.step()?;
                Ok(Some(Value::Bool(is_same == (call.name == names::EQ))))
            }
            _ => Ok(None),
        }
    }

    /// Looks up a text in a hash without making a value of it.
    fn entry(&mut self, hash: &Hash, text: &EcoString, line: u32) -> Res<Option<Value>> {
        let is_plain = hash.meta.borrow().is_none() && !hash.by_identity.get();
        if !is_plain || !self.unchanged().hash_has_entries {
            return Ok(None);
        }
        self.at_line(line);
        self.step()?;
        Ok(hash.get(&Identity::Text(text.clone())))
    }

    /// Appends a literal to a text without making a value of it: templates are made of that.
    #[inline]
    fn append(&mut self, receiver: &Value, it: &Str, text: &str, line: u32) -> Res<Option<Value>> {
        if !self.takes_text(it) {
            return Ok(None);
        }
        self.at_line(line);
        self.step()?;
        self.check_size(it.len() + text.len())?;
        it.push_str(text);
        Ok(Some(receiver.clone()))
    }

    /// Appends what a value says of itself, `_erbout.<<((value).to_s)`, the other thing that templates are made of. Texts
    /// and integers are appended as they are; whatever else is called by name, as it would have been.
    fn output(
        &mut self,
        env: &Rc<Env>,
        (receiver, it): (&Value, &Rc<Str>),
        said: &Expression,
        (said_line, line): (u32, u32),
    ) -> Res {
        let value = self.eval(env, said)?;
        self.at_line(said_line);
        if !self.says_itself(&value) || !self.takes_text(it) {
            let text = self.call_method(&value, names::TO_S, Args::default(), Form::Explicit)?;
            self.at_line(line);
            return self.call_method(receiver, names::SHL, Args::of(&[text]), Form::Explicit);
        }
        // Two calls that are not made.
        self.step()?;
        self.at_line(line);
        self.step()?;
        match &value {
            // A text that is appended to itself.
            Value::Str(text) if Rc::ptr_eq(text, it) => {
                let text = text.get();
                self.check_size(it.len() + text.bytes().len())?;
                it.push(&text);
            }
            Value::Str(text) => {
                let text = text.text();
                self.check_size(it.len() + text.bytes().len())?;
                it.push(&text);
            }
            Value::Int(number) => {
                let mut digits = Digits::new();
                let text = digits.format(*number);
                self.check_size(it.len() + text.len())?;
                it.push_str(text);
            }
            _ => {}
        }
        Ok(receiver.clone())
    }

    /// Tells whether `to_s` of a value is the value as it is written: it is a text or an integer, and nobody changed the method.
    fn says_itself(&mut self, value: &Value) -> bool {
        match value {
            Value::Str(text) => is_plain(text) && self.unchanged().text_says_itself,
            Value::Int(_) => self.unchanged().integer_says_itself,
            _ => false,
        }
    }

    /// Tells whether `<<` appends UTF-8 to a text: it may change, and nobody changed the method.
    fn takes_text(&mut self, it: &Str) -> bool {
        !it.frozen.get() && is_plain(it) && self.unchanged().text_takes_text
    }

    /// Returns which methods are still those that their classes were made with, found out anew when anything was defined.
    fn unchanged(&mut self) -> PlainMethods {
        if self.unchanged.epoch != self.epoch {
            let (text, integer) = (self.plain_class(Plain::String), self.plain_class(Plain::Integer));
            let hash = self.plain_class(Plain::Hash);
            self.unchanged = PlainMethods {
                hash_has_entries: self.has_own_builtin(&hash, names::INDEX),
                text_takes_text: self.has_own_builtin(&text, names::SHL),
                text_says_itself: self.has_own_builtin(&text, names::TO_S),
                integer_says_itself: self.has_own_builtin(&integer, names::TO_S),
                epoch: self.epoch,
            };
        }
        self.unchanged
    }

    fn has_own_builtin(&mut self, class: &ClassRef, name: Sym) -> bool {
        self.find_method(class, name).is_some_and(|method| {
            let is_built_in =
                matches!(&method.body, Callable::Builtin(builtin) if builtin.name == name.text());
            is_built_in && method.visibility == Visibility::Public && Rc::ptr_eq(&method.owner, class)
        })
    }
}

/// Methods that nobody defined anew, as of an epoch.
#[derive(Clone, Copy, Default)]
pub(crate) struct PlainMethods {
    epoch: u64,
    text_takes_text: bool,
    text_says_itself: bool,
    integer_says_itself: bool,
    hash_has_entries: bool,
}

/// Tells whether a string is UTF-8 and an instance of `String` itself.
fn is_plain(text: &Str) -> bool {
    text.meta.borrow().is_none() && text.text().encoding() == Encoding::Utf8
}

/// Computes what fits; nothing if it does not, or another operator is meant.
#[inline]
fn integer_operation(left: i64, operator: Sym, right: i64) -> Option<Value> {
    match operator {
        names::PLUS => left.checked_add(right).map(Value::Int),
        names::MINUS => left.checked_sub(right).map(Value::Int),
        names::LT => Some(Value::Bool(left < right)),
        names::GT => Some(Value::Bool(left > right)),
        names::LE => Some(Value::Bool(left <= right)),
        names::GE => Some(Value::Bool(left >= right)),
        names::EQ => Some(Value::Bool(left == right)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::ScriptLimits;

    fn outcome(code: &str) -> String {
        let shown = crate::run::outcome(code, ScriptLimits::default());
        shown.unwrap_or_else(|failure| failure.to_string())
    }

    /// What is appended directly is what the two methods append when they are called by name.
    #[test]
    fn what_is_output_quickly_is_what_methods_output() {
        let prepared = [
            "",
            "class String; def to_s; 'own'; end; end",
            "class Integer; def to_s; 'whole'; end; end",
            "class String; def <<(more); replace(self + '+' + more); end; end",
            "class String; private :to_s; end",
            "class String; undef_method :to_s; end",
            "class Text < String; def to_s; 'sub'; end; end",
            "s = 'x'; def s.to_s; 'alone'; end",
        ];
        let starts = ["+''", "+'é'", "'frozen'.freeze", "\"\\xff\".b", "+\"\\xff\""];
        let said = [
            "'a'",
            "\"\\xfe\".b",
            "\"\\xfe\"",
            "'ü'",
            "0",
            "-120",
            "9223372036854775807",
            "10**30",
            "nil",
            ":s",
            "1.5",
            "[1, 'a']",
            "{a: 1}",
            "o",
            "self",
            "(defined?(Text) ? Text.new('t') : 't')",
            "(s rescue 's')",
            "(raise 'no')",
        ];
        for prepared in prepared {
            for start in starts {
                for said in said {
                    let quick = format!("{prepared}\no = {start}; o.<<(({said}).to_s); [o, o.encoding.to_s]");
                    let named = format!(
                        "{prepared}\no = {start}; x = ({said}); t = x.public_send(:to_s); o.public_send(:<<, t); [o, o.encoding.to_s]"
                    );
                    assert_eq!(outcome(&quick), outcome(&named), "{quick}");
                }
            }
        }
    }

    #[test]
    fn an_error_has_the_line_that_it_has_in_methods() {
        for said in ["raise('no')", "nil.no", "BasicObject.new", "'a'"] {
            let line = |end: &str| {
                let code =
                    format!("o = 'frozen'.freeze\n[1].each do |x|\n1\no.<<((\n{said}\n).to_s{end})\nend\n");
                outcome(&format!("begin\n{code}\nrescue => e\n[e.class, e.backtrace.first[/:\\d+/]]\nend"))
            };
            assert_eq!(line(""), line(".itself"), "{said}");
            assert!(line("").contains(':'), "{}", line(""));
        }
    }
}
