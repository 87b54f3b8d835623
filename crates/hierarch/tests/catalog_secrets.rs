//! Differences of catalogs tell nothing of secrets, whatever programs made of them; and one node that fails hides no other.

mod common;

use std::fs;
use std::path::Path;

use common::{folder_of, hierarch};

const CLASS: &str = "class app(String $pw, Sensitive[String] $sens) {
  file { '/def': content => Deferred('sprintf', ['%s', $pw]) }
  notify { \"title ${pw}\": }
  file { '/b64': content => String(Binary($pw, '%s')) }
  file { '/rev': content => inline_template('<%= @pw.reverse %>') }
  file { '/un2': content => $sens.unwrap.split('').join('-') }
  file { '/plain': content => $facts['colour'] }
}
";

const HIERA: &str = "version: 5\nhierarchy:\n  - {name: S, lookup_key: eyaml_lookup_key, path: common.eyaml, options: {pkcs7_private_key: keys/private_key.pkcs7.pem, pkcs7_public_key: keys/public_key.pkcs7.pem}}\n";

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@b"];
    let run = std::process::Command::new("git").args(identity).args(arguments).current_dir(folder).status();
    assert!(run.expect("git runs").success());
}

fn write_data(folder: &Path, password: &str, sensitive: &str) {
    let arguments = ["eyaml", "encrypt", "-o", "string", "-s", password];
    let encrypted = hierarch(folder, &arguments, "").out.trim().to_owned();
    let text = format!(
        "app::pw: {encrypted}\napp::sens: {sensitive}\nlookup_options: {{app::sens: {{convert_to: Sensitive}}}}\n"
    );
    fs::write(folder.join("data/common.eyaml"), text).expect("written");
}

fn site() -> tempfile::TempDir {
    let folder = folder_of(&[
        ("hiera.yaml", HIERA),
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "include app\n"),
        ("modules/app/manifests/init.pp", CLASS),
        ("data/.keep", ""),
        ("facts/a.yaml", "clientcert: a\ncolour: red\n"),
        ("facts/b.yaml", "clientcert: b\ncolour: blue\n"),
    ]);
    assert_eq!(hierarch(folder.path(), &["eyaml", "createkeys"], "").code, 0);
    write_data(folder.path(), "CANARYAA", "CANARYGG");
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "--all"]);
    git(folder.path(), &["commit", "--quiet", "-m", "x"]);
    write_data(folder.path(), "CANARYNEW", "CANARYSN");
    folder
}

/// The secrets, and what the class makes of them.
const TOLD: [&str; 6] = ["CANARY", "Q0FOQVJZ", "AAYRANAC", "WENYRANAC", "C-A-N-A-R-Y", "YRANAC"];

#[test]
fn what_is_made_of_a_secret_is_not_shown() {
    let folder = site();
    for command in [&["catalog", "diff", "HEAD", ".", "--facts", "facts"][..], &["impact", "--catalogs"]] {
        for form in ["text", "json"] {
            let run = hierarch(folder.path(), &[command, &["--render-as", form]].concat(), "");
            assert_eq!(run.code, 2, "{command:?}: {}", run.err);
            for told in TOLD {
                assert!(
                    !run.out.contains(told) && !run.err.contains(told),
                    "{command:?} {told}: {}",
                    run.out
                );
            }
            // That something changes is told nevertheless.
            for resource in ["File[/def]", "File[/b64]", "File[/rev]", "File[/un2]", "Notify["] {
                assert!(run.out.contains(resource), "{command:?} {resource}: {}", run.out);
            }
        }
        let run = hierarch(folder.path(), &[command, &["--show-secrets"]].concat(), "");
        assert!(run.out.contains("CANARYNEW"), "{command:?}: {}", run.out);
    }
}

#[test]
fn one_node_that_fails_hides_no_other() {
    let folder = site();
    let manifest =
        "if $facts['clientcert'] == 'a' { include missing }\nnotify { x: message => $facts['colour'] }\n";
    fs::write(folder.path().join("manifests/site.pp"), manifest).expect("written");
    let run = hierarch(folder.path(), &["catalog", "diff", "HEAD", ".", "--facts", "facts"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("Notify[x]") && run.err.contains("missing"), "{}{}", run.out, run.err);
}

#[test]
fn titles_are_hidden_where_nothing_compiles_without_secrets() {
    for class in [
        "class app(String[1, 16] $pw, $sens) { notify { \"title ${pw}\": } notify { 'other': message => $pw } }\n",
        "class app(String $pw, $sens) { notify { \"title ${pw}\": } if $pw !~ /^CAN/ { fail('x') } }\n",
        "class app($pw, $sens) { notify { String(Binary($pw, '%s')): } if $pw !~ /^CAN/ { fail('x') } }\n",
        "class app($pw, $sens) { if $pw[6] == 'A' { include app::ends } if $pw !~ /^CAN/ { fail('x') } }\n",
    ] {
        let folder = site();
        fs::write(folder.path().join("modules/app/manifests/init.pp"), class).expect("written");
        fs::write(
            folder.path().join("modules/app/manifests/ends.pp"),
            "class app::ends { notify { 'CANARYEND': } }\n",
        )
        .expect("written");
        git(folder.path(), &["add", "--all"]);
        git(folder.path(), &["commit", "--quiet", "-m", "y"]);
        write_data(folder.path(), "CANARYAA", "CANARYGG");
        for command in [&["catalog", "diff", "HEAD", ".", "--facts", "facts"][..], &["impact", "--catalogs"]]
        {
            for form in ["text", "json"] {
                let run = hierarch(folder.path(), &[command, &["--render-as", form]].concat(), "");
                assert_eq!(run.code, 2, "{class} {command:?}: {}{}", run.out, run.err);
                for told in ["CANARY", "Q0FOQVJZ", "app::ends", "App::Ends"] {
                    assert!(
                        !run.out.contains(told) && !run.err.contains(told),
                        "{command:?} {told}: {}{}",
                        run.out,
                        run.err
                    );
                }
            }
        }
    }
}

#[test]
fn failures_tell_nothing_of_secrets() {
    let folder = site();
    let class =
        "class app($pw, $sens) { if $pw =~ /^CAN/ { fail(\"wrong: ${pw[0, 7]} ${pw.downcase}\") } }\n";
    fs::write(folder.path().join("modules/app/manifests/init.pp"), class).expect("written");
    for command in [
        &["check", "--compile"][..],
        &["values", "app::sens", "--compile"],
        &["impact", "--compile"],
        &["impact", "--catalogs"],
        &["doctor", "--all"],
        &["catalog", "diff", "HEAD", ".", "--facts", "facts"],
    ] {
        let run = hierarch(folder.path(), command, "");
        let all = format!("{}{}", run.out, run.err);
        assert!(!all.contains("CANARY") && !all.contains("canary"), "{command:?}: {all}");
        assert!(all.contains("a value that is secret"), "{command:?}: {all}");
    }
    let run = hierarch(folder.path(), &["check", "--compile", "--show-secrets"], "");
    assert!(run.out.contains("wrong: CANARY"), "{}{}", run.out, run.err);
}

/// A catalog without secrets may fail elsewhere: the true place is told, and nobody else's reason.
#[test]
fn a_failure_is_told_where_it_is() {
    let folder = site();
    let class = "class app(String[1, 16] $pw, $sens) {\n  fail('the real reason')\n}\n";
    fs::write(folder.path().join("modules/app/manifests/init.pp"), class).expect("written");
    for command in [&["impact", "--catalogs"][..], &["check", "--compile"]] {
        let run = hierarch(folder.path(), command, "");
        let all = format!("{}{}", run.out, run.err);
        assert!(!all.contains("expects a String"), "{command:?}: {all}");
        assert!(all.contains("init.pp, line: 2") || all.contains("init.pp:2:"), "{command:?}: {all}");
    }
    let run = hierarch(folder.path(), &["impact", "--catalogs", "--show-secrets"], "");
    assert!(run.out.contains("the real reason"), "{}", run.out);
}

/// Classes that do not compile with what stands for the secret, and tell of it in every way.
const PICKY: [&str; 4] = [
    "class app(String[1,16] $pw, $sens) { BODY }",
    "class app(Pattern[/^C[A-Z]+$/] $pw, $sens) { BODY }",
    "class app(String $pw, $sens) { BODY if $pw !~ /^CAN/ { fail('x') } }",
    "class app(String $pw, $sens) { BODY include \"app::x${pw.downcase}\" }",
];

const TELLING: &str = "notify { \"title ${pw}\": tag => \"t${pw.downcase}\" } notice(\"log ${pw.downcase}\") \
    notify { \"b64 ${String(Binary($pw, '%s'))}\": } case $pw[7] { 'A': { notify { 'ends with CANARYAA': } } default: {} }";

#[test]
fn nothing_is_shown_of_a_catalog_that_does_not_compile_without_its_secrets() {
    for class in PICKY {
        let folder = site();
        let write = |path: &str, text: &str| fs::write(folder.path().join(path), text).expect("written");
        let class = class.replace("BODY", TELLING);
        write("modules/app/manifests/init.pp", &class);
        write("modules/app/manifests/xcanaryaa.pp", "class app::xcanaryaa {}");
        write("modules/app/manifests/xcanarynew.pp", "class app::xcanarynew {}");
        git(folder.path(), &["stash", "--quiet", "--", "data"]);
        git(folder.path(), &["add", "--all"]);
        git(folder.path(), &["commit", "--quiet", "-m", "y"]);
        git(folder.path(), &["stash", "pop", "--quiet"]);
        let command = ["catalog", "diff", "HEAD", ".", "--facts", "facts", "--tags"];
        for form in ["text", "json"] {
            let run = hierarch(folder.path(), &[&command[..], &["--render-as", form]].concat(), "");
            assert_eq!(run.code, 2, "{class}: {}", run.err);
            let all = format!("{}{}", run.out, run.err);
            for told in ["canary", "q0foqvjz"] {
                assert!(!all.to_lowercase().contains(told), "{class} {told}: {all}");
            }
            assert!(run.out.contains("Notify[[value hidden]]"), "{class}: {}", run.out);
            let why = "titles and values of 2 nodes are hidden: the catalog does not compile with what stands for secrets";
            assert!(run.err.contains(why), "{class}: {}", run.err);
        }
        let run = hierarch(folder.path(), &[&command[..], &["--show-secrets"]].concat(), "");
        assert!(run.out.contains("Notify[title CANARYNEW]"), "{class}: {}", run.out);
        assert!(run.err.contains("log canarynew") && !run.err.contains("hidden"), "{class}: {}", run.err);
    }
}

#[test]
fn no_failure_tells_of_a_secret() {
    let folder = site();
    for body in
        ["fail(\"wrong ${pw[0, 5].downcase}\")", "if $pw =~ /^CAN/ { fail(\"wrong ${pw[0, 5].downcase}\") }"]
    {
        let class = format!("class app(String $pw, $sens) {{ {body} }}");
        fs::write(folder.path().join("modules/app/manifests/init.pp"), &class).expect("written");
        for command in [
            &["catalog", "diff", "HEAD", ".", "--facts", "facts"][..],
            &["check", "--compile"],
            &["check", "--compile", "--render-as", "json"],
            &["values", "app::pw", "--compile"],
            &["where", "true", "--compile"],
            &["doctor", "--all"],
            &["doctor", "--node", "a"],
            &["impact", "--catalogs"],
            &["impact", "--compile"],
            &["unused", "--proof", "compiled"],
            &["lookup", "app::sens", "--node", "a", "--compile"],
        ] {
            let run = hierarch(folder.path(), command, "");
            let all = format!("{}{}", run.out, run.err).to_lowercase();
            assert!(!all.contains("wrong canar"), "{command:?} {body}: {all}");
            assert!(all.contains("init.pp"), "{command:?} {body} names the place: {all}");
        }
    }
}
