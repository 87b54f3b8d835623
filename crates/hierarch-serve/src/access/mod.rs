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

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(text: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(text) = text {
            headers.insert(AUTHORIZATION, text.parse().expect("a header"));
        }
        headers
    }

    fn tokens() -> Tokens {
        let lines = [
            token_line("reader", &[Role::Read], "r-token"),
            token_line("all", &ROLES, "a-token"),
            "web01 read facts certificate".to_owned(),
        ];
        Tokens::parse(&lines.join("\n")).expect("tokens")
    }

    fn may(caller: &Caller) -> Vec<&'static str> {
        ROLES.into_iter().filter(|role| caller.has(*role)).map(Role::word).collect()
    }

    #[test]
    fn without_tokens_everybody_reads_and_edits_only_where_that_is_allowed() {
        let caller = Caller::find(&ServerSettings::default(), None, &headers(None), None).expect("anybody");
        assert_eq!(may(&caller), ["read", "facts"]);
        let edits = ServerSettings { may_edit: true, ..ServerSettings::default() };
        let caller = Caller::find(&edits, None, &headers(None), None).expect("anybody");
        assert_eq!(may(&caller), ["read", "facts", "edit"]);
        // Secrets are nobody's who has shown nothing.
        assert_eq!(caller.check(Role::Secrets).map_err(|problem| problem.status), Err(403));
    }

    #[test]
    fn a_token_gives_its_roles_and_no_others() {
        let tokens = tokens();
        for (given, expected) in [
            ("Bearer r-token", vec!["read"]),
            ("bearer r-token", vec!["read"]),
            ("Bearer   r-token  ", vec!["read"]),
            ("Bearer a-token", vec!["read", "facts", "secrets", "edit"]),
        ] {
            let caller = Caller::find(&ServerSettings::default(), Some(&tokens), &headers(Some(given)), None);
            assert_eq!(caller.map(|caller| may(&caller)).ok(), Some(expected), "{given}");
        }
        for given in ["Bearer nope", "Bearer ", "Bearer", "Basic r-token", "r-token", "Bearer r-token2"] {
            let refused =
                Caller::find(&ServerSettings::default(), Some(&tokens), &headers(Some(given)), None);
            assert_eq!(
                refused.map(|caller| caller.name).map_err(|problem| problem.status),
                Err(401),
                "{given}"
            );
        }
    }

    /// Who shows nothing where something is needed is asked who they are; who lacks a role is told which.
    #[test]
    fn who_is_unknown_is_asked_and_who_lacks_a_role_is_told() {
        let tokens = tokens();
        let stranger = Caller::find(&ServerSettings::default(), Some(&tokens), &headers(None), None)
            .expect("a caller without a role");
        let refused = stranger.check(Role::Read).expect_err("nobody");
        assert_eq!((refused.status, refused.challenge), (401, true));
        assert!(stranger.check(Role::Nobody).is_ok(), "what anybody may ask, they may ask too");
        let reader =
            Caller::find(&ServerSettings::default(), Some(&tokens), &headers(Some("Bearer r-token")), None);
        let refused = reader.expect("a reader").check(Role::Edit).expect_err("not theirs");
        assert_eq!((refused.status, refused.challenge), (403, false));
        assert!(refused.detail.contains("edit"), "{}", refused.detail);
    }

    #[test]
    fn roles_are_read_by_their_names() {
        for role in ROLES {
            assert_eq!(Role::parse(role.word()), Ok(role));
        }
        for word in ["", "none", "Read", "admin"] {
            let why = Role::parse(word).expect_err(word);
            assert!(why.contains(word), "{why}");
        }
    }
}
