//! Flags that are made when their command is chosen: to make those of all commands is most of what a short question would cost.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::error::Error;
use clap::{ArgMatches, Args, Command, FromArgMatches, Id};

/// Help, completions, the manual and errors speak of all flags, so that they are made at once for them.
static ARE_ALL_MADE: AtomicBool = AtomicBool::new(false);

/// From now on the flags of all commands are made at once.
pub(super) fn make_all() {
    ARE_ALL_MADE.store(true, Ordering::Relaxed);
}

/// The arguments of a command.
pub(super) struct OnDemand<T>(Box<T>);

impl<T> Deref for OnDemand<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> OnDemand<T> {
    /// Returns the arguments themselves.
    #[cfg(feature = "serve")]
    pub(super) fn into_inner(self) -> T {
        *self.0
    }
}

impl<T: Args> Args for OnDemand<T> {
    fn group_id() -> Option<Id> {
        T::group_id()
    }

    fn augment_args(command: Command) -> Command {
        if ARE_ALL_MADE.load(Ordering::Relaxed) {
            T::augment_args(command)
        } else {
            command.defer(T::augment_args)
        }
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: FromArgMatches> FromArgMatches for OnDemand<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(|arguments| Self(Box::new(arguments)))
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(|arguments| Self(Box::new(arguments)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
