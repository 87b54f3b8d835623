//! Conditionals. Each restores the match variables of the code around it.

use hierarch_pcore::Value;
use hierarch_syntax::ast::Expr;

use crate::Result;
use crate::code::{CaseOption, Id, Item};
use crate::evaluator::{Evaluated, Evaluator};
use crate::issues;
use crate::scope::Frame;

impl Evaluator<'_> {
    pub(crate) fn conditional(&mut self, frame: &Frame, test: Id, then: Id, otherwise: Id) -> Evaluated {
        let mark = self.matches.mark();
        let branch = if self.eval(frame, test)?.is_truthy() { then } else { otherwise };
        let value = self.eval(frame, branch)?;
        self.matches.back_to(mark);
        Ok(value)
    }

    pub(crate) fn case(
        &mut self,
        frame: &Frame,
        test: Id,
        options: &[CaseOption],
        otherwise: Id,
    ) -> Evaluated {
        let mark = self.matches.mark();
        let value = self.eval(frame, test)?;
        let then = self.matching(frame, &value, options)?.unwrap_or(otherwise);
        let result = self.eval(frame, then)?;
        self.matches.back_to(mark);
        Ok(result)
    }

    pub(crate) fn select(
        &mut self,
        frame: &Frame,
        id: Id,
        test: Id,
        options: &[CaseOption],
        otherwise: Option<Id>,
    ) -> Evaluated {
        let mark = self.matches.mark();
        let value = self.eval(frame, test)?;
        let Some(then) = self.matching(frame, &value, options)?.or(otherwise) else {
            let Expr::Selector { left, .. } = frame.code.ast.expr(frame.code.origin(id)) else {
                return Err(issues::unmatched_selector(&value).into());
            };
            return Err(issues::at(issues::unmatched_selector(&value), &frame.code.ast, left).into());
        };
        let result = self.eval(frame, then)?;
        self.matches.back_to(mark);
        Ok(result)
    }

    /// Finds the first option that matches; its values are found out one by one.
    fn matching(&mut self, frame: &Frame, value: &Value, options: &[CaseOption]) -> Result<Option<Id>> {
        for option in options {
            for item in &option.values {
                if self.option_matches(frame, value, *item)? {
                    return Ok(Some(option.then));
                }
            }
        }
        Ok(None)
    }

    fn option_matches(&mut self, frame: &Frame, value: &Value, item: Item) -> Result<bool> {
        let pattern = self.eval(frame, item.id)?;
        match &pattern {
            Value::Array(patterns) if item.is_splat => {
                for pattern in patterns.iter() {
                    if self.matches_pattern(value, pattern)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            pattern => self.matches_pattern(value, pattern),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_programs;

    #[test]
    fn branches_and_their_values() {
        check_programs(&[
            ("if true { 1 }", "1"),
            ("if false { 1 }", "undef"),
            ("if false { 1 } else { 2 }", "2"),
            ("if false { 1 } elsif true { 3 } else { 2 }", "3"),
            ("unless true { 1 }", "undef"),
            ("unless true { 1 } else { 2 }", "2"),
            ("if undef { 1 } else { 2 }", "2"),
            ("if '' { 1 } else { 2 }", "1"),
            ("if 0 { 1 } else { 2 }", "1"),
            ("if [] { 1 } else { 2 }", "1"),
            ("case 5 { 5: { 'a' } default: { 'b' } }", "'a'"),
            ("case 5 { 1, 5: { 'a' } default: { 'b' } }", "'a'"),
            ("case 'A' { 'a': { 1 } default: { 2 } }", "1"),
            ("case 5 { Integer: { 1 } }", "1"),
            ("case 5 { String: { 1 } }", "undef"),
            ("case 'abc' { /b/: { $0 } }", "'b'"),
            ("case [1, 'a'] { [Integer, /a/]: { 1 } default: { 2 } }", "1"),
            ("case {a => 1} { {a => Integer}: { 1 } default: { 2 } }", "1"),
            ("case {a => 1, b => 2} { {a => Integer}: { 1 } default: { 2 } }", "1"),
            ("case 5 { *[4, 5]: { 1 } }", "1"),
            ("case undef { undef: { 1 } }", "1"),
            ("case undef { '': { 1 } default: { 2 } }", "2"),
            ("case 1 { default: { 'd' } 1: { 'one' } }", "'one'"),
            ("5 ? { 5 => 'a', default => 'b' }", "'a'"),
            (
                "5 ? { 6 => 'a' }",
                "Evaluation Error: No matching entry for selector parameter with value '5' (line: 1, column: 1)",
            ),
            ("'x' ? { /x/ => $0 }", "'x'"),
            ("5 ? { Integer => 1, default => 2 }", "1"),
            ("5 ? { default => 2, 5 => 1 }", "1"),
            ("true and undef", "false"),
            ("false or 'a'", "true"),
            ("!undef", "true"),
            ("!''", "false"),
            ("true and 1 / 0", "Evaluation Error: Division by 0 (line: 1, column: 14)"),
            ("false and 1 / 0", "false"),
        ]);
    }
}
