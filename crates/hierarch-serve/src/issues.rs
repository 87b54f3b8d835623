//! All words that users of the server can read.

use std::collections::BTreeSet;
use std::path::Path;

use crate::problem::Problem;
use crate::route::Parameter;

pub(crate) fn unknown_route(path: &str) -> Problem {
    Problem::new(
        404,
        "UNKNOWN_ROUTE",
        format!("there is nothing at {path}; /openapi.json lists what there is"),
    )
}

pub(crate) fn not_served(path: &str) -> Problem {
    let detail = format!(
        "{path} is not served here: of Puppet Server's endpoints only /puppet/v3/catalog and /puppet/v4/catalog are; let the proxy send the others to Puppet Server"
    );
    Problem::new(404, "NOT_SERVED", detail)
}

pub(crate) fn wrong_method(path: &str, allowed: &str) -> Problem {
    Problem::new(405, "WRONG_METHOD", format!("{path} is asked with {allowed}"))
}

pub(crate) fn unknown_parameter(name: &str, known: &[Parameter]) -> Problem {
    let near = hierarch_source::nearest(name, known.iter().map(|one| one.name));
    let hint = match near.first() {
        Some(near) => format!("did you mean '{near}'?"),
        None if known.is_empty() => "it takes none".to_owned(),
        None => {
            let names: Vec<&str> = known.iter().map(|one| one.name).collect();
            format!("it takes {}", names.join(", "))
        }
    };
    Problem::new(400, "UNKNOWN_PARAMETER", format!("there is no parameter '{name}' here; {hint}"))
}

pub(crate) fn twice(name: &str) -> Problem {
    Problem::new(400, "PARAMETER_TWICE", format!("the parameter '{name}' is given twice"))
}

pub(crate) fn missing_parameter(name: &str, about: &str) -> Problem {
    Problem::new(400, "MISSING_PARAMETER", format!("the parameter '{name}' is missing: {about}"))
}

pub(crate) fn bad_parameter(name: &str, given: &str, expected: &str) -> Problem {
    Problem::new(400, "BAD_PARAMETER", format!("the parameter '{name}' is '{given}'; expected is {expected}"))
}

pub(crate) fn bad_encoding(what: &str) -> Problem {
    Problem::new(400, "BAD_ENCODING", format!("{what} is not UTF-8"))
}

pub(crate) fn bad_body(why: &str) -> Problem {
    Problem::new(400, "BAD_BODY", format!("the body is not what is expected: {why}"))
}

pub(crate) fn body_too_large(most: usize) -> Problem {
    Problem::new(413, "BODY_TOO_LARGE", format!("the body is larger than {} MB", most >> 20))
}

pub(crate) fn too_many_keys(count: usize, most: usize) -> Problem {
    Problem::new(400, "TOO_MANY_KEYS", format!("{count} keys are asked for; {most} may be at once"))
}

pub(crate) fn unknown_node(name: &str, near: &[&str]) -> Problem {
    let hint = near.first().map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    let detail = format!("no facts are known for {name}; give them with POST, or import them{hint}");
    Problem::new(404, "UNKNOWN_NODE", detail)
}

pub(crate) fn unusable_node(name: &str, why: &str) -> Problem {
    Problem::new(422, "UNUSABLE_NODE", format!("{name} cannot be asked: {why}"))
}

pub(crate) fn unknown_environment(name: &str, known: &[String]) -> Problem {
    let near = hierarch_source::nearest(name, known.iter().map(String::as_str));
    let hint = near.first().map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    Problem::new(404, "UNKNOWN_ENVIRONMENT", format!("there is no environment {name}{hint}"))
}

pub(crate) fn unknown_revision(why: &str) -> Problem {
    Problem::new(404, "UNKNOWN_REVISION", why)
}

pub(crate) fn no_revisions() -> Problem {
    Problem::new(404, "NO_REVISIONS", "this server has no revisions: its files are in no git repository")
}

pub(crate) fn unanswerable(why: &str) -> Problem {
    Problem::new(422, "UNANSWERABLE", why)
}

pub(crate) fn busy() -> Problem {
    let detail = "too many questions are waiting; ask again in a second (--queue and --threads allow more)";
    Problem { retry_after: Some(1), ..Problem::new(503, "BUSY", detail) }
}

pub(crate) fn one_at_a_time(what: &str) -> Problem {
    let detail = format!("{what} is being answered for you already; one at a time");
    Problem { retry_after: Some(2), ..Problem::new(429, "ONE_AT_A_TIME", detail) }
}

pub(crate) fn too_slow(seconds: u64) -> Problem {
    Problem::new(504, "TOO_SLOW", format!("there was no answer within {seconds} s (--timeout)"))
}

pub(crate) fn bug(id: &str) -> Problem {
    Problem::new(
        500,
        "BUG",
        format!("this is a bug of hierarch; please report it with the lines of the log that have {id}"),
    )
}

pub(crate) fn not_ready(why: &str) -> Problem {
    Problem { retry_after: Some(1), ..Problem::new(503, "NOT_READY", why) }
}

pub(crate) fn who_are_you() -> Problem {
    let detail = "say who you are: with `Authorization: Bearer TOKEN`, or with a client certificate";
    Problem { challenge: true, ..Problem::new(401, "WHO_ARE_YOU", detail) }
}

pub(crate) fn wrong_token() -> Problem {
    Problem { challenge: true, ..Problem::new(401, "WRONG_TOKEN", "this token is not known") }
}

pub(crate) fn missing_role(role: &str) -> Problem {
    Problem::new(403, "MISSING_ROLE", format!("this needs the role '{role}', which you do not have"))
}

pub(crate) fn edits_are_off() -> Problem {
    Problem::new(
        403,
        "EDITS_ARE_OFF",
        "this server shows what an edit would do and writes none; it was started without --allow-edit",
    )
}

pub(crate) fn wrong_host(host: &str) -> Problem {
    Problem::new(
        421,
        "WRONG_HOST",
        format!("'{host}' is not a name of this server; --host NAME makes it one"),
    )
}

pub(crate) fn wrong_origin(origin: &str) -> Problem {
    Problem::new(403, "WRONG_ORIGIN", format!("a page of {origin} may not ask this"))
}

pub(crate) fn changed_meanwhile(file: &str) -> Problem {
    Problem::new(412, "CHANGED_MEANWHILE", format!("{file} has changed since the preview; preview again"))
}

pub(crate) fn no_match_header() -> Problem {
    Problem::new(428, "NO_IF_MATCH", "an edit needs the header If-Match with the etag of its preview")
}

pub(crate) fn nothing_to_edit() -> Problem {
    Problem::new(409, "NOTHING_CHANGES", "the edit changes nothing: the value is that already")
}

pub(crate) fn big_number(number: &str) -> Problem {
    let detail = format!(
        "the number {number} does not fit into 64 bits and would become another one; write it into the file, or give a text"
    );
    Problem::new(400, "BIG_NUMBER", detail)
}

pub(crate) fn hidden_value() -> Problem {
    let detail = "the new value has in it what stands for a secret that is not shown; give the secret itself";
    Problem::new(400, "HIDDEN_VALUE", detail)
}

/// Of some keys nothing may be told to who may not see secrets.
pub fn withheld(keys: &BTreeSet<String>) -> String {
    let names: Vec<&str> = keys.iter().map(String::as_str).collect();
    format!(
        "what becomes of {} is not told: there is a secret in it or in what it is made of, and to see that needs the role 'secrets'",
        names.join(", ")
    )
}

pub(crate) fn compared_secrets() -> Problem {
    let detail = "how this value came about tells what is equal to a secret: it needs the role 'secrets' (and secrets=true, where the question has that)";
    Problem::new(403, "MISSING_ROLE", detail)
}

pub(crate) fn telling_edit() -> Problem {
    let detail = "an edit of convert_to, knockout_prefix, of options for a key that is or may be secret, or of a whole file can make a secret plain: it needs the role 'secrets'";
    Problem::new(403, "MISSING_ROLE", detail)
}

pub(crate) fn edit_reads_facts() -> Problem {
    let detail = "the new value has tokens that read what is known of nodes: it needs the role 'facts'";
    Problem::new(403, "MISSING_ROLE", detail)
}

pub(crate) fn outside(file: &str) -> Problem {
    Problem::new(400, "OUTSIDE", format!("{file} is not a data file below the environment's folder"))
}

pub(crate) fn facts_lead_outside(level: &str) -> Problem {
    let detail = format!(
        "with these facts the level '{level}' names a file outside of its folder, which is not read here"
    );
    Problem::new(400, "OUTSIDE", detail)
}

pub(crate) fn no_store() -> String {
    "Invalid input: persistence.facts: nothing is stored here, because nodes come from no store (--nodes sqlite:FILE); say false"
        .to_owned()
}

pub(crate) fn not_kept(why: &str) -> String {
    format!("the facts could not be stored: {why}")
}

/// As Puppet Server says it.
pub(crate) fn forbidden(path: &str, method: &str) -> String {
    format!("Forbidden request: {path} (method :{method}). Please see the server logs for details.")
}

pub(crate) fn not_your_catalog(name: &str, method: &str) -> String {
    forbidden(&format!("/puppet/v3/catalog/{name}"), method)
}

/// As Puppet Server says it.
pub(crate) fn bad_environment(name: &str) -> String {
    format!("The environment must be purely alphanumeric, not '{name}'")
}

/// As Puppet Server says it, whose clients look for these words.
pub(crate) fn no_environment(name: &str, folder: &str) -> String {
    format!(
        "Internal Server Error: org.jruby.exceptions.RuntimeError: (EnvironmentNotFound) Could not find a directory environment named '{name}' anywhere in the path: {folder}. Does the directory exist?"
    )
}

/// As Puppet Server says it, whose clients look for these words.
pub(crate) fn not_compiled(why: &str, node: &str) -> String {
    format!(
        "Internal Server Error: org.jruby.exceptions.RuntimeError: (PreformattedError) {why} on node {node}"
    )
}

pub(crate) fn catalogs_are_not_kept() -> String {
    "Invalid input: persistence.catalog: catalogs are not stored here; say false".to_owned()
}

/// Serving others needs encryption and a check of who they are.
pub fn not_for_others() -> String {
    "serving others needs --tls-cert and --tokens or --client-ca; behind a proxy that does both, say --behind-proxy"
        .to_owned()
}

/// A line of the file of tokens is malformed.
pub fn bad_token_line(line: usize, why: &str) -> String {
    format!(
        "line {line}: {why}; expected is `NAME ROLE… SHA256-HEX`, made by `hierarch serve token NAME ROLE…`"
    )
}

/// A role is not known.
pub fn unknown_role(role: &str) -> String {
    format!("there is no role '{role}'; roles are read, facts, secrets, edit")
}

/// A key and a certificate are not a pair.
pub(crate) fn other_key(key: &Path, certificate: &Path) -> String {
    format!(
        "the key in {} (--tls-key) does not belong to the certificate in {} (--tls-cert)",
        key.display(),
        certificate.display()
    )
}

/// A certificate is not one that clients accept.
pub(crate) fn unusable_certificate(certificate: &Path, why: &dyn std::fmt::Display) -> String {
    format!(
        "{}: this certificate cannot be served with: {why}; a server needs one of version 3 with its names as subjectAltName",
        certificate.display()
    )
}

/// The time of a certificate is over.
pub(crate) fn expired(certificate: &Path, end: &str) -> String {
    format!(
        "warning: the certificate in {} expired on {end}: clients will refuse it; put a new one there and send SIGHUP",
        certificate.display()
    )
}

/// The time of a certificate has not begun.
pub(crate) fn not_yet_valid(certificate: &Path, begin: &str) -> String {
    format!(
        "warning: the certificate in {} is valid from {begin} on: clients refuse it until then; is the clock right?",
        certificate.display()
    )
}
