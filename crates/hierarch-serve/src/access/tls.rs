//! Encryption, and certificates of clients.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use der::Decode;
use hierarch_source::{DiskFiles, Files};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{self, RootCertStore, ServerConfig};

use crate::issues;
use crate::settings::TlsFiles;

/// Reads certificates and keys, and makes what speaks TLS with them.
pub(crate) fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, String> {
    let provider = Arc::new(ring::default_provider());
    let config = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let config = match &files.client_ca {
        None => config.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for certificate in certificates(path)? {
                roots.add(certificate).map_err(|error| at(path, &error))?;
            }
            let mut verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
            if let Some(path) = &files.revoked {
                verifier = verifier.with_crls(revoked(path)?).allow_unknown_revocation_status();
            }
            // Whoever shows no certificate may show a token.
            let last = files.revoked.as_deref().unwrap_or(path);
            let verifier = verifier.allow_unauthenticated().build().map_err(|error| at(last, &error))?;
            config.with_client_cert_verifier(verifier)
        }
    };
    let key = read(&files.key)?;
    let key = PrivateKeyDer::from_pem_slice(&key).map_err(|error| at(&files.key, &error))?;
    let own = certificates(&files.certificate)?;
    let mut config = config.with_single_cert(own, key).map_err(|error| unusable(files, &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Says what is wrong with the server's own certificate.
fn unusable(files: &TlsFiles, error: &rustls::Error) -> String {
    match error {
        rustls::Error::InconsistentKeys(_) => issues::other_key(&files.key, &files.certificate),
        rustls::Error::InvalidCertificate(_) => issues::unusable_certificate(&files.certificate, error),
        error => at(&files.certificate, error),
    }
}

/// Returns a warning about the server's own certificate if its time is not now: clients refuse it.
pub(crate) fn warning(files: &TlsFiles, now: Duration) -> Option<String> {
    let own = certificates(&files.certificate).ok()?;
    let own = x509_cert::Certificate::from_der(own.first()?).ok()?;
    let validity = own.tbs_certificate.validity;
    let (from, to) = (validity.not_before.to_date_time(), validity.not_after.to_date_time());
    if now > to.unix_duration() {
        Some(issues::expired(&files.certificate, &to.to_string()))
    } else if now < from.unix_duration() {
        Some(issues::not_yet_valid(&files.certificate, &from.to_string()))
    } else {
        None
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let bytes = read(path)?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    let found = found.map_err(|error| at(path, &error))?;
    if found.is_empty() { Err(at(path, &"it holds no certificate")) } else { Ok(found) }
}

fn revoked(path: &Path) -> Result<Vec<CertificateRevocationListDer<'static>>, String> {
    let bytes = read(path)?;
    let found: Result<Vec<_>, _> = CertificateRevocationListDer::pem_slice_iter(&bytes).collect();
    found.map_err(|error| at(path, &error))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    DiskFiles.read(path).map_err(|error: io::Error| at(path, &error))
}

fn at(path: &Path, why: &dyn std::fmt::Display) -> String {
    format!("{}: {why}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Valid in the year 2020.
    const OLD: &str = "\
-----BEGIN CERTIFICATE-----
MIIBAzCBqgIBATAKBggqhkjOPQQDAjAOMQwwCgYDVQQDDANvbGQwHhcNMjAwMTAx
MDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAOMQwwCgYDVQQDDANvbGQwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAARF7fsfMRJ+PZfiU8QGiWnIhh8TVglsUrX2KBSzKM9p
01hNHfQJ33qQgM1T8ZMWdCJFaTgmL4GbDlzEWi4Ii1K+MAoGCCqGSM49BAMCA0gA
MEUCICXpqa1578fdrDeNBMWGAzMk5BOE+ecG+VHxU3Ae4S6XAiEA7rmtZDVuVYB+
As0nUvpZyNbv3mPjvD83ZIvuBaqWDJM=
-----END CERTIFICATE-----
";

    #[test]
    fn a_certificate_is_warned_of_before_and_after_its_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let certificate = folder.path().join("old.pem");
        std::fs::write(&certificate, OLD).expect("it is written");
        let files = TlsFiles { key: certificate.clone(), certificate, client_ca: None, revoked: None };
        let year = |number: u64| Duration::from_secs((number - 1970) * 31_556_952);
        let told = |number: u64| warning(&files, year(number)).unwrap_or_default();
        assert!(told(2026).contains("old.pem expired on 2021-01-01T00:00:00Z"), "{}", told(2026));
        assert!(told(2019).contains("is valid from 2020-01-01T00:00:00Z on"), "{}", told(2019));
        assert_eq!(warning(&files, year(2020) + Duration::from_hours(240)), None);
    }

    #[test]
    fn what_is_no_key_or_certificate_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let (certificate, key) = (folder.path().join("c.pem"), folder.path().join("k.pem"));
        let files =
            TlsFiles { certificate: certificate.clone(), key: key.clone(), client_ca: None, revoked: None };
        let why = || acceptor(&files).err().unwrap_or_default();
        assert!(why().contains("k.pem"), "{}", why());
        std::fs::write(&key, OLD).expect("it is written");
        assert!(why().starts_with(&key.display().to_string()), "{}", why());
        std::fs::write(&certificate, "nothing").expect("it is written");
        assert_eq!(warning(&files, Duration::ZERO), None);
        assert!(certificates(&certificate).is_err_and(|why| why.contains("it holds no certificate")));
        let mismatch = rustls::Error::InconsistentKeys(rustls::InconsistentKeys::KeyMismatch);
        assert!(unusable(&files, &mismatch).contains("--tls-key) does not belong to the certificate"));
    }
}
