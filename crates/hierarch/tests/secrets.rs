//! A canary: a decrypted value is the answer to a lookup, and appears nowhere else unless it is asked for.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CANARY: &str = "s3cret-canary-4711";

/// A control repository with one encrypted value; removed in the end.
struct Repository(PathBuf);

impl Repository {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("hierarch-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("data")).expect("a folder");
        std::fs::create_dir_all(folder.join("facts")).expect("a folder");
        let repository = Self(folder);
        repository.run(&["eyaml", "createkeys", "--pkcs7-keysize", "1024"]);
        let token = repository.run(&["eyaml", "encrypt", "-o", "string", "-s", CANARY]);
        let token = text(&token.stdout).trim().to_owned();
        repository.write(
            "hiera.yaml",
            "version: 5\nhierarchy:\n- name: Secret\n  lookup_key: eyaml_lookup_key\n  path: secret.eyaml\n  \
             options: {pkcs7_private_key: keys/private_key.pkcs7.pem}\n- {name: Common, path: common.yaml}\n",
        );
        repository.write(
            "data/secret.eyaml",
            &format!("password: {token}\nlist: [a, \"{token}\"]\nbad: \"{token} %{{nope}}\"\nplain: x\n"),
        );
        repository.write("facts/n.yaml", "kernel: Linux\n");
        repository.write("data/common.yaml", "url: \"https://%{lookup('password')}@host\"\npassword: low\n");
        repository
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("written");
    }

    /// Tells whether any file holds the secret itself.
    fn holds_canary(&self) -> bool {
        fn holds(folder: &Path) -> bool {
            std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).any(|path| {
                if path.is_dir() {
                    holds(&path)
                } else {
                    text(&std::fs::read(path).expect("read")).contains(CANARY)
                }
            })
        }
        holds(&self.0)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hierarch"));
        command.current_dir(&self.0).env("HOME", &self.0).args(arguments);
        command.output().expect("the program starts")
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Decrypted texts may have tokens: what they ask for is part of the secret.
#[test]
fn what_tokens_of_a_secret_ask_for_is_not_told() {
    let repository = Repository::new("tokens");
    let secrets = [
        ("undefined", "abc%{CANARYTOK}def"),
        ("method", "abc%{CANARYFN('x')}def"),
        ("syntax", "abc%{facts.'CANARY}def"),
        ("missing", "x%{lookup('CANARYKEY')}y"),
        ("alias", "%{alias('CANARYALIAS')}"),
        ("fact", "%{facts.kernelCANARY}"),
        ("itself", "%{lookup('itself')}CANARY"),
    ];
    let mut lines = String::new();
    for (key, secret) in secrets {
        let token = repository.run(&["eyaml", "encrypt", "-o", "string", "-s", secret]);
        lines += &format!("{key}: {}\n", text(&token.stdout).trim());
    }
    // A token in clear is told.
    let token = repository.run(&["eyaml", "encrypt", "-o", "string", "-s", "CANARY"]);
    lines += &format!("clear: '{} %{{in_clear}}'\n", text(&token.stdout).trim());
    repository.write("data/secret.eyaml", &lines);
    let told = |arguments: &[&str]| {
        let output = repository.run(arguments);
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(!all.contains("CANARY"), "{arguments:?}: {all}");
        all
    };
    for (key, _) in secrets {
        for more in [&["--explain"][..], &["--origin"], &["--strict", "warning", "--explain"]] {
            told(&[&["lookup", key, "--node", "n"], more].concat());
        }
        told(&["values", key]);
    }
    for key in ["undefined", "method"] {
        let said = told(&["lookup", key, "--node", "n"]);
        assert!(said.contains(&format!("the decrypted value of '{key}' has a token")), "{said}");
    }
    assert!(told(&["lookup", "clear", "--node", "n"]).contains("in_clear"));
    told(&["dump", "--node", "n"]);
    told(&["check"]);
    told(&["unused"]);
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn shows_canary(output: &Output) -> bool {
    text(&output.stdout).contains(CANARY) || text(&output.stderr).contains(CANARY)
}

#[test]
fn a_secret_is_shown_only_as_the_answer() {
    let repository = Repository::new("canary");
    for key in ["password", "list", "url"] {
        assert!(shows_canary(&repository.run(&["lookup", key, "--node", "n"])), "{key} is the answer");
    }
    let views: [&[&str]; 8] = [
        &["--explain"],
        &["--explain", "--render-as", "json"],
        &["--explain", "--render-as", "yaml"],
        &["--origin"],
        &["--origin", "--render-as", "json"],
        &["--type", "Integer"],
        &["--type", "Integer", "--debug"],
        &["--explain-options"],
    ];
    for key in ["password", "list", "url", "bad"] {
        for view in views {
            let mut arguments = vec!["lookup", key, "--node", "n"];
            arguments.extend_from_slice(view);
            let output = repository.run(&arguments);
            assert!(
                !shows_canary(&output),
                "{arguments:?}\n{}\n{}",
                text(&output.stdout),
                text(&output.stderr)
            );
        }
    }
    for form in ["json", "yaml", "jsonl", "table"] {
        for more in [&[][..], &["--origin"]] {
            let mut arguments = vec!["dump", "--node", "n", "--render-as", form];
            arguments.extend_from_slice(more);
            let output = repository.run(&arguments);
            assert!(!shows_canary(&output), "{arguments:?}");
            assert!(text(&output.stdout).contains("decrypted value hidden"), "{arguments:?}");
        }
    }
    assert!(shows_canary(&repository.run(&["lookup", "list", "--node", "n", "--explain", "--show-secrets"])));
    assert!(shows_canary(&repository.run(&["dump", "--node", "n", "--show-secrets"])));
}

#[test]
fn to_set_a_key_shows_no_secret_that_stands_beside_it() {
    let repository = Repository::new("set");
    for arguments in [
        &["set", "plain", "y", "--node", "n", "--level", "Secret", "--dry-run"][..],
        &["set", "plain", "y", "--node", "n", "--level", "Secret"],
        &["set", "list.0", "b", "--node", "n", "--dry-run"],
        &["set", "list.0", "b", "--node", "n"],
        &["set", "password.x", "b", "--node", "n"],
        &["set", "password", "new", "--node", "n", "--dry-run"],
        &["set", "password", "new", "--node", "n", "--level", "Common"],
        &["set", "password", "[", "--node", "n"],
    ] {
        let output = repository.run(arguments);
        assert!(!shows_canary(&output), "{arguments:?}\n{}", text(&output.stdout));
    }
    let refused = repository.run(&["set", "password", "{a: new}", "--node", "n"]);
    assert!(text(&refused.stderr).contains("password is encrypted"), "{}", text(&refused.stderr));
    assert!(!repository.holds_canary());
    assert!(shows_canary(&repository.run(&["lookup", "list.1", "--node", "n"])), "the secret is still there");
}

#[test]
fn a_rotation_shows_no_secret_and_keeps_all() {
    let repository = Repository::new("rotate");
    let new = ["--pkcs7-private-key", "new/private.pem", "--pkcs7-public-key", "new/public.pem"];
    let create = [&["eyaml", "createkeys", "--pkcs7-keysize", "1024"][..], &new].concat();
    assert!(repository.run(&create).status.success());
    let before = std::fs::read_to_string(repository.0.join("data/secret.eyaml")).expect("read");
    let rotate = ["eyaml", "rotate", "--new-public-key", "new/public.pem", "data/secret.eyaml"];
    let failing = [&rotate[..], &new[..2]].concat();
    let output = repository.run(&failing);
    assert!(!output.status.success() && !shows_canary(&output), "{}", text(&output.stderr));
    let output = repository.run(&rotate);
    assert!(output.status.success() && !shows_canary(&output), "{}", text(&output.stderr));
    assert!(!repository.holds_canary());
    let after = std::fs::read_to_string(repository.0.join("data/secret.eyaml")).expect("read");
    assert_ne!(before, after);
    assert!(
        !shows_canary(&repository.run(&["lookup", "password", "--node", "n"])),
        "the old key is of no use"
    );
    std::fs::copy(repository.0.join("new/private.pem"), repository.0.join("keys/private_key.pkcs7.pem"))
        .expect("copied");
    assert!(shows_canary(&repository.run(&["lookup", "password", "--node", "n"])));
}

#[test]
fn an_edit_changes_only_what_was_edited() {
    let repository = Repository::new("edit");
    let path = repository.0.join("data/secret.eyaml");
    let read = |path: &Path| std::fs::read_to_string(path).expect("read");
    let before = read(&path);
    let edit = |script: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hierarch"));
        command.current_dir(&repository.0).env_remove("VISUAL").env("EDITOR", script);
        command.args(["eyaml", "edit", "data/secret.eyaml"]).output().expect("the program starts")
    };
    edit("true");
    assert_eq!(read(&path), before);
    assert!(!edit("false").status.success());
    assert_eq!(read(&path), before);
    edit("sed -i -e 's/^plain: x/plain: DEC::PKCS7[new]!/' -e '/^password/s/canary/bird/'");
    let after = read(&path);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(&before), lines(&after));
    assert_eq!(old.len(), new.len(), "{after}");
    assert_eq!(old[1..3], new[1..3]);
    assert!(old[0] != new[0] && new[3].starts_with("plain: ENC[PKCS7,"), "{after}");
    let value = |key: &str| text(&repository.run(&["lookup", key, "--node", "n", "--render-as", "s"]).stdout);
    assert_eq!((value("plain"), value("password")), ("new\n".to_owned(), "s3cret-bird-4711\n".to_owned()));
}

#[test]
fn a_dry_run_shows_no_lines_of_keys_that_are_sensitive() {
    let repository = Repository::new("dry-run");
    repository.write(
        "data/common.yaml",
        &format!(
            "open: 1\nhush:\n  user: u\n  password: {CANARY}\nother: 2\n\
             lookup_options:\n  hush: {{convert_to: Sensitive}}\n  open: {{merge: first}}\n"
        ),
    );
    let dry = |arguments: &[&str]| repository.run(&[arguments, &["--level", "Common", "--dry-run"]].concat());
    let output = dry(&["set", "other", "3"]);
    let shown = text(&output.stdout);
    assert!(
        output.status.success() && shown.contains("+other: 3") && shown.contains(" hush: [hidden]"),
        "{shown}"
    );
    assert!(shown.contains(" open: 1") || shown.contains("lookup_options:"), "others are shown: {shown}");
    assert!(!shows_canary(&output), "{shown}");
    let output = dry(&["set", "hush.user", "v"]);
    assert!(text(&output.stdout).contains("+hush: [another value, hidden]"), "{}", text(&output.stdout));
    assert!(!shows_canary(&output));
}
