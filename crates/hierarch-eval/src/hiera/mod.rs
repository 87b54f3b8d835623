//! Hiera inside an evaluation: lookups see the variables of the place that asks, and call data functions written in the
//! language.

mod context;
mod host;
mod node;

use std::sync::Arc;

use hierarch_hiera::{Context, Found, Query, Session, SessionMemory};
use hierarch_pcore::{Hash, Value};
use hierarch_source::Error;
use rustc_hash::{FxHashMap, FxHashSet};

pub use context::LookupContext;
pub use host::Surroundings;
pub(crate) use host::View;
pub use node::NodeHost;

use crate::evaluator::Evaluator;
use crate::guard::{SecretRule, has_secret, replaced};
use crate::scope::ScopeId;
use crate::{Result, issues};

/// What an evaluation keeps about its lookups.
#[derive(Default)]
pub(crate) struct Lookups {
    remembered: SessionMemory,
    /// The data functions that are running, innermost last, by the lookups that they were called for.
    running: Vec<Arc<Context>>,
    /// What `cached_file_data` made of files, with what they were like.
    files: FxHashMap<String, (Option<u64>, Value)>,
    /// How many lookups came from places with variables of their own.
    asked: u64,
    /// The names that the program asked for.
    names: FxHashSet<String>,
    /// What becomes of answers with secrets in them.
    pub(crate) secrets: SecretRule,
}

/// Versions of scopes that are never the same again start here.
const LOCAL: u64 = 1 << 63;

impl Lookups {
    /// Returns a number that stays the same as long as all variables do.
    fn version(&mut self, changes: u64, has_locals: bool) -> u64 {
        if !has_locals {
            return changes;
        }
        self.asked += 1;
        LOCAL | self.asked
    }

    /// Tells whether a version will never be the same again.
    fn is_local(version: u64) -> bool {
        version >= LOCAL
    }
}

impl<'e> Evaluator<'e> {
    /// Returns itself as what lookups from the top scope ask.
    pub fn host_of_lookups(&mut self) -> Surroundings<'_, 'e> {
        self.budget.start();
        Surroundings::new(self, View::Scope(ScopeId::TOP))
    }

    /// Returns the names that the program has asked data for, in order.
    pub fn names_asked_for(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.lookups.names.iter().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Shares what lookups find out about the node.
    #[must_use]
    pub(crate) fn remembering(mut self, remembered: SessionMemory) -> Self {
        self.lookups.remembered = remembered;
        self
    }

    /// Looks for the names of a query in overrides, data and default values.
    pub(crate) fn search(&mut self, view: View, query: &Query) -> Result<Found> {
        for name in &query.names {
            if !self.lookups.names.contains(name) {
                self.lookups.names.insert(name.clone());
            }
        }
        let rule = self.lookups.secrets;
        self.looking_up(view, |session| match rule {
            SecretRule::Given => session.search(query, None),
            rule => search_guarded(session, query, rule),
        })
    }

    /// Decrypts a value as `eyaml_lookup_key` does.
    pub(crate) fn decrypt(
        &mut self,
        view: View,
        context: &LookupContext,
        value: Value,
        options: &Hash,
        key: &str,
    ) -> Result<Value> {
        self.looking_up(view, |session| session.decrypt(value, options, key, context.context()))
    }

    /// Looks something up on behalf of the data function that is running, if there is one.
    fn looking_up<T>(
        &mut self,
        view: View,
        look: impl FnOnce(&Session) -> hierarch_source::Result<T>,
    ) -> Result<T> {
        let hiera = self.environment.hiera();
        let running = self.lookups.running.last().cloned();
        let result = {
            let host = Surroundings::new(self, view);
            let session = hiera.session(&host);
            match &running {
                Some(context) => look(&session.within(context)),
                None => look(&session),
            }
        };
        for message in hiera.log().take() {
            self.output.warn(message);
        }
        result.map_err(|error| raised(error).into())
    }
}

/// Looks for the names of a query where secrets must not come to the program. Whether an answer is secret is asked before its type
/// is: which types fit would tell of the value.
fn search_guarded(session: &Session, query: &Query, rule: SecretRule) -> hierarch_source::Result<Found> {
    let untyped = Query { value_type: None, ..query.clone() };
    let found = session.search(&untyped, None).and_then(|value| Ok((value, session.search_shown(&untyped)?)));
    let (Found::Value(value), Found::Value(shown)) =
        found.map_err(|failure| session.shown_failure(&untyped, failure))?
    else {
        return session.search(query, None);
    };
    match rule {
        _ if !has_secret(&value, &shown) => session.search(query, None),
        SecretRule::Replaced => Ok(Found::Value(replaced(&value, &shown))),
        _ => Err(issues::refused_secret(&query.names.join(", "))),
    }
}

/// Turns an error of a lookup into one of a program: lookup errors go out as they are, others are the call's.
pub fn raised(error: Error) -> Error {
    use hierarch_hiera::issues::{Class, class_of};
    match class_of(&error) {
        Class::Lookup { .. } => error,
        _ if error.place.is_some() => error,
        _ => {
            let raised = issues::argument(&error.message).showing(error.excerpt.clone());
            error.notes.iter().fold(raised, |raised, note| raised.note(note.text.as_str()))
        }
    }
}
