//! Walking over anything that has `each`.

use std::cell::RefCell;
use std::rc::Rc;

use super::{Args, Flow, Res, Vm};
use crate::value::{Proc, Value, names};

impl Vm<'_> {
    /// Walks over the elements of a value and gathers something; the walk ends when `step` gives false.
    ///
    /// `step` owns what it needs because the elements may come from a script's own `each`.
    pub fn fold<T: 'static>(
        &mut self,
        over: &Value,
        state: T,
        step: impl Fn(&mut Vm<'_>, &mut T, Value) -> Res<bool> + 'static,
    ) -> Res<T> {
        self.fold_yielded(over, state, move |vm, state, item, _| step(vm, state, item))
    }

    /// Walks as [`Vm::fold`] does; `step` is told as well whether the element is several values that were yielded at once, which
    /// some methods hand on as they are.
    pub fn fold_yielded<T: 'static>(
        &mut self,
        over: &Value,
        state: T,
        step: impl Fn(&mut Vm<'_>, &mut T, Value, bool) -> Res<bool> + 'static,
    ) -> Res<T> {
        let mut state = state;
        match over {
            Value::Array(array) if array.meta.borrow().is_none() => {
                let mut place = 0;
                while let Some(item) = array.get(place) {
                    self.step()?;
                    if !step(self, &mut state, item, false)? {
                        break;
                    }
                    place += 1;
                }
                Ok(state)
            }
            Value::Hash(hash) if hash.meta.borrow().is_none() => {
                let mut place = 0;
                hash.walkers.set(hash.walkers.get() + 1);
                let result = loop {
                    let Some((key, value)) = hash.at(place) else { break Ok(()) };
                    let pair = self.pair(key, value);
                    match self.step().and_then(|()| step(self, &mut state, pair, false)) {
                        Ok(true) => place += 1,
                        Ok(false) => break Ok(()),
                        Err(flow) => break Err(flow),
                    }
                };
                hash.walkers.set(hash.walkers.get() - 1);
                result.map(|()| state)
            }
            Value::Range(range) => {
                if let (Value::Int(from), Value::Int(_) | Value::Nil) = (&range.from, &range.to) {
                    let end = match &range.to {
                        Value::Int(to) => {
                            if range.exclusive {
                                *to
                            } else {
                                to.saturating_add(1)
                            }
                        }
                        _ => i64::MAX,
                    };
                    let mut number = *from;
                    while number < end {
                        self.step()?;
                        if !step(self, &mut state, Value::Int(number), false)? {
                            break;
                        }
                        number += 1;
                    }
                    return Ok(state);
                }
                self.fold_each(over, state, step)
            }
            other => self.fold_each(other, state, step),
        }
    }

    fn fold_each<T: 'static>(
        &mut self,
        over: &Value,
        state: T,
        step: impl Fn(&mut Vm<'_>, &mut T, Value, bool) -> Res<bool> + 'static,
    ) -> Res<T> {
        let number = self.number();
        let shared = Rc::new(RefCell::new(Some(state)));
        let inner = Rc::clone(&shared);
        let block = Proc::native(-1, move |vm, args| {
            let item = packed(vm, args);
            let Some(mut state) = inner.borrow_mut().take() else { return Ok(Value::Nil) };
            let result = step(vm, &mut state, item, args.list.len() > 1);
            *inner.borrow_mut() = Some(state);
            match result {
                Ok(true) => Ok(Value::Nil),
                Ok(false) => Err(Box::new(Flow::Enough(number))),
                Err(flow) => Err(flow),
            }
        });
        let (frames, depth) = (self.frames.len(), self.depth);
        let result = self.send_args(over, names::EACH, Args::with_block(&[], Some(Rc::new(block))));
        match result {
            Ok(_) => {}
            Err(flow) => match *flow {
                Flow::Enough(target) if target == number => {
                    self.frames.truncate(frames);
                    self.depth = depth;
                }
                other => return Err(Box::new(other)),
            },
        }
        let state = shared.borrow_mut().take();
        match state {
            Some(state) => Ok(state),
            None => Err(self.raise("RuntimeError", "each was entered again")),
        }
    }

    /// Returns all elements of something that has `each`.
    pub fn elements(&mut self, over: &Value) -> Res<Vec<Value>> {
        if let Value::Array(array) = over {
            return Ok(array.to_vec());
        }
        if let Value::Hash(hash) = over
            && hash.meta.borrow().is_none()
        {
            self.work(hash.len() as u64)?;
            return Ok(hash
                .entries()
                .iter()
                .map(|(key, value)| self.pair(key.value.clone(), value.clone()))
                .collect());
        }
        self.fold(over, Vec::new(), |vm, list: &mut Vec<Value>, item| {
            list.push(item);
            vm.check_size(list.len() * size_of::<Value>())?;
            Ok(true)
        })
    }
}

/// Several values that `each` yields at once are one element.
pub(crate) fn packed(vm: &mut Vm<'_>, args: &Args) -> Value {
    match args.list.as_slice() {
        [] => Value::Nil,
        [one] => one.clone(),
        many => vm.array(many.to_vec()),
    }
}
