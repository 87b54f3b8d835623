//! Saves of all commands, as users run them: two writers, signals, a full disk, links, modes, and `hierarch set`.
#![cfg(unix)]

mod common;

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use common::{folder_of, hierarch};

const HIERARCHY: &str = "version: 5\nhierarchy:\n- name: Secrets\n  lookup_key: eyaml_lookup_key\n  path: secrets.eyaml\n  \
                         options: {pkcs7_private_key: keys/private_key.pkcs7.pem, pkcs7_public_key: keys/public_key.pkcs7.pem}\n\
                         - name: Common\n  path: common.yaml\n";

/// A repository with keys, facts and data.
fn repository() -> tempfile::TempDir {
    let folder = folder_of(&[
        ("hiera.yaml", HIERARCHY),
        ("facts/n.yaml", "role: web\n"),
        ("data/common.yaml", "a: 1\nb: 1 # beside\nplain: x\n"),
        ("main.yaml", "a: 1\nb: 1\nbase: {x: 1}\nuse: {+/base: }\n"),
    ]);
    run(folder.path(), &["eyaml", "createkeys", "--pkcs7-keysize", "1024"]);
    write(folder.path(), "open.yaml", "s: DEC::PKCS7[old]!\n");
    let closed = run(folder.path(), &["eyaml", "encrypt", "-e", "open.yaml"]);
    write(folder.path(), "data/secrets.eyaml", &closed);
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    let run = hierarch(folder, arguments, "");
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
    run.out
}

fn set(folder: &Path, arguments: &[&str]) -> common::Run {
    hierarch(folder, &[&["set"], arguments, &["--node", "n", "--facts", "facts"]].concat(), "")
}

fn lookup(folder: &Path, key: &str) -> String {
    run(folder, &["lookup", key, "--node", "n", "--facts", "facts", "--render-as", "s"])
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("readable")
}

/// Counts the files below a folder that a save has not finished.
fn leftovers(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| {
            let is_draft = entry.file_name().to_string_lossy().ends_with(".hierarch~");
            let below = entry.file_type().is_ok_and(|kind| kind.is_dir());
            usize::from(is_draft) + if below { leftovers(&entry.path()) } else { 0 }
        })
        .sum()
}

/// Command lines that save, each with the file that it saves.
const SAVES: &[(&str, &str)] = &[
    ("yaml set main.yaml /a 2", "main.yaml"),
    ("yaml insert main.yaml /c 2", "main.yaml"),
    ("yaml rename main.yaml /b bb", "main.yaml"),
    ("yaml delete main.yaml /b", "main.yaml"),
    ("yaml set main.yaml /use/x 2 --into", "main.yaml"),
    ("yaml set main.yaml /a 2 --plain", "main.yaml"),
    ("yaml update main.yaml --to new.yaml", "main.yaml"),
    ("set a 2 --node n --facts facts", "data/common.yaml"),
    ("set s new --node n --facts facts", "data/secrets.eyaml"),
    ("eyaml recrypt data/secrets.eyaml", "data/secrets.eyaml"),
    ("eyaml rotate --new-public-key keys/public_key.pkcs7.pem data/secrets.eyaml", "data/secrets.eyaml"),
    ("eyaml edit data/secrets.eyaml", "data/secrets.eyaml"),
];

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(common::program());
    command
        .args(line.split(' '))
        .current_dir(folder)
        .env_remove("VISUAL")
        .env("EDITOR", "sed -i 's/old/new/'");
    command.env("TMPDIR", folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn prepared() -> tempfile::TempDir {
    let folder = repository();
    write(folder.path(), "new.yaml", "a: 5\n");
    folder
}

#[test]
fn mode_owner_and_links_stay_with_every_command() {
    for (line, file) in SAVES {
        let folder = prepared();
        let path = folder.path().join(file);
        std::fs::rename(&path, folder.path().join("real")).expect("moved");
        let mode = std::fs::Permissions::from_mode(0o640);
        std::fs::set_permissions(folder.path().join("real"), mode).expect("a mode");
        symlink(folder.path().join("real"), &path).expect("a link");
        let before = read(folder.path(), "real");
        assert!(command(folder.path(), line).status().expect("it runs").success(), "{line}");
        assert!(path.is_symlink(), "{line}");
        assert_ne!(read(folder.path(), "real"), before, "{line}");
        let mode = std::fs::metadata(folder.path().join("real")).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "{line}");
        assert_eq!(leftovers(folder.path()), 0, "{line}");
    }
}

#[test]
fn a_planted_link_is_not_followed() {
    let folder = prepared();
    write(folder.path(), "victim", "untouched");
    for name in ["data/common.hierarch-new", "data/secrets.rotating", "data/common.yaml.new"] {
        symlink(folder.path().join("victim"), folder.path().join(name)).expect("a link");
    }
    for (line, _) in SAVES {
        command(folder.path(), line).status().expect("it runs");
    }
    assert_eq!(read(folder.path(), "victim"), "untouched");
}

#[test]
fn two_writers_lose_nothing() {
    let rounds = std::env::var("HIERARCH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let pairs = [
        ("yaml set main.yaml /a {}", "yaml set main.yaml /b {}", "main.yaml"),
        ("yaml set data/common.yaml /a {} --plain", "set b {} --node n --facts facts", "data/common.yaml"),
        ("set a {} --node n --facts facts", "set b {} --node n --facts facts", "data/common.yaml"),
    ];
    for (one, other, file) in pairs {
        let folder = repository();
        for round in 2..rounds + 2 {
            let start = |line: &str| {
                let line = line.replace("{}", &round.to_string());
                command(folder.path(), &line).stderr(Stdio::piped()).spawn().expect("it starts")
            };
            for child in [start(one), start(other)] {
                let ended = child.wait_with_output().expect("it ends");
                let told = String::from_utf8_lossy(&ended.stderr);
                assert!(ended.status.success(), "round {round} of {file}: {told}");
            }
            let text = read(folder.path(), file);
            for key in ["a", "b"] {
                assert!(text.contains(&format!("{key}: {round}")), "{key} of round {round} is lost: {text}");
            }
        }
        assert_eq!(leftovers(folder.path()), 0);
    }
}

#[test]
fn a_signal_during_a_save_leaves_the_old_file_or_the_new_one() {
    let rounds = std::env::var("HIERARCH_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let mut left_by_kill = 0;
    for (line, file) in SAVES {
        let folder = prepared();
        let before = read(folder.path(), file);
        for round in 0..rounds {
            let signal = ["TERM", "INT", "HUP", "KILL"][round % 4];
            write(folder.path(), file, &before);
            let mut child = command(folder.path(), line).spawn().expect("it starts");
            std::thread::sleep(std::time::Duration::from_micros(1500 * (round as u64 % 23)));
            let _ = Command::new("kill")
                .args([format!("-{signal}"), child.id().to_string()])
                .stderr(Stdio::null())
                .status();
            let ended = child.wait().expect("it ends");
            let after = read(folder.path(), file);
            let is_whole =
                after.ends_with('\n') && after.lines().count() + 1 >= before.lines().count().min(2);
            assert!(after == before || is_whole, "{line} after {signal}: {after}");
            assert!(!ended.success() || after != before, "{line}: a success is a save");
            if signal == "KILL" {
                left_by_kill += leftovers(folder.path());
            } else {
                assert_eq!(leftovers(folder.path()), 0, "{line} after {signal}");
            }
            let save_again = || {
                write(folder.path(), file, &before);
                let is_saved = command(folder.path(), line).status().expect("it runs").success();
                assert!(is_saved, "{line} after {signal}");
            };
            save_again();
            // The editor that a killed program had started may still be at work in what it left, which is then not removed yet.
            for _ in 0..100 {
                if leftovers(folder.path()) > 0 {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    save_again();
                }
            }
            assert_eq!(leftovers(folder.path()), 0, "{line}: the next save removes what {signal} left");
        }
    }
    let kinds = SAVES.len();
    #[expect(clippy::print_stdout, reason = "scripts/check-saves shows it")]
    {
        println!("{rounds} signals for each of {kinds} kinds of save; KILL left {left_by_kill} drafts");
    }
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    for (line, file) in SAVES.iter().filter(|(line, _)| !line.contains("--to")) {
        let folder = prepared();
        let large = format!("{}filler: {}\n", read(folder.path(), file), "x".repeat(20_000));
        write(folder.path(), file, &large);
        // The shell counts in blocks of 512 bytes: nothing larger than 8 KiB can be written.
        let script = format!("ulimit -f 16; exec {:?} {line}", common::program());
        let mut limited = Command::new("sh");
        limited
            .args(["-c", &script])
            .current_dir(folder.path())
            .env("EDITOR", "true")
            .env("TMPDIR", folder.path());
        limited.stdin(Stdio::null());
        let output = limited.output().expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stderr).contains("ould not write"), "{line}");
        assert_eq!(read(folder.path(), file), large, "{line}");
        assert_eq!(leftovers(folder.path()), 0, "{line}");
    }
}

#[test]
fn a_new_value_is_encrypted_where_the_old_one_was() {
    let folder = repository();
    let folder = folder.path();
    let done = set(folder, &["s", "new-secret"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.trim_end().ends_with("data/secrets.eyaml (level Secrets)"), "{}", done.out);
    assert!(!read(folder, "data/secrets.eyaml").contains("new-secret"));
    assert_eq!(lookup(folder, "s"), "new-secret\n");
    // A new key is not a secret unless it is said to be one.
    assert!(set(folder, &["t", "open"]).out.contains("common.yaml"));
    assert!(set(folder, &["u", "closed", "--encrypt"]).out.contains("secrets.eyaml"));
    assert!(!read(folder, "data/secrets.eyaml").contains("closed"));
    assert_eq!(lookup(folder, "u"), "closed\n");
    let open = set(folder, &["v", "open", "--level", "Secrets"]);
    assert!(open.code == 0 && open.err.contains("plain text in the eyaml level"), "{}", open.err);
    let refused = set(folder, &["plain", "x", "--encrypt"]);
    assert!(refused.code == 1 && refused.err.contains("not an eyaml level"), "{}", refused.err);
    let refused = set(folder, &["s", "{a: 1}"]);
    assert!(refused.code == 1 && refused.err.contains("only a text"), "{}", refused.err);
    // Whoever has the public key only can still set; whoever has none cannot.
    std::fs::rename(folder.join("keys/private_key.pkcs7.pem"), folder.join("away")).expect("moved");
    let unproved = set(folder, &["s", "third"]);
    assert!(unproved.code == 0 && unproved.err.contains("cannot be looked up here"), "{}", unproved.err);
    std::fs::rename(folder.join("keys"), folder.join("gone")).expect("moved");
    let refused = set(folder, &["s", "fourth"]);
    assert!(refused.code == 1 && refused.err.contains("no public key"), "{}", refused.err);
}

/// Nobody sees what YAML makes of a secret, so that nothing may be made of it. (Lookups take a last line break off, as
/// hiera-eyaml does.)
#[test]
fn what_is_encrypted_is_the_text_that_was_given() {
    let folder = repository();
    let folder = folder.path();
    for secret in
        ["", "!secret pw", "&anchor pw", "# all", " lead", "\"q\"", "p #1", "0123", "~", "true", "a\nb"]
    {
        let done = set(folder, &["s", secret]);
        assert_eq!(done.code, 0, "{secret:?}: {}", done.err);
        let found = run(folder, &["lookup", "s", "--node", "n", "--facts", "facts", "--render-as", "json"]);
        assert_eq!(found.trim_end(), format!("{secret:?}"), "{secret:?}");
    }
}

#[test]
fn a_place_can_be_named() {
    let folder = repository();
    let folder = folder.path();
    assert!(set(folder, &["b", "7", "--into", "data/common.yaml"]).out.contains("level Common"));
    assert_eq!(read(folder, "data/common.yaml"), "a: 1\nb: 7 # beside\nplain: x\n");
    let hidden = set(folder, &["s", "x", "--level", "Common"]);
    assert!(hidden.code == 0 && hidden.err.contains("secrets.eyaml (level Secrets) hides"), "{}", hidden.err);
    let refused = set(folder, &["b", "7", "--into", "hiera.yaml"]);
    assert!(refused.code == 1 && refused.err.contains("is not read for this node"), "{}", refused.err);
    let shown = set(folder, &["b", "8", "--dry-run"]);
    assert!(shown.out.contains("-b: 7 # beside\n+b: 8 # beside\n"), "{}", shown.out);
    assert!(read(folder, "data/common.yaml").contains("b: 7"));
}

#[test]
fn a_value_that_stands_there_already_is_not_written_again() {
    let folder = repository();
    let folder = folder.path();
    for flags in [&["a", "1"][..], &["a", "1", "--dry-run"]] {
        let same = set(folder, flags);
        assert!(
            same.code == 0 && same.out.ends_with("has this value already; nothing was written\n"),
            "{}",
            same.out
        );
    }
}
