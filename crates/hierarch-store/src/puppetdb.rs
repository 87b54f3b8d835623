//! Nodes that a PuppetDB server knows, and what they exported, page by page.

use std::time::Duration;

use hierarch_fleet::inventory;
use hierarch_pcore::Value;
use hierarch_site::NodeFacts;
use hierarch_source::{Error, Result};
use ureq::Agent;
use ureq::tls::{Certificate, ClientCert, PrivateKey, RootCerts, TlsConfig};

use crate::issues;

/// How a server is reached, and who we are to it. What a program reads from files is handed in.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The address: `https://puppetdb.example.com:8081`.
    pub address: String,
    /// Our certificate and key, in PEM.
    pub certificate: Option<(Vec<u8>, Vec<u8>)>,
    /// The certificate of the authority, in PEM.
    pub authority: Option<Vec<u8>>,
    /// The token that stands in the header `X-Authentication`.
    pub token: Option<String>,
}

/// As many nodes are asked for at once.
const PAGE: usize = 500;
/// How long a page may take.
const PATIENCE: Duration = Duration::from_mins(2);
/// How large a page may be.
const LARGEST: u64 = 512 << 20;

/// The nodes of a server. A page is fetched when it is needed.
pub struct Nodes {
    agent: Agent,
    access: Access,
    offset: usize,
    page: std::vec::IntoIter<(String, NodeFacts)>,
    is_done: bool,
}

/// Starts to ask a server.
pub fn nodes(access: Access) -> Result<Nodes> {
    let mut tls = TlsConfig::builder();
    if let Some(pem) = &access.authority {
        let certificate =
            Certificate::from_pem(pem).map_err(|error| failed(&access, &error.to_string(), CERT))?;
        tls = tls.root_certs(RootCerts::new_with_certs(&[certificate]));
    }
    if let Some((certificate, key)) = &access.certificate {
        let certificate =
            Certificate::from_pem(certificate).map_err(|error| failed(&access, &error.to_string(), CERT))?;
        let key = PrivateKey::from_pem(key).map_err(|error| failed(&access, &error.to_string(), CERT))?;
        tls = tls.client_cert(Some(ClientCert::new_with_certs(&[certificate], key)));
    }
    let config =
        Agent::config_builder().tls_config(tls.build()).timeout_global(Some(PATIENCE)).max_redirects(0);
    let agent = config.http_status_as_error(false).build().new_agent();
    Ok(Nodes { agent, access, offset: 0, page: Vec::new().into_iter(), is_done: false })
}

/// What helps where a server does not know us.
const CERT: &str = "; give a certificate with --cert, --key and --cacert, or a token with --token-file";

fn failed(access: &Access, why: &str, hint: &str) -> Error {
    issues::puppetdb(&access.address, why, hint)
}

impl Nodes {
    fn fetch(&self) -> Result<Vec<(String, NodeFacts)>> {
        let body = self.get(&page_of("inventory", &["certname"], PAGE, self.offset))?;
        inventory(&body).map_err(|why| failed(&self.access, &why, ""))
    }

    /// Asks a question.
    fn get(&self, what: &str) -> Result<String> {
        let base = self.access.address.trim_end_matches('/');
        let url = format!("{base}/pdb/query/v4/{what}");
        let mut request = self.agent.get(&url);
        if let Some(token) = &self.access.token {
            request = request.header("X-Authentication", token);
        }
        let mut response = request.call().map_err(|error| failed(&self.access, &error.to_string(), ""))?;
        let status = response.status().as_u16();
        if status != 200 {
            let hint = if matches!(status, 401 | 403) { CERT } else { "" };
            return Err(failed(&self.access, &format!("status {status}"), hint));
        }
        let body = response.body_mut().with_config().limit(LARGEST).read_to_string();
        let body = body.map_err(|error| failed(&self.access, &error.to_string(), ""))?;
        if body.trim_start().starts_with('<') {
            return Err(failed(
                &self.access,
                "answers with HTML, not as PuppetDB does",
                "; is the address right?",
            ));
        }
        Ok(body)
    }
}

/// As many catalogs may be asked about at once.
const MOST_CATALOGS: usize = 1_000_000;

/// Asks a server for the keys that catalogs asked for, as it has them.
pub fn catalog_inputs(access: Access) -> Result<String> {
    nodes(access)?.get(&page_of("catalog-inputs", &["certname"], MOST_CATALOGS, 0))
}

/// As many exported resources are asked for at once.
const RESOURCES: usize = 5_000;
/// As many are taken from a server.
const MOST_RESOURCES: usize = 2_000_000;

/// Asks a server for what nodes exported.
pub fn exported(access: Access) -> Result<Vec<Value>> {
    let server = nodes(access)?;
    // ["=", "exported", true]
    let what = "resources?query=%5B%22%3D%22%2C%22exported%22%2Ctrue%5D";
    let mut found = Vec::new();
    while found.len() < MOST_RESOURCES {
        let body = server.get(&page_of(what, &["certname", "type", "title"], RESOURCES, found.len()))?;
        let Ok(Value::Array(page)) = hierarch_hiera::read::json(&body) else {
            return Err(failed(&server.access, issues::NO_LIST, ""));
        };
        found.extend(page.iter().cloned());
        if page.len() < RESOURCES {
            return Ok(found);
        }
    }
    Err(failed(&server.access, &issues::too_many_exported(MOST_RESOURCES), ""))
}

/// Returns the question for a page, in the order of some fields.
fn page_of(what: &str, fields: &[&str], limit: usize, offset: usize) -> String {
    let order: Vec<String> =
        fields.iter().map(|field| format!("%7B%22field%22%3A%22{field}%22%7D")).collect();
    let sign = if what.contains('?') { '&' } else { '?' };
    format!("{what}{sign}order_by=%5B{}%5D&limit={limit}&offset={offset}", order.join("%2C"))
}

impl Iterator for Nodes {
    type Item = Result<(String, NodeFacts)>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(node) = self.page.next() {
            return Some(Ok(node));
        }
        if self.is_done {
            return None;
        }
        match self.fetch() {
            Ok(page) => {
                self.offset += page.len();
                self.is_done = page.len() < PAGE;
                self.page = page.into_iter();
                self.page.next().map(Ok)
            }
            Err(error) => {
                self.is_done = true;
                Some(Err(error))
            }
        }
    }
}
