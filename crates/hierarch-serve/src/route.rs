//! What a route is: one table entry says what it accepts, what it answers, and how.

use crate::access::Role;
use crate::answer::Answer;
use crate::problem::Problem;
use crate::question::Question;

/// What comes of a question.
pub(crate) type Outcome = Result<Answer, Problem>;

/// How a route is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    Get,
    Post,
}

impl Method {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// A route of the API.
pub(crate) struct Route {
    /// How it is asked.
    pub(crate) method: Method,
    /// Its path; a segment in braces is a parameter.
    pub(crate) path: &'static str,
    /// What it is for, in a sentence.
    pub(crate) summary: &'static str,
    /// The role that is needed.
    pub(crate) role: Role,
    /// Everything that may stand in the path or after the question mark.
    pub(crate) parameters: &'static [Parameter],
    /// What the body has to be.
    pub(crate) body: Option<Body>,
    /// What the answer is.
    pub(crate) media: &'static str,
    /// The schema of the answer, as JSON.
    pub(crate) schema: &'static str,
    /// Answers.
    pub(crate) run: fn(&Question) -> Outcome,
}

/// The parameters of answers that may be kept: no revision, which may move, and no secrets.
const KEPT: [&str; 4] = ["node", "key", "merge", "default"];

impl Route {
    /// Tells whether answers to a query may be kept as they were sent: they are the same for all who may ask, as long as the
    /// state is.
    pub(crate) fn keeps(&self, query: &str) -> bool {
        self.path == "/api/v1/lookup"
            && self.method == Method::Get
            && query.split('&').all(|pair| {
                KEPT.iter().any(|name| pair.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')))
            })
    }
}

/// The body of a question.
pub(crate) struct Body {
    /// Its schema, as JSON.
    pub(crate) schema: &'static str,
    /// One that works in `examples/control-repo`.
    pub(crate) example: &'static str,
}

/// A parameter of the path or of the query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) kind: Kind,
    pub(crate) is_required: bool,
    /// One that works in `examples/control-repo`; none: it is left out in the example.
    pub(crate) example: Option<&'static str>,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Text,
    Number,
    Flag,
    OneOf(&'static [&'static str]),
}

impl Kind {
    /// Tells what is expected, unless a text fits.
    pub(crate) fn complaint(self, text: &str) -> Option<String> {
        match self {
            Self::Text => None,
            Self::Number => text.parse::<usize>().is_err().then(|| "a number".to_owned()),
            Self::Flag => (!matches!(text, "true" | "false")).then(|| "true or false".to_owned()),
            Self::OneOf(words) => (!words.contains(&text)).then(|| format!("one of {}", words.join(", "))),
        }
    }
}

impl Parameter {
    pub(crate) const fn text(name: &'static str, about: &'static str) -> Self {
        Self { name, about, kind: Kind::Text, is_required: false, example: None }
    }

    pub(crate) const fn of(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    pub(crate) const fn required(self, example: &'static str) -> Self {
        Self { is_required: true, example: Some(example), ..self }
    }

    pub(crate) const fn like(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }
}

/// The node of a question.
pub(crate) const NODE: Parameter =
    Parameter::text("node", "the name of a known node").required("web01.berlin.example.com");
/// The key of a question.
pub(crate) const KEY: Parameter =
    Parameter::text("key", "the key; dots dig, as in `lookup`").required("profile::web::port");
/// The revision of a question.
pub(crate) const AT: Parameter =
    Parameter::text("at", "a git revision: the state at that commit instead of now");
/// Whether secrets are shown.
pub(crate) const SECRETS: Parameter =
    Parameter::text("secrets", "show what was decrypted; needs the role 'secrets'").of(Kind::Flag);

impl Route {
    /// Matches a path; what stands in place of its parameters is returned.
    pub(crate) fn matches<'p>(&self, path: &'p str) -> Option<Vec<(&'static str, &'p str)>> {
        let (mut ours, mut theirs) = (self.path.split('/'), path.split('/'));
        let mut found = Vec::new();
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return Some(found),
                (Some(ours), Some(theirs)) => {
                    match ours.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                        Some(name) if !theirs.is_empty() => found.push((name, theirs)),
                        None if ours == theirs => {}
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_matched_whole() {
        let route = |path| Route {
            method: Method::Get,
            path,
            summary: "",
            role: Role::Read,
            parameters: &[],
            body: None,
            media: "",
            schema: "{}",
            run: |_| Ok(Answer::json(String::new())),
        };
        let facts = route("/nodes/{node}/facts");
        assert_eq!(facts.matches("/nodes/a/facts"), Some(vec![("node", "a")]));
        for path in ["/nodes//facts", "/nodes/a/facts/", "/nodes/a", "/nodes/a/b/facts"] {
            assert_eq!(facts.matches(path), None, "{path}");
        }
    }

    #[test]
    fn parameters_are_checked_by_their_kinds() {
        for (kind, fits, wrong, words) in [
            (Kind::Text, &["", "a"][..], &[][..], ""),
            (Kind::Number, &["0", "17"], &["", "-1", "1.5", "x", "99999999999999999999999"], "a number"),
            (Kind::Flag, &["true", "false"], &["", "True", "1", "yes"], "true or false"),
            (Kind::OneOf(&["a", "b"]), &["a", "b"], &["", "A", "c"], "one of a, b"),
        ] {
            for text in fits {
                assert_eq!(kind.complaint(text), None, "{kind:?} {text}");
            }
            for text in wrong {
                assert_eq!(kind.complaint(text).as_deref(), Some(words), "{kind:?} {text}");
            }
        }
    }

    /// Only answers that are the same for everybody, and stay so, are kept as they were sent.
    #[test]
    fn answers_are_kept_for_plain_lookups_alone() {
        let lookup = crate::routes::ROUTES
            .iter()
            .find(|route| route.path == "/api/v1/lookup" && route.method == Method::Get);
        let lookup = lookup.expect("a route");
        for (query, kept) in [
            ("node=a&key=b", true),
            ("key=b&node=a&merge=deep&default=1", true),
            ("node=a&key=b&secrets=true", false),
            ("node=a&key=b&at=HEAD", false),
            ("node=a&key=b&nodes=c", false),
            ("node=a&key", false),
            ("", false),
        ] {
            assert_eq!(lookup.keeps(query), kept, "{query}");
        }
        for route in crate::routes::ROUTES.iter().filter(|route| route.path != "/api/v1/lookup") {
            assert!(!route.keeps("node=a&key=b"), "{}", route.path);
        }
    }

    /// What is true of every route, whatever it answers.
    #[test]
    fn every_route_can_be_told_from_the_others_and_is_explained() {
        let mut known = std::collections::BTreeSet::new();
        for route in crate::routes::ROUTES {
            assert!(known.insert((route.method.word(), route.path)), "{} is there twice", route.path);
            assert!(route.path.starts_with("/api/v1/"), "{}", route.path);
            assert!(route.summary.len() > 10, "{}: {}", route.path, route.summary);
            assert_eq!(route.method == Method::Post, route.body.is_some(), "{}", route.path);
            let mut names = std::collections::BTreeSet::new();
            for parameter in route.parameters {
                assert!(names.insert(parameter.name), "{}: {} is there twice", route.path, parameter.name);
                assert!(!parameter.about.is_empty(), "{}: {}", route.path, parameter.name);
                let complaint = parameter.example.and_then(|example| parameter.kind.complaint(example));
                assert_eq!(complaint, None, "{}: the example of {}", route.path, parameter.name);
            }
            let is_secret = route.parameters.iter().any(|parameter| parameter.name == "secrets");
            assert!(!is_secret || route.role != Role::Nobody, "{} shows secrets to anybody", route.path);
        }
    }
}
