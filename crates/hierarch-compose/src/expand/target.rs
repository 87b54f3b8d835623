//! What a directive refers to: by anchor, by name, by absolute or relative path.

use hierarch_source::Result;
use hierarch_yaml::Kind;

use super::{Expander, OpenTarget, Step, Target};
use crate::directive::Directive;
use crate::forest::{Forest, Val};
use crate::issues;

impl Expander<'_> {
    pub(crate) fn target(&mut self, directive: &Directive, key: Val, value: Val) -> Result<Target> {
        if directive.include {
            return self.included(directive, key, value);
        }
        let raw =
            self.forest.kind(value) == Kind::Scalar && self.forest.scalar(value).as_str() == Some("raw");
        let found = match &directive.anchor {
            Some(name) => self.anchored(name)?.and_then(|start| self.follow(start, &directive.pointer)),
            None => self.pointed(directive, key, raw)?,
        };
        Ok(match found {
            None => Target::Missing,
            Some(target) if raw => Target::Found(target, None),
            Some(target) => Target::Found(target, Some(OpenTarget { file: false })),
        })
    }

    fn anchored(&mut self, name: &str) -> Result<Option<Val>> {
        if let Some((val, path)) = self.names.get(name) {
            if self.starts_with(path) {
                return Err(issues::cycle(name, &self.path_text(), &format!("+*{name}")));
            }
            return Ok(Some(*val));
        }
        Ok(self.anchors.get(name).copied())
    }

    fn starts_with(&self, prefix: &[Step]) -> bool {
        prefix.len() <= self.path.len()
            && prefix.iter().zip(&self.path).all(|(&a, &b)| self.step_text(a) == self.step_text(b))
    }

    fn pointed(&mut self, directive: &Directive, key: Val, raw: bool) -> Result<Option<Val>> {
        let kept = match directive.dots {
            0 => 0,
            dots => self.path.len().saturating_sub(dots - 1),
        };
        let Some(start) = self.lookup_path(&self.path[..kept]) else { return Ok(None) };
        let mut found = self.follow(start, &directive.pointer);
        if found.is_none() && self.own_files && directive.dots == 0 {
            found = self.own_part(key, &directive.pointer);
            if found.is_some() {
                return Ok(found);
            }
        }
        if let Some(target) = found
            && !raw
            && self.forest.kind(target) != Kind::Scalar
        {
            self.check_loop(kept, directive, key)?;
        }
        Ok(found)
    }

    /// The path of the target must not lead to something that contains the holder.
    fn check_loop(&self, kept: usize, directive: &Directive, key: Val) -> Result<()> {
        let length = kept + directive.pointer.len();
        let inside = length <= self.path.len()
            && directive
                .pointer
                .iter()
                .zip(&self.path[kept..])
                .all(|(segment, &step)| self.step_text(step) == *segment);
        if !inside {
            return Ok(());
        }
        let target: String = self.steps_text(&self.path[..length]);
        Err(issues::cycle(&target, &self.path_text(), &self.forest.text(key)))
    }

    /// A file that is valid alone stays valid when included: its absolute paths may mean itself.
    fn own_part(&self, key: Val, pointer: &[String]) -> Option<Val> {
        let (doc, _) = key.node().filter(|&(doc, _)| doc != self.main.doc)?;
        self.follow(self.forest.root(doc)?, pointer)
    }

    fn lookup_path(&self, path: &[Step]) -> Option<Val> {
        let mut val = self.ground;
        for &step in path {
            val = match (step, self.forest.kind(val)) {
                (Step::Key(key), Kind::Map) => self.forest.find(val, key)?,
                (Step::Index(index), Kind::List) if index < self.forest.len(val) => {
                    self.forest.item(val, index)
                }
                _ => return None,
            };
        }
        Some(val)
    }

    /// Follows a JSON pointer.
    pub(crate) fn follow(&self, start: Val, pointer: &[String]) -> Option<Val> {
        pointer.iter().try_fold(start, |val, segment| self.forest.child(val, segment))
    }

    pub(crate) fn step_text(&self, step: Step) -> String {
        match step {
            Step::Key(key) => self.forest.text(key).into_owned(),
            Step::Index(index) => index.to_string(),
        }
    }

    pub(crate) fn path_text(&self) -> String {
        self.steps_text(&self.path)
    }

    fn steps_text(&self, steps: &[Step]) -> String {
        steps.iter().fold(String::new(), |text, &step| text + "/" + &self.step_text(step))
    }
}

impl Forest {
    /// Follows one segment of a JSON pointer.
    pub fn child(&self, val: Val, segment: &str) -> Option<Val> {
        match self.kind(val) {
            Kind::Map => self.find_text(val, segment),
            // Where the items of a list with a header will stand is known when it is merged.
            Kind::List if self.is_active(val) && !matches!(self.written_header(val), Ok(None)) => None,
            Kind::List => {
                let index = list_index(segment)?;
                (index < self.len(val)).then(|| self.item(val, index))
            }
            _ => None,
        }
    }
}

/// A position as RFC 6901 allows it: digits without a leading zero.
fn list_index(segment: &str) -> Option<usize> {
    let digits = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    let strict = digits && (segment == "0" || !segment.starts_with('0'));
    strict.then(|| segment.parse().ok()).flatten()
}
