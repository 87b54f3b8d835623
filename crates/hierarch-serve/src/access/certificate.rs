//! What a client certificate says: its name, and the extensions that Puppet puts into it.

use der::asn1::{ObjectIdentifier, Utf8StringRef};
use der::{Decode, DecodePem};
use hyper::HeaderMap;
use percent_encoding::percent_decode_str;

/// Below this number Puppet has its extensions.
const PUPPET: &str = "1.3.6.1.4.1.34380.1.";

/// The short names of Puppet's extensions.
const SHORT: &[(&str, &str)] = &[
    ("1.1", "pp_uuid"),
    ("1.2", "pp_instance_id"),
    ("1.3", "pp_image_name"),
    ("1.4", "pp_preshared_key"),
    ("1.5", "pp_cost_center"),
    ("1.6", "pp_product"),
    ("1.7", "pp_project"),
    ("1.8", "pp_application"),
    ("1.9", "pp_service"),
    ("1.10", "pp_employee"),
    ("1.11", "pp_created_by"),
    ("1.12", "pp_environment"),
    ("1.13", "pp_role"),
    ("1.14", "pp_software_version"),
    ("1.15", "pp_department"),
    ("1.16", "pp_cluster"),
    ("1.17", "pp_provisioner"),
    ("1.18", "pp_region"),
    ("1.19", "pp_datacenter"),
    ("1.20", "pp_zone"),
    ("1.21", "pp_network"),
    ("1.22", "pp_securitypolicy"),
    ("1.23", "pp_cloudplatform"),
    ("1.24", "pp_apptier"),
    ("1.25", "pp_hostname"),
    ("1.26", "pp_owner"),
    ("3.1", "pp_authorization"),
    ("3.2", "pp_auth_auto_renew"),
    ("3.13", "pp_auth_role"),
    ("3.39", "pp_cli_auth"),
];

/// A certificate that an authority has signed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Certificate {
    /// Its common name.
    pub(crate) name: String,
    /// Puppet's extensions: short names, or numbers that have none.
    pub(crate) extensions: Vec<(String, String)>,
}

impl Certificate {
    /// Reads a certificate; none if it has no name.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        Self::of(&x509_cert::Certificate::from_der(bytes).ok()?)
    }

    fn of(certificate: &x509_cert::Certificate) -> Option<Self> {
        let common = ObjectIdentifier::new_unwrap("2.5.4.3");
        let subject = certificate.tbs_certificate.subject.0.iter();
        let name = subject
            .flat_map(|part| part.0.iter())
            .find(|attribute| attribute.oid == common)
            .and_then(|attribute| text(attribute.value.value()))?;
        let extensions = certificate.tbs_certificate.extensions.iter().flatten();
        let extensions = extensions.filter_map(|extension| {
            let number = extension.extn_id.to_string();
            let own = number.strip_prefix(PUPPET)?;
            let value = extension_text(extension.extn_value.as_bytes())?;
            let short = SHORT.iter().find(|(known, _)| *known == own).map(|(_, short)| (*short).to_owned());
            Some((short.unwrap_or(number), value))
        });
        Some(Self { name, extensions: extensions.collect() })
    }

    /// Reads what a proxy says that has checked a certificate: the headers that Puppet Server knows.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Option<Self> {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        if header("x-client-verify") != Some("SUCCESS") {
            return None;
        }
        let name = common_name(header("x-client-dn")?)?;
        let pem = header("x-client-cert").map(|text| wrapped(&percent_decode_str(text).decode_utf8_lossy()));
        let whole = pem.and_then(|pem| x509_cert::Certificate::from_pem(pem.as_bytes()).ok());
        let whole = whole.and_then(|certificate| Self::of(&certificate)).filter(|whole| whole.name == name);
        Some(whole.unwrap_or(Self { name, extensions: Vec::new() }))
    }
}

/// Breaks a certificate's lines where PEM wants it: proxies send them in one line or in many.
fn wrapped(text: &str) -> String {
    let body = text.replace("-----BEGIN CERTIFICATE-----", "").replace("-----END CERTIFICATE-----", "");
    let body: Vec<char> = body.chars().filter(|one| !one.is_whitespace()).collect();
    let lines: Vec<String> = body.chunks(64).map(|line| line.iter().collect()).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

/// Finds the common name in both notations: `CN=a,O=b` and `/O=b/CN=a`.
fn common_name(subject: &str) -> Option<String> {
    let parts = subject.split([',', '/']).map(str::trim);
    let own = parts
        .filter_map(|part| part.split_once('='))
        .find(|(kind, _)| kind.trim().eq_ignore_ascii_case("cn"));
    own.map(|(_, name)| name.trim().to_owned()).filter(|name| !name.is_empty())
}

fn text(bytes: &[u8]) -> Option<String> {
    std::str::from_utf8(bytes).ok().map(str::to_owned)
}

/// Puppet writes extensions as DER texts, old versions as bare ones.
fn extension_text(bytes: &[u8]) -> Option<String> {
    match Utf8StringRef::from_der(bytes) {
        Ok(text) => Some(text.as_str().to_owned()),
        Err(_) => text(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_says_who_it_has_checked() {
        let mut headers = HeaderMap::new();
        headers.insert("x-client-dn", "CN=web01.example.com,O=x".parse().expect("a header"));
        assert_eq!(Certificate::from_headers(&headers), None);
        headers.insert("x-client-verify", "SUCCESS".parse().expect("a header"));
        let found = Certificate::from_headers(&headers).expect("a name");
        assert_eq!(found.name, "web01.example.com");
        headers.insert("x-client-verify", "FAILED:expired".parse().expect("a header"));
        assert_eq!(Certificate::from_headers(&headers), None);
    }

    #[test]
    fn names_are_found_in_both_notations() {
        for (subject, name) in [
            ("CN=a", Some("a")),
            ("/O=x/CN=b", Some("b")),
            ("O=x, cn = c", Some("c")),
            ("O=x", None),
            ("CN=", None),
        ] {
            let found = common_name(subject);
            assert_eq!(found.as_deref(), name, "{subject}");
        }
    }
}
