//! `hierarch eyaml` as hiera-eyaml 4.2 behaves: forms, round trips, configuration, keys, and an editor that is stopped.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::{folder_of, hierarch};

/// A folder with keys.
fn folder() -> tempfile::TempDir {
    let folder = folder_of(&[]);
    let made = hierarch(folder.path(), &["eyaml", "createkeys", "--pkcs7-keysize", "1024"], "");
    assert_eq!((made.code, made.out.as_str()), (0, "Keys created OK\n"), "{}", made.err);
    folder
}

/// Runs a command that must succeed; returns what it prints.
fn eyaml(folder: &Path, arguments: &[&str], input: &str) -> String {
    let run = hierarch(folder, &[&["eyaml"], arguments].concat(), input);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
    run.out
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("readable")
}

#[test]
fn only_what_is_marked_in_a_file_is_encrypted_and_it_goes_round() {
    let folder = folder();
    let folder = folder.path();
    let open = "a: DEC::PKCS7[one]!\nb: >\n    DEC::PKCS7[two]!\nc: DEC::PKCS7[three]!\nplain: x\n";
    write(folder, "e.yaml", &open.replace("c: DEC", "c: DEC(3)"));
    let closed = eyaml(folder, &["encrypt", "-e", "e.yaml", "-o", "string", "-l", "ignored"], "");
    assert!(closed.starts_with("a: ENC[PKCS7,MI"), "{closed}");
    assert!(closed.contains("\nb: >\n    ENC[PKCS7,MI") && closed.ends_with("]\nplain: x\n"), "{closed}");
    let block: Vec<&str> = closed.lines().skip(2).take_while(|line| line.starts_with("    ")).collect();
    assert!(block.len() > 3 && block[..block.len() - 1].iter().all(|line| line.len() == 64), "{closed}");
    write(folder, "closed.eyaml", &closed);
    assert_eq!(eyaml(folder, &["decrypt", "-e", "closed.eyaml"], ""), open);
    let plain = "a: one\nb: two\nc: three\nplain: x\n";
    assert_eq!(eyaml(folder, &["decrypt", "-f", "closed.eyaml"], ""), plain);
    assert_eq!(eyaml(folder, &["decrypt", "--stdin"], &closed), plain);
    let token = eyaml(folder, &["encrypt", "--stdin", "-o", "string"], "line1\nline2");
    assert_eq!(eyaml(folder, &["decrypt", "-s", token.trim()], ""), "line1\nline2\n");
    assert_eq!(eyaml(folder, &["decrypt", "-s", &format!("k: {token}")], ""), "k: |\n  line1\n  line2\n");
    assert_eq!(eyaml(folder, &["decrypt", "-s", "nothing here"], ""), "nothing here\n");
}

#[test]
fn labels_forms_passwords_and_methods() {
    let folder = folder();
    let folder = folder.path();
    assert!(
        eyaml(folder, &["encrypt", "-s", "x", "-o", "string", "-l", "k"], "").starts_with("k: ENC[PKCS7,")
    );
    assert!(eyaml(folder, &["encrypt", "-s", "x", "-o", "block", "-l", "k"], "").starts_with("k: >\n  ENC["));
    assert!(eyaml(folder, &["encrypt", "-s", "x", "-o", "block"], "").starts_with("  ENC[PKCS7,"));
    let examples = eyaml(folder, &["encrypt", "-s", "x", "-l", "k"], "");
    assert!(examples.starts_with("k: ENC[") && examples.contains("]\n\nOR\n\nk: >\n  ENC["), "{examples}");
    let token = eyaml(folder, &["encrypt", "-p", "-n", "PKCS7", "-o", "string"], "pass word\nmore\n");
    assert_eq!(eyaml(folder, &["decrypt", "-s", token.trim()], ""), "pass word\n");
    let refused = hierarch(folder, &["eyaml", "encrypt", "-n", "gpg", "-s", "x"], "");
    assert!(refused.code == 1 && refused.err.contains("gpg is not known"), "{}", refused.err);
    for arguments in [&["encrypt"][..], &["encrypt", "-s", "x", "-p"], &["decrypt", "-s", "x", "-f", "y"]] {
        assert_ne!(hierarch(folder, &[&["eyaml"], arguments].concat(), "").code, 0, "{arguments:?}");
    }
    assert!(eyaml(folder, &["version"], "").contains("hiera-eyaml 4.2.0"));
}

#[test]
fn all_is_encrypted_anew_and_keeps_its_shape() {
    let folder = folder();
    let folder = folder.path();
    let open = "a: DEC::PKCS7[one]! # beside\nb: >\n  DEC::PKCS7[two]!\n";
    write(folder, "e.yaml", open);
    write(folder, "f.eyaml", &eyaml(folder, &["encrypt", "-e", "e.yaml"], ""));
    let before = read(folder, "f.eyaml");
    eyaml(folder, &["recrypt", "f.eyaml"], "");
    let after = read(folder, "f.eyaml");
    assert!(before != after && before.lines().count() == after.lines().count(), "{after}");
    assert_eq!(eyaml(folder, &["decrypt", "-e", "f.eyaml"], ""), open);
    let refused = hierarch(folder, &["eyaml", "recrypt", "-d", "gpg", "f.eyaml"], "");
    assert!(refused.code == 1 && refused.err.contains("gpg is not known"), "{}", refused.err);
    assert_eq!(hierarch(folder, &["eyaml", "recrypt", "none.eyaml"], "").code, 1);
    // One file that cannot be read lets all stay as they are.
    write(folder, "bad.eyaml", "x: ENC[PKCS7,QUJD]\n");
    let both = ["eyaml", "rotate", "--new-public-key", "keys/public_key.pkcs7.pem", "f.eyaml", "bad.eyaml"];
    assert_eq!(hierarch(folder, &both, "").code, 1);
    assert_eq!(read(folder, "f.eyaml"), after);
}

/// Runs a command with environment variables.
fn with(folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hierarch"));
    command.current_dir(folder).env_remove("EYAML_CONFIG").env("HOME", folder.join("home"));
    command.envs(variables.iter().copied()).arg("eyaml").args(arguments);
    command.output().expect("the program starts")
}

#[test]
fn configuration_comes_from_files_and_variables() {
    let folder = folder();
    let folder = folder.path();
    let out = |variables: &[(&str, &str)], arguments: &[&str]| {
        let output = with(folder, variables, arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    std::fs::create_dir_all(folder.join("home/.eyaml")).expect("a folder");
    write(folder, "home/.eyaml/config.yaml", "---\noutput: string\nlabel: cfg\n");
    let encrypt = ["encrypt", "-s", "x"];
    assert!(out(&[], &encrypt).starts_with("cfg: ENC["));
    write(folder, "named.yaml", "output: block\npkcs7_keysize: 1024\n");
    assert!(out(&[("EYAML_CONFIG", "named.yaml")], &encrypt).starts_with("cfg: >\n  ENC["));
    assert!(out(&[("EYAML_CONFIG", "none.yaml")], &encrypt).starts_with("cfg: ENC["));
    assert!(
        out(&[("EYAML_CONFIG", "named.yaml")], &["encrypt", "-s", "x", "-o", "string", "-l", "l"])
            .starts_with("l: ENC[")
    );
    write(folder, "broken.yaml", "a: [");
    let broken = with(folder, &[("EYAML_CONFIG", "broken.yaml")], &encrypt);
    assert!(String::from_utf8_lossy(&broken.stderr).contains("Could not open config file \"broken.yaml\""));
    assert!(!broken.status.success());

    std::fs::rename(folder.join("keys"), folder.join("moved")).expect("moved");
    let (private, public) =
        (read(folder, "moved/private_key.pkcs7.pem"), read(folder, "moved/public_key.pkcs7.pem"));
    let named = "pkcs7_private_key: moved/private_key.pkcs7.pem\npkcs7_public_key: moved/public_key.pkcs7.pem\nlabel: k\n";
    write(folder, "named.yaml", named);
    let token = out(&[("EYAML_CONFIG", "named.yaml")], &encrypt);
    assert_eq!(out(&[("EYAML_CONFIG", "named.yaml")], &["decrypt", "-s", &token]), "k: x\n");
    let token =
        out(&[("PUB", public.as_str())], &["encrypt", "-s", "y", "--pkcs7-public-key-env-var", "PUB"]);
    let decrypt = ["decrypt", "-s", &token, "--pkcs7-private-key-env-var", "PRIV"];
    assert_eq!(out(&[("PRIV", private.as_str())], &decrypt), "cfg: y\n");
    let unset = with(folder, &[], &decrypt);
    assert!(String::from_utf8_lossy(&unset.stderr).contains("env PRIV is not set"));
    assert!(out(&[], &["--help"]).contains("EYAML_CONFIG"));
    assert!(out(&[], &["encrypt", "--help"]).contains("--pkcs7-public-key-env-var"));
}

#[cfg(unix)]
mod editor {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use super::*;

    /// An encrypted file and a folder for drafts.
    fn prepared() -> tempfile::TempDir {
        let folder = folder();
        write(folder.path(), "e.yaml", "a: DEC::PKCS7[top-secret]!\nb: 1\n");
        write(folder.path(), "f.eyaml", &eyaml(folder.path(), &["encrypt", "-e", "e.yaml"], ""));
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder");
        folder
    }

    fn edit(folder: &Path, script: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hierarch"));
        command
            .current_dir(folder)
            .env_remove("VISUAL")
            .env("EDITOR", script)
            .env("TMPDIR", folder.join("tmp"));
        command.args(["eyaml", "edit", "f.eyaml"]).stdin(Stdio::null());
        command
    }

    fn drafts(folder: &Path) -> usize {
        std::fs::read_dir(folder.join("tmp")).expect("a folder").count()
    }

    #[test]
    fn what_is_not_yaml_is_refused() {
        let folder = prepared();
        let before = read(folder.path(), "f.eyaml");
        for script in ["sed -i 's/^b: 1/b: [1/'", "sed -i 's/^b: 1/\\tb: 1/'", "sed -i 's/^b: 1/b: *x/'"] {
            let output = edit(folder.path(), script).output().expect("it runs");
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{script}: {errors}");
            assert!(
                errors.contains("nothing was written") && errors.contains("f.eyaml"),
                "{script}: {errors}"
            );
            assert!(!errors.contains("top-secret"), "{errors}");
        }
        for name in ["f.eyaml.rejected", "f.eyaml.rejected-2", "f.eyaml.rejected-3"] {
            let kept = read(folder.path(), name);
            assert!(kept.contains("ENC[PKCS7,") && !kept.contains("top-secret"), "{name}: {kept}");
        }
        assert_eq!(read(folder.path(), "f.eyaml"), before);
        assert_eq!(drafts(folder.path()), 0);
    }

    /// Where a mark is wrong, nobody knows which parts of an edit are secret.
    #[test]
    fn an_edit_with_a_wrong_mark_is_kept_encrypted_as_a_whole() {
        let folder = prepared();
        let before = read(folder.path(), "f.eyaml");
        for (number, script) in
            ["sed -i 's/]!/]/;s/^b: 1/b: typed/'", "sed -i 's/DEC(1)/DEC(7)/;s/^b: 1/b: typed/'"]
                .iter()
                .enumerate()
        {
            let output = edit(folder.path(), script).output().expect("it runs");
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            let name = if number == 0 {
                "f.eyaml.rejected".to_owned()
            } else {
                format!("f.eyaml.rejected-{}", number + 1)
            };
            assert_eq!(output.status.code(), Some(1), "{script}: {errors}");
            assert!(errors.contains("nothing was written") && errors.contains(&name), "{script}: {errors}");
            assert!(!errors.contains("top-secret"), "{errors}");
            let kept = read(folder.path(), &name);
            assert!(kept.starts_with("ENC[PKCS7,") && !kept.contains("typed"), "{kept}");
            let opened = eyaml(folder.path(), &["decrypt", "-f", &name], "");
            assert!(opened.contains("top-secret") && opened.contains("b: typed"), "{opened}");
        }
        assert_eq!(read(folder.path(), "f.eyaml"), before);
        assert_eq!(drafts(folder.path()), 0);
    }

    #[test]
    fn a_file_that_changed_while_it_was_edited_is_not_written() {
        let folder = prepared();
        let script = "sh -c 'echo \"b: 2\" > f.eyaml; sed -i \"s/b: 1/b: 3/\" \"$1\"' x";
        let output = edit(folder.path(), script).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains("changed by someone else"));
        assert_eq!(read(folder.path(), "f.eyaml"), "b: 2\n");
        assert_eq!(drafts(folder.path()), 0);
    }

    #[test]
    fn nothing_encrypted_is_opened_where_it_shall_not_be() {
        let folder = prepared();
        std::fs::rename(folder.path().join("keys/private_key.pkcs7.pem"), folder.path().join("away"))
            .expect("moved");
        let mut command = edit(folder.path(), "sed -i 's/^b: 1/b: DEC::PKCS7[new]!/'");
        assert!(command.arg("--no-decrypt").status().expect("it runs").success());
        std::fs::rename(folder.path().join("away"), folder.path().join("keys/private_key.pkcs7.pem"))
            .expect("moved");
        let open = eyaml(folder.path(), &["decrypt", "-e", "f.eyaml"], "");
        assert_eq!(open, "a: DEC::PKCS7[top-secret]!\nb: DEC::PKCS7[new]!\n");
    }

    /// Tells whether whoever started the tests switched a signal off, as `nohup` does; the program then takes no notice of it either.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        mask >> (signal - 1) & 1 == 1
    }

    #[test]
    fn a_signal_leaves_no_plain_text() {
        for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
            if is_ignored(number) {
                continue;
            }
            let folder = prepared();
            let before = read(folder.path(), "f.eyaml");
            // The editor keeps a copy beside the draft, as vim does, and then takes its time.
            let script = "sh -c 'cp \"$1\" \"$1.swp\"; touch ready; exec sleep 20' x";
            let mut child = edit(folder.path(), script).spawn().expect("it starts");
            let start = Instant::now();
            while !folder.path().join("ready").exists() && start.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(10));
            }
            assert_eq!(drafts(folder.path()), 1, "the editor has its draft");
            let kill = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status();
            assert!(kill.expect("kill runs").success());
            let status = child.wait().expect("it ends");
            assert_eq!(status.signal(), Some(number), "{name}");
            assert_eq!(drafts(folder.path()), 0, "{name}");
            assert_eq!(read(folder.path(), "f.eyaml"), before);
        }
    }

    #[test]
    fn what_a_killed_editor_left_goes_with_the_next_edit() {
        let folder = prepared();
        let left = folder.path().join("tmp/.hierarch.0123456789abcdef.hierarch~");
        std::fs::create_dir(&left).expect("a folder");
        std::fs::write(left.join("f.eyaml"), "top-secret").expect("written");
        assert!(edit(folder.path(), "true").status().expect("it runs").success());
        assert_eq!(drafts(folder.path()), 0);
    }
}
