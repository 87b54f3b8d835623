//! Questions about the data of one node, and their answers.

use hierarch_hiera::host::LookupHost;
use hierarch_hiera::issues::{Class, class_of};
use hierarch_hiera::origin::{Leaf, TracedValue, UsedOptions};
use hierarch_hiera::{Explainer, Found, Query, Session};
use hierarch_pcore::Value;
use hierarch_source::{Error, Result};

use crate::environment::Environment;

/// What is looked up.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The keys; the first one found counts.
    pub keys: Vec<String>,
    /// How values are merged: a name or a hash of options; none: as the lookup options say.
    pub merge: Option<Value>,
    /// The type that a value must have, as it is written.
    pub value_type: Option<String>,
    /// What is answered when nothing is found.
    pub default: Option<Value>,
}

impl From<&str> for Question {
    fn from(key: &str) -> Self {
        Self { keys: vec![key.to_owned()], ..Self::default() }
    }
}

impl From<String> for Question {
    fn from(key: String) -> Self {
        Self { keys: vec![key], ..Self::default() }
    }
}

/// A value that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The value.
    pub value: Value,
    /// Something in it was decrypted.
    pub is_secret: bool,
}

/// A value that was found, each part with its origin.
#[derive(Clone, Debug)]
pub struct TracedAnswer {
    /// The key it was found under.
    pub key: String,
    /// The value with all origins, secrets included: [`TracedValue::without_secrets`] hides them.
    pub traced: TracedValue,
    /// The entry of the lookup options that says how it is merged and converted.
    pub options: Option<UsedOptions>,
}

impl TracedAnswer {
    /// Returns the parts that have no parts, each with its origin.
    pub fn leaves(&self) -> Vec<Leaf<'_>> {
        self.traced.leaves()
    }
}

/// What an explanation is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explains {
    /// The whole lookup.
    Everything,
    /// Only how the lookup options were put together.
    Options,
}

/// What a lookup did. Secrets are hidden unless the site may show them.
#[derive(Debug)]
pub struct Explanation {
    /// The steps, to be told as text or as data.
    pub steps: Explainer,
    /// Why there is no value.
    pub failure: Option<Error>,
}

/// Lookups of one node, one after the other.
pub struct NodeLookups<'h> {
    environment: &'h Environment,
    host: &'h dyn LookupHost,
    session: Session<'h>,
}

impl<'h> NodeLookups<'h> {
    pub(crate) fn new(environment: &'h Environment, host: &'h dyn LookupHost) -> Self {
        Self { environment, host, session: environment.hiera().session(host) }
    }

    /// Returns the session, for what is asked seldom.
    pub fn session(&self) -> &Session<'h> {
        &self.session
    }

    /// Looks a key up.
    pub fn lookup(&self, question: &Question) -> Result<Answer> {
        self.try_lookup(question).map_err(|error| self.environment.shown_error(error))
    }

    fn try_lookup(&self, question: &Question) -> Result<Answer> {
        let query = self.query(question)?;
        let value = self.session.lookup(&query, None)?;
        let is_secret = self.environment.hiera().has_secrets()
            && self.session.search_shown(&query)? != Found::Value(value.clone());
        Ok(Answer { value, is_secret })
    }

    /// Looks a key up and says, for each part of its value, where that stands.
    pub fn trace(&self, question: &Question) -> Result<TracedAnswer> {
        self.try_trace(question).map_err(|error| self.environment.shown_error(error))
    }

    fn try_trace(&self, question: &Question) -> Result<TracedAnswer> {
        let query = self.query(question)?;
        let (key, traced) = self.session.trace_first(&query)?;
        Ok(TracedAnswer { options: self.session.used_options(key)?, key: key.to_owned(), traced })
    }

    /// Looks a key up and says how it was found. A lookup error is part of the explanation, any other one is not.
    pub fn explain(&self, question: &Question, what: Explains) -> Result<Explanation> {
        self.try_explain(question, what).map_err(|error| self.environment.shown_error(error))
    }

    fn try_explain(&self, question: &Question, what: Explains) -> Result<Explanation> {
        let query = self.query(question)?;
        let steps = match what {
            Explains::Everything => Explainer::new(),
            Explains::Options => Explainer::of_options(),
        };
        let mut steps = steps.with_secrets(self.environment.may_show_secrets());
        let failure = self.session.lookup(&query, Some(&mut steps)).err();
        if let Some(error) = &failure {
            match class_of(error) {
                Class::Lookup { .. } => steps.conclude(&error.to_string()),
                _ => return Err(error.clone()),
            }
        }
        steps.hide(|text| self.environment.shown_text(text));
        Ok(Explanation { steps, failure: failure.map(|error| self.environment.shown_error(error)) })
    }

    fn query(&self, question: &Question) -> Result<Query> {
        let value_type = question.value_type.as_ref().map(|text| self.host.parse_type(text)).transpose()?;
        Ok(Query {
            names: question.keys.clone(),
            value_type,
            merge: question.merge.clone(),
            default: question.default.clone(),
            ..Query::default()
        })
    }
}
