//! `hierarch serve`: the questions of the commands over HTTP, and a web explorer.

mod listen;
mod program;
#[cfg(feature = "git")]
mod revisions;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use hierarch_serve::{LogForm, Role, Server, ServerSettings, Signal, TlsFiles, Tokens, token_line};
use rand_core::{OsRng, RngCore};

use self::listen::Address;
use self::program::ServedRepository;
use super::arguments::SiteArguments;
use super::failure::Failure;
use super::fleet::nodes::NodesArguments;
use super::report::{note, print, print_text};
use crate::cli::issues;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ServeArguments {
    #[command(subcommand)]
    command: Option<ServeCommand>,
    /// Where to listen: an address and port, or unix:PATH
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8480")]
    listen: String,
    #[command(flatten)]
    nodes: NodesArguments,
    #[command(flatten)]
    site: SiteArguments,
    /// The server's certificate and those above it, PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Certificates of clients that these authorities signed name who asks
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    client_ca: Option<PathBuf>,
    /// What the authorities have revoked
    #[arg(long, value_name = "FILE", requires = "client_ca")]
    crl: Option<PathBuf>,
    /// Who has a token: `NAME ROLE… SHA256-HEX` a line, as `hierarch serve token` prints it
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// Let those with the role `edit` write data files
    #[arg(long)]
    allow_edit: bool,
    /// Certificate names that may ask for catalogs of any node
    #[arg(long, value_name = "CN")]
    allow_v4: Vec<String>,
    /// A proxy in front encrypts and checks who asks
    #[arg(long)]
    behind_proxy: bool,
    /// A further name under which the server may be asked
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// A fact that the search for nodes looks into
    #[arg(long, value_name = "FACT")]
    label: Vec<String>,
    /// Where a file can be looked at: {file} and {line} are filled in
    #[arg(long, value_name = "TEMPLATE")]
    edit_url: Option<String>,
    /// Look for changed files every so many seconds, where the system does not tell
    #[arg(long, value_name = "SECONDS")]
    poll: Option<u64>,
    /// How many threads answer; one for each processor unless said otherwise
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// How many questions may wait; 64 for each thread unless said otherwise
    #[arg(long, value_name = "N")]
    queue: Option<usize>,
    /// How many seconds a question may take
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    timeout: u64,
    /// How requests are logged, to standard error
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
    /// Print the OpenAPI document and end
    #[arg(long)]
    print_openapi: bool,
}

#[derive(Subcommand)]
enum ServeCommand {
    /// Make a token: the line for the file of tokens to standard output, the token to standard error
    Token {
        /// Whose token it is
        name: String,
        /// What its holder may do: read, facts, secrets, edit
        #[arg(required = true, value_name = "ROLE")]
        roles: Vec<String>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Log {
    /// Words
    Text,
    /// A JSON object a line
    Json,
    /// Only what concerns the server itself
    Off,
}

pub(crate) fn run(arguments: ServeArguments) -> Result<ExitCode, Failure> {
    match &arguments.command {
        Some(ServeCommand::Token { name, roles }) => make_token(name, roles)?,
        None if arguments.print_openapi => print_text(&hierarch_serve::openapi())?,
        None => serve(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// How many bytes of chance a token has.
const TOKEN_BYTES: usize = 24;

fn make_token(name: &str, roles: &[String]) -> Result<(), Failure> {
    if name.is_empty() || name.starts_with('#') || name.contains(char::is_whitespace) {
        return Err(issues::bad_token_name(name));
    }
    let roles = roles.iter().map(|role| Role::parse(role)).collect::<Result<Vec<_>, _>>();
    let roles = roles.map_err(|why| Failure::told(&why))?;
    let mut bytes = [0; TOKEN_BYTES];
    OsRng.fill_bytes(&mut bytes);
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    note(&issues::token_shown_once(name, &token));
    print(&token_line(name, &roles, &token))
}

fn serve(arguments: ServeArguments) -> Result<(), Failure> {
    super::fleet::start_threads()?;
    arguments.site.refuse_at("serve")?;
    let address = Address::parse(&arguments.listen)?;
    arguments.check_access(&address)?;
    let settings = arguments.settings(&address)?;
    let host = Arc::new(ServedRepository::new(arguments.site.clone(), arguments.nodes.clone())?);
    if !arguments.site.is_anywhere() && !host.is_there() {
        return Err(issues::no_repository_to_examine());
    }
    let listener = address.listen()?;
    let server = Server::new(Arc::clone(&host) as Arc<dyn hierarch_serve::Program>, settings)
        .map_err(|why| Failure::told(&why))?;
    let scheme = if arguments.tls_cert.is_some() { "https" } else { "http" };
    let at = address.shown(scheme, &listener);
    match server.counts() {
        Ok((nodes, keys)) => print(&format!(
            "Hierarch is at {at} ({}, {})",
            super::fleet::form::counted(nodes, "node"),
            super::fleet::form::counted(keys, "key")
        ))?,
        Err(why) => print(&format!("Hierarch is at {at} (not ready: {why})"))?,
    }
    let tokens = arguments.tokens.clone();
    let renew = move || tokens.as_deref().map(read_tokens).transpose().map_err(|failure| failure.to_string());
    let result = server.run(listener, signals()?, renew);
    host.close();
    address.remove();
    result.map_err(|error| issues::cannot_serve(&error))
}

impl ServeArguments {
    /// Others are not served without encryption and a check of who they are.
    fn check_access(&self, address: &Address) -> Result<(), Failure> {
        let is_checked = self.tls_cert.is_some() && (self.tokens.is_some() || self.client_ca.is_some());
        if address.is_local() || is_checked || self.behind_proxy {
            return Ok(());
        }
        Err(Failure::told(&hierarch_serve::issues::not_for_others()))
    }

    fn settings(&self, address: &Address) -> Result<ServerSettings, Failure> {
        let threads =
            self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from));
        let tls = self.tls_cert.clone().zip(self.tls_key.clone()).map(|(certificate, key)| TlsFiles {
            certificate,
            key,
            client_ca: self.client_ca.clone(),
            revoked: self.crl.clone(),
        });
        let mut names = self.hosts.clone();
        names.push(super::arguments::host_name().to_owned());
        names.extend(address.name());
        Ok(ServerSettings {
            names,
            address: address.ip(),
            tls,
            tokens: self.tokens.as_deref().map(read_tokens).transpose()?,
            may_edit: self.allow_edit,
            v4_names: self.allow_v4.clone(),
            is_behind_proxy: self.behind_proxy,
            labels: self.label.clone(),
            edit_url: self.edit_url.clone(),
            compiles: self.nodes.compile,
            poll: self.poll.map(|seconds| Duration::from_secs(seconds.max(1))),
            threads: threads.max(1),
            queue: self.queue.unwrap_or(threads.max(1) * 64),
            timeout: Duration::from_secs(self.timeout.max(1)),
            log: match self.log {
                Log::Text => Some(LogForm::Text),
                Log::Json => Some(LogForm::Json),
                Log::Off => None,
            },
        })
    }
}

fn read_tokens(path: &Path) -> Result<Tokens, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
    Tokens::parse(&text).map_err(|why| issues::in_file(path, &why))
}

/// Listens to the signals that end the server or renew what it was told.
#[cfg(unix)]
fn signals() -> Result<tokio::sync::mpsc::UnboundedReceiver<Signal>, Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    let watched = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]);
    let mut watched = watched.map_err(|error| issues::cannot_watch_signals(&error))?;
    let watch = move || {
        for signal in watched.forever() {
            let told = if signal == SIGHUP { Signal::Renew } else { Signal::End };
            if sender.send(told).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(watch)
        .map_err(|error| issues::no_thread(&error))?;
    Ok(receiver)
}

#[cfg(not(unix))]
fn signals() -> Result<tokio::sync::mpsc::UnboundedReceiver<Signal>, Failure> {
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
    // It is never told to end, so the sender has to live.
    std::mem::forget(sender);
    Ok(receiver)
}
