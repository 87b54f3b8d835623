//! Evaluating what waits: collectors and defined types take turns until nothing is left.

use hierarch_source::Error;

use crate::evaluator::Evaluator;
use crate::resource::ResourceId;
use crate::{Result, Unwind, issues};

/// So many turns are more than any real program needs.
const MOST_ROUNDS: usize = 1_000;

impl Evaluator<'_> {
    /// Evaluates defined types that were declared, and runs collectors, until nothing changes.
    pub(crate) fn generate(&mut self) -> Result<()> {
        for _ in 0..=MOST_ROUNDS {
            let found = self.collect()?;
            let evaluated = self.evaluate_pending()?;
            if !found && !evaluated {
                return Ok(());
            }
        }
        Err(issues::too_many_rounds(MOST_ROUNDS).into())
    }

    /// Evaluates what was waiting when the round began, in the order of declaration.
    fn evaluate_pending(&mut self) -> Result<bool> {
        let mut pending = std::mem::take(&mut self.compilation.pending);
        pending.sort_unstable();
        pending.retain(|id| !self.compilation.resource(*id).is_evaluated);
        for id in &pending {
            self.evaluate_pending_one(*id)?;
        }
        Ok(!pending.is_empty())
    }

    fn evaluate_pending_one(&mut self, id: ResourceId) -> Result<()> {
        self.evaluate_resource(id).map_err(|unwind| match unwind {
            Unwind::Error(error) => self.compilation.failed_declaration(id, error).into(),
            jump => self.broken_out(jump).into(),
        })
    }

    /// Returns the error of a jump out of a defined type.
    fn broken_out(&mut self, jump: Unwind) -> Error {
        let error = self.illegal(jump);
        issues::failed_object(error)
    }
}
