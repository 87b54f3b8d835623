//! Loops, `case`, and what catches errors.

use std::rc::Rc;
use std::sync::Arc;

use super::{Flow, Res, Vm};
use crate::syntax::tree::{Begin, Block, Case, Expression, Kind, Loop, Rescue, Target};
use crate::value::{Env, Value, names};

/// What a turn of a loop says.
enum Turn {
    Go,
    Again,
    End(Value),
}

impl Vm<'_> {
    /// Evaluates `while` and `until`.
    pub(super) fn eval_loop(&mut self, env: &Rc<Env>, looping: &Loop) -> Res {
        let mut asks = !looping.body_first;
        loop {
            self.step()?;
            if asks {
                match self.turn(env, &looping.condition)? {
                    (Turn::End(value), _) => return Ok(value),
                    (_, value) if value.truthy() == looping.until => return Ok(Value::Nil),
                    _ => {}
                }
            }
            match self.turn(env, &looping.body)?.0 {
                Turn::End(value) => return Ok(value),
                Turn::Again => asks = false,
                Turn::Go => asks = true,
            }
        }
    }

    fn turn(&mut self, env: &Rc<Env>, body: &Expression) -> Res<(Turn, Value)> {
        match self.eval(env, body) {
            Ok(value) => Ok((Turn::Go, value)),
            Err(flow) => match *flow {
                Flow::LoopBreak(value) => Ok((Turn::End(value), Value::Nil)),
                Flow::LoopNext => Ok((Turn::Go, Value::Nil)),
                Flow::LoopRedo => Ok((Turn::Again, Value::Nil)),
                other => Err(Box::new(other)),
            },
        }
    }

    /// Evaluates `for`, which has no scope of its own.
    pub(super) fn eval_for(
        &mut self,
        env: &Rc<Env>,
        target: &Target,
        over: &Expression,
        block: &Arc<Block>,
    ) -> Res {
        let over = self.eval(env, over)?;
        let (env, block, line) = (Rc::clone(env), Arc::clone(block), block.line);
        self.at_line(line);
        // The target is walked through the tree that the block belongs to: both live as long as the program.
        let items = self.elements_for(&over)?;
        for item in items {
            self.step()?;
            self.assign(&env, target, item, line)?;
            loop {
                match self.turn(&env, &block.body)?.0 {
                    Turn::End(value) => return Ok(value),
                    Turn::Again => self.step()?,
                    Turn::Go => break,
                }
            }
        }
        Ok(over)
    }

    fn elements_for(&mut self, over: &Value) -> Res<Vec<Value>> {
        match over {
            Value::Array(array) => Ok(array.to_vec()),
            other => self.elements(other),
        }
    }

    /// Evaluates `case`.
    pub(super) fn eval_case(&mut self, env: &Rc<Env>, case: &Case) -> Res {
        let subject = match &case.subject {
            Some(subject) => Some(self.eval(env, subject)?),
            None => None,
        };
        for (conditions, body) in &case.branches {
            for condition in conditions {
                if self.case_matches(env, subject.as_ref(), condition)? {
                    return self.eval(env, body);
                }
            }
        }
        self.eval(env, &case.otherwise)
    }

    fn case_matches(&mut self, env: &Rc<Env>, subject: Option<&Value>, condition: &Expression) -> Res<bool> {
        if let Kind::Splat(inner) = &condition.kind {
            let list = self.eval(env, inner)?;
            for pattern in self.splat(&list)? {
                if self.case_holds(subject, &pattern, condition.line)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let pattern = self.eval(env, condition)?;
        self.case_holds(subject, &pattern, condition.line)
    }

    fn case_holds(&mut self, subject: Option<&Value>, pattern: &Value, line: u32) -> Res<bool> {
        self.at_line(line);
        match subject {
            Some(subject) => self.case_equal(pattern, subject),
            None => Ok(pattern.truthy()),
        }
    }

    /// Tells whether `pattern === value`.
    pub fn case_equal(&mut self, pattern: &Value, value: &Value) -> Res<bool> {
        Ok(self.send(pattern, names::CASE_EQ, &[value.clone()])?.truthy())
    }

    /// Evaluates `begin … rescue … else … ensure`.
    pub(super) fn eval_begin(&mut self, env: &Rc<Env>, begin: &Begin) -> Res {
        let result = self.eval_rescued(env, begin);
        let Some(ensure) = &begin.ensure else { return result };
        if let Err(flow) = &result
            && matches!(**flow, Flow::Stop(_))
        {
            // A limit ends everything: not even `ensure` runs on.
            return result;
        }
        let error = self.current_error.clone();
        // What `ensure` raises has the exception on its way as its cause.
        if let Err(flow) = &result
            && let Flow::Raise(exception) = &**flow
        {
            self.current_error = exception.clone();
        }
        self.eval(env, ensure)?;
        self.current_error = error;
        result
    }

    fn eval_rescued(&mut self, env: &Rc<Env>, begin: &Begin) -> Res {
        let frames = self.frames.len();
        let (depth, busy) = (self.depth, self.busy.len());
        loop {
            let outer_error = self.current_error.clone();
            let exception = match self.eval(env, &begin.body) {
                Ok(value) => {
                    return match &begin.otherwise {
                        Some(otherwise) => self.eval(env, otherwise),
                        None => Ok(value),
                    };
                }
                Err(flow) => match *flow {
                    Flow::Raise(exception) => exception,
                    other => return Err(Box::new(other)),
                },
            };
            self.frames.truncate(frames);
            self.depth = depth;
            self.busy.truncate(busy);
            let Some(rescue) = self.find_rescue(env, &begin.rescues, &exception)? else {
                return Err(Box::new(Flow::Raise(exception)));
            };
            self.current_error = exception.clone();
            if let Some(target) = &rescue.target {
                self.assign(env, target, exception, 0)?;
            }
            let result = self.eval(env, &rescue.body);
            self.current_error = outer_error;
            match result {
                Err(flow) if matches!(*flow, Flow::Retry) => self.step()?,
                result => return result,
            }
        }
    }

    fn find_rescue<'b>(
        &mut self,
        env: &Rc<Env>,
        rescues: &'b [Rescue],
        exception: &Value,
    ) -> Res<Option<&'b Rescue>> {
        for rescue in rescues {
            if rescue.classes.is_empty() {
                if self.is_a(exception, "StandardError") {
                    return Ok(Some(rescue));
                }
                continue;
            }
            for class in &rescue.classes {
                if self.rescues(env, class, exception)? {
                    return Ok(Some(rescue));
                }
            }
        }
        Ok(None)
    }

    fn rescues(&mut self, env: &Rc<Env>, class: &Expression, exception: &Value) -> Res<bool> {
        let classes = match &class.kind {
            Kind::Splat(inner) => {
                let list = self.eval(env, inner)?;
                self.splat(&list)?
            }
            _ => vec![self.eval(env, class)?],
        };
        for class in classes {
            if !matches!(class, Value::Class(_)) {
                return Err(self.raise("TypeError", "class or module required for rescue clause"));
            }
            if self.case_equal(&class, exception)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
