//! How the server is set up.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::access::Tokens;

/// How the server is set up.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Names besides addresses under which the server may be asked for.
    pub names: Vec<String>,
    /// The address that it listens on, where it is one.
    pub address: Option<IpAddr>,
    /// Where certificates are; none: plain HTTP.
    pub tls: Option<TlsFiles>,
    /// Who has a token; none: nobody needs one.
    pub tokens: Option<Tokens>,
    /// Edits may be written.
    pub may_edit: bool,
    /// The certificate names that may ask for catalogs of any node.
    pub v4_names: Vec<String>,
    /// A proxy in front has checked who asks, and says so in headers.
    pub is_behind_proxy: bool,
    /// Facts that a search for nodes looks into.
    pub labels: Vec<String>,
    /// Where a file can be looked at: `{file}` and `{line}` are filled in.
    pub edit_url: Option<String>,
    /// Fleet questions compile each node's catalog first.
    pub compiles: bool,
    /// Files are looked at so often, instead of waiting for the system to tell of changes.
    pub poll: Option<Duration>,
    /// How many threads answer.
    pub threads: usize,
    /// How many questions may wait.
    pub queue: usize,
    /// How long a question may take.
    pub timeout: Duration,
    /// How a line of the log is written; none: no line for a request.
    pub log: Option<LogForm>,
}

/// A small server on plain HTTP that everybody may read.
impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            address: None,
            tls: None,
            tokens: None,
            may_edit: false,
            v4_names: Vec::new(),
            is_behind_proxy: false,
            labels: Vec::new(),
            edit_url: None,
            compiles: false,
            poll: None,
            threads: 1,
            queue: 4,
            timeout: Duration::from_secs(20),
            log: None,
        }
    }
}

/// The form of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogForm {
    /// Words.
    Text,
    /// A JSON object a line.
    Json,
}

/// Files of certificates, read at the start and again on request.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// The certificates of the server, its own first.
    pub certificate: PathBuf,
    /// Its key.
    pub key: PathBuf,
    /// The authorities whose certificates name callers.
    pub client_ca: Option<PathBuf>,
    /// What these have revoked.
    pub revoked: Option<PathBuf>,
}
