//! Who may ask what: names, roles, tokens, certificates, hosts and origins.

mod certificate;
mod hosts;
mod tls;
mod tokens;

pub(crate) use certificate::Certificate;
pub(crate) use hosts::{check_host, check_origin};
pub(crate) use tls::{acceptor, warning as certificate_warning};
pub use tokens::{Tokens, token_line};

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;

use crate::issues;
use crate::problem::Problem;
use crate::settings::ServerSettings;

/// What a client may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Ask for values.
    Read,
    /// See the facts of nodes.
    Facts,
    /// See what was decrypted.
    Secrets,
    /// Write.
    Edit,
    /// Anybody may ask this.
    Nobody,
}

/// All roles that can be given.
pub(crate) const ROLES: [Role; 4] = [Role::Read, Role::Facts, Role::Secrets, Role::Edit];

impl Role {
    /// Returns its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Facts => "facts",
            Self::Secrets => "secrets",
            Self::Edit => "edit",
            Self::Nobody => "none",
        }
    }

    /// Finds a role by its name.
    pub fn parse(word: &str) -> Result<Self, String> {
        ROLES.into_iter().find(|role| role.word() == word).ok_or_else(|| issues::unknown_role(word))
    }
}

/// Who asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    /// The name of the token or certificate.
    pub(crate) name: Option<String>,
    roles: Vec<Role>,
    /// The certificate, which an authority has signed.
    pub(crate) certificate: Option<Certificate>,
    /// A token or certificate was needed and none was shown.
    is_unknown: bool,
}

impl Caller {
    /// Finds out who asks: by a token, by a certificate, or by what a trusted proxy says.
    pub(crate) fn find(
        settings: &ServerSettings,
        tokens: Option<&Tokens>,
        headers: &HeaderMap,
        certificate: Option<Certificate>,
    ) -> Result<Self, Problem> {
        let certificate = match certificate {
            None if settings.is_behind_proxy => Certificate::from_headers(headers),
            certificate => certificate,
        };
        let token = headers.get(AUTHORIZATION).map(|value| {
            let text = value.to_str().unwrap_or_default();
            text.split_once(' ')
                .filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"))
                .map_or("", |(_, token)| token.trim())
        });
        if let (Some(token), Some(tokens)) = (token, tokens) {
            let (name, roles) = tokens.find(token).ok_or_else(issues::wrong_token)?;
            return Ok(Self { name: Some(name), roles, certificate, is_unknown: false });
        }
        if let Some(certificate) = certificate {
            let roles = match tokens {
                Some(tokens) => tokens.of_certificate(&certificate.name),
                None => vec![Role::Read],
            };
            return Ok(Self {
                name: Some(certificate.name.clone()),
                roles,
                certificate: Some(certificate),
                is_unknown: false,
            });
        }
        let must_be_known =
            tokens.is_some() || settings.tls.as_ref().is_some_and(|tls| tls.client_ca.is_some());
        if must_be_known {
            return Ok(Self { is_unknown: true, ..Self::default() });
        }
        let mut roles = vec![Role::Read, Role::Facts];
        roles.extend(settings.may_edit.then_some(Role::Edit));
        Ok(Self { roles, ..Self::default() })
    }

    /// Tells whether the caller has a role.
    pub(crate) fn has(&self, role: Role) -> bool {
        role == Role::Nobody || self.roles.contains(&role)
    }

    /// Refuses a caller without a role.
    pub(crate) fn check(&self, role: Role) -> Result<(), Problem> {
        match role {
            role if self.has(role) => Ok(()),
            _ if self.is_unknown => Err(issues::who_are_you()),
            role => Err(issues::missing_role(role.word())),
        }
    }
}
