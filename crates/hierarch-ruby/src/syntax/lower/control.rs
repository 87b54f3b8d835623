//! Conditions, loops, jumps, and what catches errors.

use ruby_prism::{ArgumentsNode, BeginNode, ElseNode, Node as Prism, RescueNode};

use super::super::tree::{Begin, Case, CaseIn, Expression, InBranch, Kind, Loop, Rescue};
use super::{Lowered, Lowering};

impl Lowering {
    /// Lowers what steers the run.
    pub(super) fn control(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_if_node() {
            let condition = self.boxed(&node.predicate())?;
            let then = Box::new(self.statements(node.statements())?);
            let otherwise = Box::new(self.or_nil(node.subsequent())?);
            return Ok(Some(Kind::If { condition, then, otherwise }));
        }
        if let Some(node) = node.as_unless_node() {
            let condition = self.boxed(&node.predicate())?;
            let otherwise = Box::new(self.statements(node.statements())?);
            let then = Box::new(self.otherwise(node.else_clause())?);
            return Ok(Some(Kind::If { condition, then, otherwise }));
        }
        if let Some(node) = node.as_else_node() {
            return Ok(Some(self.statements(node.statements())?.kind));
        }
        if let Some(node) = node.as_and_node() {
            return Ok(Some(Kind::And(self.boxed(&node.left())?, self.boxed(&node.right())?)));
        }
        if let Some(node) = node.as_or_node() {
            return Ok(Some(Kind::Or(self.boxed(&node.left())?, self.boxed(&node.right())?)));
        }
        if let Some(node) = node.as_defined_node() {
            return Ok(Some(Kind::Defined(self.boxed(&node.value())?)));
        }
        self.looping(node)
    }

    fn otherwise(&mut self, node: Option<ElseNode<'_>>) -> Lowered {
        self.statements(node.and_then(|node| node.statements()))
    }

    fn looping(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_while_node() {
            let body = (node.predicate(), node.statements());
            return self.loop_of(body, false, node.is_begin_modifier()).map(Some);
        }
        if let Some(node) = node.as_until_node() {
            let body = (node.predicate(), node.statements());
            return self.loop_of(body, true, node.is_begin_modifier()).map(Some);
        }
        if let Some(node) = node.as_for_node() {
            return self.for_of(&node).map(Some);
        }
        if let Some(node) = node.as_case_node() {
            return self.case(&node).map(Some);
        }
        if let Some(node) = node.as_case_match_node() {
            return self.case_in(&node).map(Some);
        }
        if let Some(node) = node.as_match_predicate_node() {
            let (value, pattern) = (self.boxed(&node.value())?, Box::new(self.pattern(&node.pattern())?));
            return Ok(Some(Kind::MatchPattern { value, pattern, required: false }));
        }
        if let Some(node) = node.as_match_required_node() {
            let (value, pattern) = (self.boxed(&node.value())?, Box::new(self.pattern(&node.pattern())?));
            return Ok(Some(Kind::MatchPattern { value, pattern, required: true }));
        }
        self.jump(node)
    }

    fn loop_of(
        &mut self,
        (condition, body): (Prism<'_>, Option<ruby_prism::StatementsNode<'_>>),
        until: bool,
        body_first: bool,
    ) -> Lowered<Kind> {
        let (condition, body) =
            self.in_loop(true, |lowering| Ok((lowering.node(&condition)?, lowering.statements(body)?)))?;
        Ok(Kind::Loop(Box::new(Loop { condition, body, until, body_first })))
    }

    /// A `for` is a block that has no scope of its own: it is given a slot for what it is called with.
    fn for_of(&mut self, node: &ruby_prism::ForNode<'_>) -> Lowered<Kind> {
        let target = Box::new(self.target(&node.index())?);
        let over = self.boxed(&node.collection())?;
        let body = self.in_loop(true, |lowering| lowering.statements(node.statements()))?;
        let block = super::super::tree::Block {
            parameters: super::super::tree::Parameters::default(),
            has_parameters: false,
            line: u32::try_from(node.location().start_line()).unwrap_or(1),
            body,
            locals: Vec::new(),
        };
        Ok(Kind::For { target, over, block: std::sync::Arc::new(block) })
    }

    fn case(&mut self, node: &ruby_prism::CaseNode<'_>) -> Lowered<Kind> {
        let subject = node.predicate().map(|subject| self.node(&subject)).transpose()?;
        let mut branches = Vec::new();
        for branch in &node.conditions() {
            if let Some(when) = branch.as_when_node() {
                branches.push((self.list(&when.conditions())?, self.statements(when.statements())?));
            }
        }
        let otherwise = self.otherwise(node.else_clause())?;
        Ok(Kind::Case(Box::new(Case { subject, branches, otherwise })))
    }

    fn case_in(&mut self, node: &ruby_prism::CaseMatchNode<'_>) -> Lowered<Kind> {
        let subject = self.or_nil(node.predicate())?;
        let mut branches = Vec::new();
        for branch in &node.conditions() {
            if let Some(branch) = branch.as_in_node() {
                branches.push(self.in_branch(&branch)?);
            }
        }
        let otherwise = match node.else_clause() {
            Some(clause) => Some(self.otherwise(Some(clause))?),
            None => None,
        };
        Ok(Kind::CaseIn(Box::new(CaseIn { subject, branches, otherwise })))
    }

    /// A guard is an `if` around the pattern.
    fn in_branch(&mut self, node: &ruby_prism::InNode<'_>) -> Lowered<InBranch> {
        let pattern = node.pattern();
        let (pattern, guard) = if let Some(guarded) = pattern.as_if_node() {
            (self.guarded(guarded.statements())?, Some((self.node(&guarded.predicate())?, false)))
        } else if let Some(guarded) = pattern.as_unless_node() {
            (self.guarded(guarded.statements())?, Some((self.node(&guarded.predicate())?, true)))
        } else {
            (self.pattern(&pattern)?, None)
        };
        Ok(InBranch { pattern, guard, body: self.statements(node.statements())? })
    }

    fn guarded(
        &mut self,
        statements: Option<ruby_prism::StatementsNode<'_>>,
    ) -> Lowered<super::super::tree::Pattern> {
        match statements.and_then(|statements| statements.body().first()) {
            Some(pattern) => self.pattern(&pattern),
            None => Ok(super::super::tree::Pattern::Ignore),
        }
    }

    fn jump(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        let of_loop = self.is_in_loop();
        if let Some(node) = node.as_return_node() {
            return Ok(Some(Kind::Return(self.jump_value(node.arguments())?)));
        }
        if let Some(node) = node.as_break_node() {
            return Ok(Some(Kind::Break { value: self.jump_value(node.arguments())?, of_loop }));
        }
        if let Some(node) = node.as_next_node() {
            return Ok(Some(Kind::Next { value: self.jump_value(node.arguments())?, of_loop }));
        }
        if node.as_redo_node().is_some() {
            return Ok(Some(Kind::Redo { of_loop }));
        }
        if node.as_retry_node().is_some() {
            return Ok(Some(Kind::Retry));
        }
        self.rescuing(node)
    }

    /// Several values become an array.
    fn jump_value(&mut self, arguments: Option<ArgumentsNode<'_>>) -> Lowered<Option<Box<Expression>>> {
        let Some(arguments) = arguments else { return Ok(None) };
        let list = arguments.arguments();
        let is_one = list.len() == 1 && list.first().is_some_and(|first| first.as_splat_node().is_none());
        if is_one && let Some(first) = list.first() {
            return self.boxed(&first).map(Some);
        }
        let elements = self.list(&list)?;
        Ok(Some(Box::new(Expression::new(0, Kind::Array(elements)))))
    }

    fn rescuing(&mut self, node: &Prism<'_>) -> Lowered<Option<Kind>> {
        if let Some(node) = node.as_begin_node() {
            return self.begin(&node).map(Some);
        }
        if let Some(node) = node.as_rescue_modifier_node() {
            let body = self.node(&node.expression())?;
            let caught = self.node(&node.rescue_expression())?;
            let rescues = vec![Rescue { classes: Vec::new(), target: None, body: caught }];
            return Ok(Some(Kind::Begin(Box::new(Begin { body, rescues, otherwise: None, ensure: None }))));
        }
        Ok(None)
    }

    fn begin(&mut self, node: &BeginNode<'_>) -> Lowered<Kind> {
        let body = self.statements(node.statements())?;
        let mut rescues = Vec::new();
        let mut clause = node.rescue_clause();
        while let Some(rescue) = clause {
            rescues.push(self.rescue(&rescue)?);
            clause = rescue.subsequent();
        }
        let otherwise = match node.else_clause() {
            Some(clause) => Some(self.otherwise(Some(clause))?),
            None => None,
        };
        let ensure = match node.ensure_clause() {
            Some(clause) => Some(self.statements(clause.statements())?),
            None => None,
        };
        if rescues.is_empty() && otherwise.is_none() && ensure.is_none() {
            return Ok(body.kind);
        }
        Ok(Kind::Begin(Box::new(Begin { body, rescues, otherwise, ensure })))
    }

    fn rescue(&mut self, node: &RescueNode<'_>) -> Lowered<Rescue> {
        let classes = self.list(&node.exceptions())?;
        let target = node.reference().map(|target| self.target(&target)).transpose()?;
        Ok(Rescue { classes, target, body: self.statements(node.statements())? })
    }
}
