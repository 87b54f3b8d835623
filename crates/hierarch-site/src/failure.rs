//! What may be told of a compilation that failed.
//!
//! Words of a failure may have anything in them that a program made of a secret: a part of it, its letters in capitals, a check sum. So they
//! are taken from a second compilation, which saw what stands for secrets; where that does not fail at the same place, they are hidden.

use std::sync::Arc;

use hierarch_source::{Error, Place, Source};

use crate::issues;
use crate::node::Node;

/// The detail of a failure whose words are known to tell of no secret: nothing has to be looked for in them.
pub(crate) const TELLS_NO_SECRET: &str = "tells no secret";

/// Returns a failure of a node as it may be told.
pub(crate) fn shown(node: &Node, manifests: &[Arc<Source>], failure: Error) -> Error {
    let environment = node.environment();
    if node.hides_secrets() {
        return failure.detail(TELLS_NO_SECRET, "");
    }
    if node.tells_failures() || environment.may_show_secrets() || !environment.hiera().has_secrets() {
        return environment.shown_error(failure);
    }
    let open = node.without_secrets();
    match open.compile_from(manifests).catalog {
        Err(open) if is_same(&open, &failure) => told(failure, &open.message),
        Err(open) => told(failure, issues::HIDDEN_FAILURE).note(issues::fails_otherwise(&open.to_string())),
        Ok(_) => told(failure, issues::SECRET_FAILURE),
    }
}

/// Tells whether two failures are the same, but for what they quote.
fn is_same(one: &Error, other: &Error) -> bool {
    let place = |error: &Error| {
        let place = error.shown_place()?;
        Some((place.source.name().map(str::to_owned), place.position()))
    };
    one.code == other.code && place(one) == place(other)
}

/// Says a failure in other words, without anything that programs may have put beside them.
fn told(failure: Error, words: &str) -> Error {
    let mut diagnostic = failure.into_diagnostic();
    words.clone_into(&mut diagnostic.message);
    diagnostic.notes.clear();
    diagnostic.stack.retain(|frame| is_of_a_file(&frame.place));
    diagnostic.place = diagnostic.place.filter(is_of_a_file);
    diagnostic.excerpt = diagnostic.excerpt.filter(is_of_a_file);
    Error::from(diagnostic).detail(TELLS_NO_SECRET, "")
}

/// A text without a name may have been put together from secrets: that of `inline_epp`, for instance.
fn is_of_a_file(place: &Place) -> bool {
    place.source.name().is_some()
}

#[cfg(test)]
mod tests {
    use crate::testing::site_of;

    /// Compiles a class whose parameter is a secret, and returns its failure in the words that may be shown.
    fn failure(class: &str, may_show_secrets: bool) -> String {
        failure_of("CANARYAA", class, may_show_secrets)
    }

    fn failure_of(secret: &str, class: &str, may_show_secrets: bool) -> String {
        let data = format!(
            "app::pw: '{secret}'\nlookup_options: {{app::pw: {{convert_to: Sensitive}}, app::wrong: {{convert_to: 'Sensitive[Integer]'}}}}\napp::port: 80\napp::wrong: '{secret}'\n"
        );
        let site = site_of(&data, class, may_show_secrets);
        let node = site.node("a").expect("it is known");
        let failure = node.compile().expect_err("it does not compile");
        node.environment().told(&failure)
    }

    #[test]
    fn what_a_program_made_of_a_secret_is_not_told() {
        for (body, told) in [
            // The same failure, in the words of what stands for the secret.
            ("fail(\"wrong ${pw.unwrap[0, 5].downcase}\")", "wrong [decr"),
            // It fails for the secret alone.
            (
                "if $pw.unwrap =~ /^CAN/ { fail(\"wrong ${pw.unwrap[0, 5].downcase}\") }",
                "It fails because of a value that is secret; 'check --compile --show-secrets' says how (file: modules/app/manifests/init.pp, line: 1",
            ),
            // It fails otherwise for what stands for the secret.
            (
                "if $pw.unwrap !~ /^CAN/ { fail('other') } fail(\"wrong ${pw.unwrap.downcase}\")",
                "The reason is hidden, because it may tell of a secret; 'check --compile --show-secrets' says it (file: modules/app/manifests/init.pp, line: 1",
            ),
            // A text that was made of the secret is not quoted either.
            ("inline_epp(\"<% fail('${pw.unwrap.downcase}') %>\")", ""),
        ] {
            let class = format!("class app(Sensitive[String] $pw) {{ {body} }}");
            let failure = failure(&class, false);
            assert!(failure.contains(told), "{body}: {failure}");
            assert!(!failure.to_lowercase().contains("canar"), "{body}: {failure}");
        }
    }

    /// Secrets of a few letters are words that could stand anywhere: nothing is looked for, what is told comes from elsewhere.
    #[test]
    fn short_secrets_are_not_told_either() {
        for secret in ["Q", "Qz", "Qz7", "Qz7!"] {
            for (body, told) in [
                ("fail(\"wrong: ${pw.unwrap}\")", "wrong: [decrypted value hidden]"),
                ("fail(\"x${pw.unwrap}x\")", "x[decrypted value hidden]x"),
                ("notify { $pw.unwrap: } notify { $pw.unwrap: }", "Notify[[decrypted value hidden]]"),
                ("fail(\"wrong length ${pw.unwrap.length}\")", "wrong length 24"),
                (
                    "if $pw.unwrap =~ /^Q/ { fail(\"is ${pw.unwrap}\") }",
                    "It fails because of a value that is secret",
                ),
                (
                    "Integer($pw.unwrap)",
                    "The string '[decrypted value hidden]' cannot be converted to Integer",
                ),
                (
                    "$x = $pw.unwrap + 1",
                    "The value '[decrypted value hidden]' cannot be converted to Numeric",
                ),
            ] {
                let class = format!("class app(Sensitive[String] $pw) {{ {body} }}");
                let failure = failure_of(secret, &class, false);
                assert!(failure.contains(told), "{secret} {body}: {failure}");
                assert!(!failure.contains('Q'), "{secret} {body}: {failure}");
            }
        }
    }

    #[test]
    fn what_has_nothing_to_do_with_a_secret_is_told() {
        let class = "class app(Sensitive[String] $pw, Integer $port) { fail(\"port ${port}\") }";
        assert!(failure(class, false).contains("port 80"));
        let class = "class app(Sensitive[String] $pw) { fail(\"wrong ${pw.unwrap.downcase}\") }";
        assert!(failure(class, true).contains("wrong canaryaa"), "secrets may be shown");
    }
}
