//! Object stores of clouds: S3 and what speaks as it does, Google's and Azure's.
//!
//! The protocols are the crate `object_store`'s; what goes over the network goes through the client that fetches everything else.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use hierarch_jobs::{Objects, issues as words};
use hierarch_source::{Error, Result};
use http_body_util::BodyExt;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpService,
};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore, ObjectStoreExt, RetryConfig};
use tokio::runtime::Runtime;

/// How long one exchange may take.
const LONGEST: Duration = Duration::from_secs(300);
/// As long it is tried again where a server is busy or a connection breaks.
const PATIENCE: Duration = Duration::from_secs(60);
/// The largest object that is read.
const LARGEST: u64 = 4 << 30;

/// Opens a store by an address `s3://BUCKET/PREFIX`; who we are stands in the variables that each cloud's tools read.
pub(super) fn open(address: &str) -> Result<Option<Box<dyn Objects>>> {
    let Some((scheme, rest)) = address.split_once("://") else { return Ok(None) };
    let failed = |error: object_store::Error| words::objects(address, "open it", &told(&error));
    let retry = RetryConfig { retry_timeout: PATIENCE, ..RetryConfig::default() };
    let store: Box<dyn ObjectStore> = match scheme {
        "s3" => {
            let made = AmazonS3Builder::from_env().with_url(address).with_retry(retry);
            Box::new(made.with_http_connector(Connector).build().map_err(failed)?)
        }
        "gs" => {
            let made = GoogleCloudStorageBuilder::from_env().with_url(address).with_retry(retry);
            Box::new(made.with_http_connector(Connector).build().map_err(failed)?)
        }
        "az" => {
            let made = MicrosoftAzureBuilder::from_env().with_url(address).with_retry(retry);
            Box::new(made.with_http_connector(Connector).build().map_err(failed)?)
        }
        _ => return Ok(None),
    };
    let prefix = rest.split_once('/').map_or("", |(_, prefix)| prefix).trim_matches('/').to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| words::objects(address, "open it", &error.to_string()))?;
    Ok(Some(Box::new(Cloud { address: address.to_owned(), prefix, store, runtime })))
}

struct Cloud {
    address: String,
    prefix: String,
    store: Box<dyn ObjectStore>,
    runtime: Runtime,
}

impl Cloud {
    fn path(&self, name: &str) -> Result<Path> {
        let whole = if self.prefix.is_empty() { name.to_owned() } else { format!("{}/{name}", self.prefix) };
        Path::parse(whole).map_err(|error| words::objects(&self.address, name, &error.to_string()))
    }

    fn failed(&self, what: &str, name: &str, error: &object_store::Error) -> Error {
        words::objects(&self.address, &format!("{what} {name}"), &told(error))
    }
}

impl Objects for Cloud {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.path(name)?;
        let read = async { self.store.get(&path).await?.bytes().await };
        match self.runtime.block_on(read) {
            Ok(bytes) => Ok(Some(bytes.to_vec())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed("read", name, &error)),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.path(name)?;
        let written = self.runtime.block_on(self.store.put(&path, bytes.to_vec().into()));
        written.map(drop).map_err(|error| self.failed("write", name, &error))
    }

    fn has(&self, name: &str) -> Result<bool> {
        let path = self.path(name)?;
        match self.runtime.block_on(self.store.head(&path)) {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(self.failed("find", name, &error)),
        }
    }
}

/// Says what is wrong, with its reasons; secrets stand in none of them.
fn told(error: &object_store::Error) -> String {
    let mut text = error.to_string();
    let mut reason = std::error::Error::source(error);
    while let Some(inner) = reason {
        let more = inner.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        reason = inner.source();
    }
    text
}

/// Makes clients of the one that fetches everything else.
#[derive(Debug)]
struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let config = ureq::Agent::config_builder().timeout_global(Some(LONGEST));
        // What a status means is the protocol's business.
        Ok(HttpClient::new(Client(config.http_status_as_error(false).max_redirects(0).build().into())))
    }
}

#[derive(Debug)]
struct Client(ureq::Agent);

type Answer<'f> = Pin<Box<dyn Future<Output = std::result::Result<HttpResponse, HttpError>> + Send + 'f>>;

impl HttpService for Client {
    /// Blocks: whoever asks waits for this and for nothing else.
    fn call<'s, 'f>(&'s self, request: HttpRequest) -> Answer<'f>
    where
        's: 'f,
        Self: 'f,
    {
        let agent = self.0.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let body = body.collect().await?.to_bytes();
            let request = ureq::http::Request::from_parts(parts, &body[..]);
            let answer = agent.run(request).map_err(failure)?;
            let (parts, mut body) = answer.into_parts();
            let bytes = body.with_config().limit(LARGEST).read_to_vec().map_err(failure)?;
            Ok(HttpResponse::from_parts(parts, bytes.into()))
        })
    }
}

/// Says what kind of failure it is: some are tried again.
fn failure(error: ureq::Error) -> HttpError {
    let kind = match &error {
        ureq::Error::ConnectionFailed | ureq::Error::HostNotFound => HttpErrorKind::Connect,
        ureq::Error::Timeout(_) => HttpErrorKind::Timeout,
        ureq::Error::Io(_) => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Unknown,
    };
    HttpError::new(kind, error)
}
