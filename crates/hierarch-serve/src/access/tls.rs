//! Encryption, and certificates of clients.

use std::io;
use std::path::Path;
use std::sync::Arc;

use hierarch_source::{DiskFiles, Files};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

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
    let mut config = config.with_single_cert(own, key).map_err(|error| at(&files.certificate, &error))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
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
