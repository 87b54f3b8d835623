//! Finding the signature that takes the arguments of a call, and saying why none does.

use hierarch_pcore::{Hash, Value};

use super::{Call, CompiledFunction, Kind, Signature};
use crate::iterate::Lazy;
use crate::resource::attributes::unreferable;
use crate::{Result, issues, mismatch};

impl Call<'_, '_> {
    /// Calls the first dispatch that takes the arguments.
    pub(crate) fn dispatch(&mut self, compiled: &CompiledFunction) -> Result<Value> {
        let signatures = compiled.signatures()?;
        let size = self.arguments.iter().map(|argument| argument.extent().size).sum();
        self.evaluator.budget.work(size)?;
        for (dispatch, signature) in compiled.function.dispatches.iter().zip(signatures) {
            if let Kind::Legacy(arity) = dispatch.kind {
                return self.dispatch_legacy(arity, dispatch.body);
            }
            if !self.fits(signature) {
                continue;
            }
            let value = (dispatch.body)(self)?;
            if dispatch.kind == Kind::Mismatch {
                return Err(issues::mismatch_in_own_words(self.name, &value.to_string()).into());
            }
            return match &signature.returns {
                Some(type_) if !type_.has(&value) => {
                    Err(mismatch::wrong_result(self.name, type_, &value).into())
                }
                _ => Ok(value),
            };
        }
        Err(self.mismatch(compiled, signatures).into())
    }

    pub(super) fn fits(&self, signature: &Signature) -> bool {
        let block_fits = match (&signature.block, &self.block) {
            (None, block) => block.is_none(),
            (Some(wanted), None) => wanted.is_optional,
            (Some(wanted), Some(block)) => wanted.takes(block.callable),
        };
        block_fits && signature.takes(&self.arguments)
    }

    fn mismatch(&self, compiled: &CompiledFunction, signatures: &[Signature]) -> hierarch_source::Error {
        let is_listed = |kind: Kind| kind == Kind::Typed;
        let listed: Vec<&Signature> = compiled
            .function
            .dispatches
            .iter()
            .zip(signatures)
            .filter(|(dispatch, _)| is_listed(dispatch.kind))
            .map(|(_, signature)| signature)
            .collect();
        mismatch::of_call(self.name, &listed, &self.arguments, self.block.map(|block| &block.callable.type_))
    }

    /// Of what old functions are given only the number is checked; `undef` is an empty text to them.
    fn dispatch_legacy(&mut self, arity: i32, body: super::Body) -> Result<Value> {
        self.make_old(arity)?;
        body(self)
    }

    /// Makes the arguments what functions without types know.
    pub(super) fn make_old(&mut self, arity: i32) -> Result<()> {
        let count = self.arguments.len() as i32;
        let fits = if arity < 0 { count > -arity - 2 } else { count == arity };
        if !fits {
            return Err(issues::legacy_arity(self.name, count, arity).into());
        }
        for argument in &mut self.arguments {
            *argument = if argument.is_undef() { Value::from("") } else { as_old(argument)? };
        }
        Ok(())
    }
}

/// Returns a value as functions without types know it: what is newer than they are is text to them, at any depth.
fn as_old(value: &Value) -> Result<Value> {
    Ok(match value {
        Value::Regexp(_)
        | Value::SemVer(_)
        | Value::SemVerRange(_)
        | Value::Binary(_)
        | Value::Timespan(_)
        | Value::Timestamp(_) => value.to_string().into(),
        Value::Array(elements) => Value::array(elements.iter().map(as_old).collect::<Result<_>>()?),
        Value::Hash(hash) => {
            let mut old = Hash::with_capacity(hash.len());
            for (key, value) in hash.iter() {
                old.insert(as_old(key)?, as_old(value)?);
            }
            old.into()
        }
        Value::Type(_) => match unreferable(value) {
            Some(error) => return Err(error.into()),
            None => value.clone(),
        },
        Value::Foreign(foreign) if foreign.elements().is_some() && !Lazy::is_tree(value) => {
            return Err(issues::no_iterator_here().into());
        }
        other => other.clone(),
    })
}
