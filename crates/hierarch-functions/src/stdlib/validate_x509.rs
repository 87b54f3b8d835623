//! `validate_x509_rsa_key_pair`: a certificate and the key that signed it.

use der::{DecodePem, Encode};
use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs8::DecodePrivateKey;
use rsa::{Pkcs1v15Sign, RsaPrivateKey, RsaPublicKey};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};
use x509_cert::Certificate;

use crate::prelude::*;
use issues::stdlib::{KEY_MISMATCH, NO_START, bad_certificate, bad_key, lower_count, not_a_string};

/// The function `validate_x509_rsa_key_pair`.
pub(super) static VALIDATE_X509_RSA_KEY_PAIR: Function = Function {
    name: "validate_x509_rsa_key_pair",
    doc: "Fails unless a certificate (PEM) is signed by an RSA key (PEM).",
    dispatches: &[legacy(-1, validate)],
    examples: &[
        Fails(
            "validate_x509_rsa_key_pair('x')",
            "validate_x509_rsa_key_pair(): wrong number of arguments (1; must be 2)",
        ),
        Fails("validate_x509_rsa_key_pair('x', 'y')", "Not a valid x509 certificate: "),
    ],
};

fn validate(call: &mut Call) -> Result<Value> {
    if call.count() != 2 {
        return Err(lower_count("validate_x509_rsa_key_pair", call.count(), "2").into());
    }
    if let Some(value) = call.arguments().iter().find(|value| value.as_str().is_none()) {
        return Err(not_a_string(value).into());
    }
    let certificate = Certificate::from_pem(call.str(0)).map_err(|problem| {
        let is_pem = call.str(0).contains("-----BEGIN CERTIFICATE-----");
        bad_certificate(&if is_pem { problem.to_string() } else { NO_START.to_owned() })
    })?;
    let pem = call.str(1);
    let key = RsaPrivateKey::from_pkcs1_pem(pem).or_else(|_| RsaPrivateKey::from_pkcs8_pem(pem));
    let key = key.map_err(|problem| bad_key(&problem.to_string()))?;
    if is_signed_by(&certificate, &key.to_public_key()) {
        return Ok(Value::Undef);
    }
    Err(issues::argument(KEY_MISMATCH).into())
}

fn is_signed_by(certificate: &Certificate, key: &RsaPublicKey) -> bool {
    let Ok(content) = certificate.tbs_certificate.to_der() else { return false };
    let signature = certificate.signature.raw_bytes();
    // The identifiers of RSA with a checksum, PKCS #1.
    let (scheme, sum) = match certificate.signature_algorithm.oid.to_string().as_str() {
        "1.2.840.113549.1.1.5" => (Pkcs1v15Sign::new::<Sha1>(), Sha1::digest(&content).to_vec()),
        "1.2.840.113549.1.1.11" => (Pkcs1v15Sign::new::<Sha256>(), Sha256::digest(&content).to_vec()),
        "1.2.840.113549.1.1.12" => (Pkcs1v15Sign::new::<Sha384>(), Sha384::digest(&content).to_vec()),
        "1.2.840.113549.1.1.13" => (Pkcs1v15Sign::new::<Sha512>(), Sha512::digest(&content).to_vec()),
        _ => return false,
    };
    key.verify(scheme, &sum, signature).is_ok()
}
