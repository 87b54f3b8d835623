//! The questions of Hierarch over HTTP: an API whose answers are those of the commands, Puppet's catalog endpoints, and
//! a web explorer.
//!
//! A request goes one way: a route is found by its path, the caller and the parameters are checked, the
//! question goes to a pool of threads, is asked of one state of the site, and its answer is written as JSON.
//! What a route accepts and answers stands in its table entry, from which the OpenAPI document is made as well. States
//! are swapped whole when files change: an answer is made of one of them.
//!
//! The program hands in what it was told and may do ([`Program`]): how a site is opened, whom to ask, which revisions
//! there are, how files are saved, what time it is. Start reading in `serve.rs`, then `routes/lookup.rs`.

mod access;
mod answer;
mod events;
mod explorer;
mod http;
pub mod issues;
mod json;
mod log;
mod metrics;
mod openapi;
mod pool;
mod problem;
mod program;
mod puppet;
mod question;
mod reload;
mod replies;
mod request;
mod route;
mod routes;
mod serve;
mod settings;
mod snapshot;
mod span;
mod state;
mod stream;

pub use access::{Role, Tokens, token_line};
pub use openapi::openapi;
pub use program::{CommandOutcome, Opening, Program, Revisions};
pub use serve::{Listener, Server, Signal};
pub use settings::{LogForm, ServerSettings, TlsFiles};
