//! The scripts of the GitHub Action, the GitLab template and the pre-commit hooks, against servers of our own.
#![cfg(all(unix, feature = "git"))]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use common::{copy_folder, git, hierarch};
use serde_json::{Value as Json, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A server that keeps comments as GitHub and GitLab do, and remembers what it was asked.
#[derive(Clone, Default)]
struct Comments {
    kept: Arc<Mutex<Vec<(u64, String)>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Comments {
    fn serve(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let own = self.clone();
        std::thread::spawn(move || {
            while let Ok((stream, _)) = listener.accept() {
                // Whoever asked has gone away; so much the better.
                let _ = own.answer(stream);
            }
        });
        url
    }

    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let (mut line, mut length) = (String::new(), 0);
        reader.read_line(&mut line)?;
        let request = line.trim_end().to_owned();
        loop {
            line.clear();
            reader.read_line(&mut line)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let answer = self.answered(&request, &body).to_string();
        write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}",
            answer.len()
        )
    }

    fn answered(&self, request: &str, body: &[u8]) -> Json {
        self.asked.lock().expect("no thread fails").push(request.to_owned());
        let mut kept = self.kept.lock().expect("no thread fails");
        let mut words = request.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let text = || {
            let body: Json = serde_json::from_slice(body).expect("a body of JSON");
            body["body"].as_str().expect("a text").to_owned()
        };
        match method {
            "POST" => {
                let id = 1000 + kept.len() as u64;
                kept.push((id, text()));
                json!({ "id": id })
            }
            "PATCH" | "PUT" => {
                let id: u64 = path.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an id");
                let comment = kept.iter_mut().find(|(known, _)| *known == id).expect("a known comment");
                comment.1 = text();
                json!({ "id": id })
            }
            _ => {
                let page: usize = path.rsplit("page=").next().and_then(|page| page.parse().ok()).unwrap_or(1);
                let shown = kept.iter().skip((page - 1) * 100).take(100);
                shown.map(|(id, body)| json!({ "id": id, "body": body })).collect()
            }
        }
    }

    fn bodies(&self) -> Vec<String> {
        self.kept.lock().expect("no thread fails").iter().map(|(_, body)| body.clone()).collect()
    }
}

/// A control repository whose last commit changes a port, and the commit before it.
fn repository() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("repo");
    copy_folder(&root().join("examples/control-repo"), &path);
    git(&path, &["init", "-q"]);
    git(&path, &["add", "."]);
    git(&path, &["commit", "-qm", "one"]);
    let base = git(&path, &["rev-parse", "HEAD"]);
    let run = hierarch(&path, &["yaml", "set", "data/common.yaml", "/domain", "example.org"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    git(&path, &["commit", "-qam", "two"]);
    (folder, base)
}

/// What GitHub writes about a pull request, as far as it is read; `scripts/test-action` gives whole ones in a file.
fn event(base: &str, repository: &str) -> String {
    if let Some(file) = std::env::var_os("HIERARCH_EVENT") {
        let text = std::fs::read_to_string(file).expect("an event");
        let mut event: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert!(event["pull_request"]["base"]["sha"].is_string() && event["pull_request"]["number"].is_u64());
        event["pull_request"]["base"]["sha"] = base.into();
        event["pull_request"]["number"] = 7.into();
        event["pull_request"]["base"]["repo"]["full_name"] = "o/r".into();
        event["pull_request"]["head"]["repo"]["full_name"] = repository.into();
        return event.to_string();
    }
    json!({
        "action": "synchronize",
        "number": 7,
        "pull_request": {
            "number": 7,
            "base": {"sha": base, "ref": "main", "repo": {"full_name": "o/r"}},
            "head": {"sha": "0".repeat(40), "ref": "change", "repo": {"full_name": repository}},
        },
        "repository": {"full_name": "o/r"},
    })
    .to_string()
}

/// Runs the action in a repository.
fn action(folder: &Path, settings: &[(&str, &str)]) -> Output {
    let mut command = Command::new("bash");
    command.arg(root().join("packaging/action/run.sh")).current_dir(folder.join("repo"));
    for (name, _) in std::env::vars() {
        if name.starts_with("GITHUB_") || name.starts_with("HIERARCH_") {
            command.env_remove(name);
        }
    }
    command
        .env("HIERARCH_BINARY", env!("CARGO_BIN_EXE_hierarch"))
        .env("GITHUB_REPOSITORY", "o/r")
        .env("GITHUB_TOKEN", "t0ken")
        .env("GITHUB_STEP_SUMMARY", folder.join("summary"))
        .env("GITHUB_OUTPUT", folder.join("output"))
        .env("RUNNER_TEMP", folder)
        .envs(settings.iter().copied());
    command.output().expect("bash")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn a_pull_request_has_one_comment_that_is_edited() {
    let (folder, base) = repository();
    let comments = Comments::default();
    // So many that ours is on the second page.
    for id in 0..150 {
        comments.kept.lock().expect("no thread fails").push((id, format!("comment {id}")));
    }
    let api = comments.serve();
    let event_file = folder.path().join("event.json");
    std::fs::write(&event_file, event(&base, "o/r")).expect("a file");
    let event_file = event_file.display().to_string();
    let settings =
        [("HIERARCH_COMMAND", "impact"), ("GITHUB_API_URL", &*api), ("GITHUB_EVENT_PATH", &event_file)];
    let output = action(folder.path(), &settings);
    assert!(output.status.success(), "{}", text(&output));
    let first = comments.bodies();
    assert_eq!(first.len(), 151);
    assert!(
        first[150].starts_with("<!-- hierarch impact -->\n") && first[150].contains("domain"),
        "{}",
        first[150]
    );
    let summary = std::fs::read_to_string(folder.path().join("summary")).expect("a summary");
    assert!(first[150].ends_with(&summary), "{summary}");
    // The next push changes something else.
    let repo = folder.path().join("repo");
    hierarch(&repo, &["yaml", "set", "data/common.yaml", "/domain", "example.net"], "");
    git(&repo, &["commit", "-qam", "three"]);
    let output = action(folder.path(), &settings);
    assert!(output.status.success(), "{}", text(&output));
    let second = comments.bodies();
    assert_eq!(second.len(), 151, "the comment is edited");
    assert!(second[150].contains("example.net") && !second[150].contains("example.org"), "{}", second[150]);
    assert!(!text(&output).contains("t0ken"));
}

#[test]
fn a_fork_gets_no_comment_and_changes_fail_only_if_asked() {
    let (folder, base) = repository();
    let comments = Comments::default();
    let api = comments.serve();
    let event_file = folder.path().join("event.json").display().to_string();
    let settings =
        [("HIERARCH_COMMAND", "impact"), ("GITHUB_API_URL", &*api), ("GITHUB_EVENT_PATH", &*event_file)];
    std::fs::write(&event_file, event(&base, "stranger/r")).expect("a file");
    let output = action(folder.path(), &settings);
    assert!(output.status.success() && text(&output).contains("from a fork"), "{}", text(&output));
    let output = action(folder.path(), &[&settings[..], &[("HIERARCH_FAIL_ON_CHANGES", "true")]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    std::fs::write(&event_file, event(&base, "o/r")).expect("a file");
    let output = action(folder.path(), &[&settings[..], &[("HIERARCH_COMMENT", "false")]].concat());
    assert!(output.status.success(), "{}", text(&output));
    assert!(comments.asked.lock().expect("no thread fails").is_empty(), "nobody was asked");
}

#[test]
fn what_the_action_cannot_do_it_says() {
    let (folder, base) = repository();
    let event_file = folder.path().join("event.json");
    std::fs::write(&event_file, event(&"1".repeat(40), "o/r")).expect("a file");
    let event_file = event_file.display().to_string();
    let impact = ("HIERARCH_COMMAND", "impact");
    for (settings, wanted) in [
        (vec![impact, ("GITHUB_EVENT_PATH", &*event_file)], "is no revision of this repository"),
        (vec![impact], "there is nothing to compare with"),
        (vec![("HIERARCH_COMMAND", "fly")], "must be check or impact"),
        (vec![impact, ("HIERARCH_BINARY", "")], "the action's list of sums is empty"),
        (
            vec![impact, ("HIERARCH_BINARY", ""), ("HIERARCH_VERSION", "9.9.9")],
            "is not in the action's list of sums",
        ),
    ] {
        let output = action(folder.path(), &settings);
        assert_eq!(output.status.code(), Some(1), "{settings:?}");
        assert!(text(&output).contains(wanted), "{settings:?}: {}", text(&output));
    }
    let settings = [impact, ("HIERARCH_FROM", &*base), ("GITHUB_TOKEN", "")];
    assert!(action(folder.path(), &settings).status.success());
}

#[test]
fn a_machine_without_an_archive_is_told_which_have_one() {
    let (folder, _) = repository();
    let machine = folder.path().join("uname");
    let script = "#!/bin/sh\nif [ \"$1\" = -s ]; then echo Plan9; else echo mips; fi\n";
    std::fs::write(&machine, script).expect("a file");
    std::fs::set_permissions(&machine, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a mode");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
    let output =
        action(folder.path(), &[("HIERARCH_COMMAND", "check"), ("HIERARCH_BINARY", ""), ("PATH", &path)]);
    assert_eq!(output.status.code(), Some(1));
    let wanted = "there is no archive for Plan9 on mips; there are Linux and macOS on x86_64 and aarch64";
    assert!(text(&output).contains(wanted), "{}", text(&output));
}

/// Copies the action, so that its list of sums can be another one.
fn downloading_action(folder: &Path, sums: &str) -> PathBuf {
    let own = folder.join("action");
    copy_folder(&root().join("packaging/action"), &own);
    std::fs::write(own.join("sums"), sums).expect("a file");
    own.join("run.sh")
}

#[test]
fn a_download_is_run_only_with_the_right_sum() {
    // A release has one of the two; both are static.
    for library in ["musl", "gnu"] {
        check_download(library);
    }
}

fn check_download(library: &str) {
    let (folder, base) = repository();
    let path = folder.path();
    let machine = Command::new("uname").arg("-m").output().expect("uname");
    let name =
        format!("hierarch-9.9.9-{}-unknown-linux-{library}", String::from_utf8_lossy(&machine.stdout).trim());
    let (stage, page) = (path.join(&name), path.join("page/v9.9.9"));
    std::fs::create_dir_all(&stage).expect("a folder");
    std::fs::create_dir_all(&page).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hierarch"), stage.join("hierarch")).expect("a link");
    let archive = page.join(format!("{name}.tar.gz"));
    let packed = Command::new("tar").arg("-czf").arg(&archive).arg("-C").arg(path).arg(&name).status();
    assert!(packed.expect("tar").success());
    let sum = Command::new("sha256sum").arg(&archive).output().expect("sha256sum");
    let sum = String::from_utf8_lossy(&sum.stdout).split(' ').next().unwrap_or_default().to_owned();
    let run = |sum: &str| {
        let script = downloading_action(path, &format!("# sums\n{sum}  {name}.tar.gz\n"));
        Command::new("bash")
            .arg(script)
            .current_dir(path.join("repo"))
            .env("HIERARCH_DOWNLOADS", format!("file://{}", path.join("page").display()))
            .env("HIERARCH_COMMAND", "impact")
            .env("HIERARCH_FROM", &base)
            .env("HIERARCH_COMMENT", "false")
            .env("GITHUB_STEP_SUMMARY", path.join("summary"))
            .output()
            .expect("bash")
    };
    let output = run(&sum);
    assert!(output.status.success(), "{}", text(&output));
    assert!(std::fs::read_to_string(path.join("summary")).expect("a summary").contains("domain"));
    let wrong = "0".repeat(64);
    let output = run(&wrong);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains(&format!("is {sum} and not {wrong}: nothing was run")),
        "{}",
        text(&output)
    );
}

#[test]
fn a_merge_request_of_gitlab_has_one_note_that_is_edited() {
    let (folder, base) = repository();
    let repo = folder.path().join("repo");
    let template = root().join("packaging/gitlab/hierarch.yml").display().to_string();
    let script =
        hierarch(&repo, &["yaml", "get", &template, "/hierarch-impact/script/0", "--render-as", "s"], "");
    assert_eq!(script.code, 0, "{}", script.err);
    let bin = folder.path().join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hierarch"), bin.join("hierarch")).expect("a link");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let comments = Comments::default();
    let api = comments.serve();
    let run = |token: &str| {
        Command::new("sh")
            .args(["-c", &script.out])
            .current_dir(&repo)
            .env("PATH", &path)
            .env("CI_MERGE_REQUEST_DIFF_BASE_SHA", &base)
            .env("CI_API_V4_URL", &api)
            .env("CI_PROJECT_ID", "3")
            .env("CI_MERGE_REQUEST_IID", "7")
            .env("HIERARCH_TOKEN", token)
            .output()
            .expect("sh")
    };
    let output = run("");
    assert!(output.status.success() && text(&output).contains("without HIERARCH_TOKEN"), "{}", text(&output));
    for _ in 0..2 {
        let output = run("t0ken");
        assert!(output.status.success(), "{}", text(&output));
        assert!(!text(&output).contains("t0ken"));
    }
    let notes = comments.bodies();
    assert_eq!(notes.len(), 1);
    assert!(
        notes[0].starts_with("<!-- hierarch impact -->\n") && notes[0].contains("domain"),
        "{}",
        notes[0]
    );
    let asked = comments.asked.lock().expect("no thread fails").join("\n");
    assert!(asked.contains("PUT /projects/3/merge_requests/7/notes/1000 "), "{asked}");
}

/// Runs a hook's script in a repository.
fn hook(folder: &Path, name: &str, files: &[&str]) -> Output {
    let bin = folder.join("bin");
    let _ = std::fs::create_dir(&bin);
    let _ = std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hierarch"), bin.join("hierarch"));
    Command::new("sh")
        .arg(root().join("packaging/pre-commit").join(name))
        .args(files)
        .current_dir(folder.join("repo"))
        .env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default()))
        .output()
        .expect("sh")
}

#[test]
fn several_control_repositories_have_a_comment_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("repo");
    for name in ["production", "staging"] {
        copy_folder(&root().join("examples/control-repo"), &path.join("environments").join(name));
    }
    git(&path, &["init", "-q"]);
    git(&path, &["add", "."]);
    git(&path, &["commit", "-qm", "one"]);
    let base = git(&path, &["rev-parse", "HEAD"]);
    for name in ["production", "staging"] {
        let file = format!("environments/{name}/data/common.yaml");
        assert_eq!(
            hierarch(&path, &["yaml", "set", &file, "/domain", &format!("{name}.example")], "").code,
            0
        );
    }
    git(&path, &["commit", "-qam", "two"]);
    let comments = Comments::default();
    let api = comments.serve();
    let event_file = folder.path().join("event.json");
    std::fs::write(&event_file, event(&base, "o/r")).expect("a file");
    let event_file = event_file.display().to_string();
    for directory in ["environments/production", "environments/staging", "environments/production"] {
        let settings = [
            ("HIERARCH_COMMAND", "impact"),
            ("HIERARCH_DIRECTORY", directory),
            ("GITHUB_API_URL", &*api),
            ("GITHUB_EVENT_PATH", &event_file),
        ];
        let output = action(folder.path(), &settings);
        assert!(output.status.success(), "{}", text(&output));
    }
    let bodies = comments.bodies();
    assert_eq!(bodies.len(), 2, "{bodies:?}");
    for (body, name) in bodies.iter().zip(["production", "staging"]) {
        assert!(body.starts_with(&format!("<!-- hierarch impact environments/{name} -->\n")), "{body}");
        assert!(body.contains(&format!("{name}.example")), "{body}");
    }
    let output = action(
        folder.path(),
        &[("HIERARCH_COMMAND", "check"), ("HIERARCH_DIRECTORY", "environments/staging")],
    );
    let summary = std::fs::read_to_string(folder.path().join("summary")).expect("a summary");
    assert!(summary.contains("### hierarch check environments/staging"), "{summary} {}", text(&output));
    let output = hierarch(&path, &[], "");
    assert!(
        output.code == 1 && output.out.contains("(2 of them); try: hierarch -C environments/production"),
        "{}",
        output.out
    );
}

#[test]
fn a_secret_does_not_become_plain_text_in_a_commit() {
    let (folder, _) = repository();
    let repo = folder.path().join("repo");
    let secret = "a: ENC[PKCS7,MIIBeQYJ]\nb: plain\nc:\n  d: ENC[PKCS7,MIIBeQYK]\n";
    std::fs::write(repo.join("data/s.eyaml"), secret).expect("a file");
    git(&repo, &["add", "."]);
    let ask = || hierarch(&repo, &["eyaml", "check", "data/s.eyaml", "data/common.yaml"], "");
    assert_eq!(ask().code, 0, "a new file has nothing to compare");
    git(&repo, &["commit", "-qm", "secret"]);
    let stage = |text: &str| {
        std::fs::write(repo.join("data/s.eyaml"), text).expect("a file");
        git(&repo, &["add", "."]);
    };
    stage(&secret.replace("plain", "other").replace("MIIBeQYJ", "MIIBeQYZ"));
    assert_eq!(ask().code, 0, "another secret is one");
    for (text, told) in [
        (
            secret.replace("ENC[PKCS7,MIIBeQYK]", "hunter2"),
            "data/s.eyaml:4:6: /c/d was encrypted and is plain text now",
        ),
        (
            secret.replace("plain", "DEC(1)::PKCS7[hunter2]!"),
            "data/s.eyaml:2:4: a secret stands in clear between",
        ),
        (
            secret.replace("a: ENC[PKCS7,MIIBeQYJ]", "key: hunter2"),
            "/a was encrypted, and /key in its place is plain",
        ),
        (
            "a: ENC[PKCS7,MIIBeQYK]\nb: plain\nc:\n  d: hunter2\n".to_owned(),
            "/c/d was encrypted and is plain",
        ),
        (secret.replace("  d: ENC[PKCS7,MIIBeQYK]", "  d: [hunter2\n"), "is not YAML before or after"),
    ] {
        stage(&text);
        let run = ask();
        assert!(run.code == 2 && run.out.contains(told), "{} {}", run.out, run.err);
        assert!(!run.out.contains("hunter2") && !run.err.contains("hunter2"), "the secret is not printed");
    }
}

#[test]
fn a_renamed_file_and_the_first_commit_are_looked_at_too() {
    let (folder, _) = repository();
    let repo = folder.path().join("repo");
    let ask = |more: &[&str]| hierarch(&repo, &[&["eyaml", "check"], more].concat(), "");
    std::fs::write(repo.join("data/old.eyaml"), "s: ENC[PKCS7,MIIBeQYJ]\nt: 1\n").expect("a file");
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-qm", "secret"]);
    git(&repo, &["mv", "data/old.eyaml", "data/new.eyaml"]);
    std::fs::write(repo.join("data/new.eyaml"), "s: hunter2\nt: 1\n").expect("a file");
    git(&repo, &["add", "."]);
    let run = ask(&[]);
    assert!(
        run.code == 2 && run.out.contains("data/new.eyaml:1:4: /s was encrypted"),
        "{} {}",
        run.out,
        run.err
    );
    git(&repo, &["commit", "-qm", "a slip"]);
    assert_eq!(ask(&[]).code, 0, "nothing is staged");
    assert_eq!(ask(&["--since", "HEAD~1"]).code, 2, "the revision before knows better");
    assert_eq!(ask(&["--since", "nowhere"]).code, 1);
    assert_eq!(ask(&["/etc/passwd"]).code, 1, "a file outside of the repository");
    let misspelt = ask(&["data/nwe.eyaml"]);
    assert!(misspelt.code == 1 && misspelt.err.contains("data/nwe.eyaml"), "{}", misspelt.err);

    let fresh = tempfile::tempdir().expect("a folder");
    std::fs::write(fresh.path().join("c.yaml"), "s: DEC::PKCS7[hunter2]!\n").expect("a file");
    git(fresh.path(), &["init", "-q"]);
    git(fresh.path(), &["add", "."]);
    let run = hierarch(fresh.path(), &["eyaml", "check"], "");
    assert!(run.code == 2 && run.out.starts_with("c.yaml:1:4: a secret"), "{} {}", run.out, run.err);
    let nowhere = tempfile::tempdir().expect("a folder");
    assert_eq!(hierarch(nowhere.path(), &["eyaml", "check"], "").code, 1, "there is no repository");
}

#[test]
fn secrets_that_come_back_elsewhere_and_keys_are_found() {
    let (folder, _) = repository();
    let repo = folder.path().join("repo");
    let old = "db::pass: ENC[PKCS7,MIIBeQYJ]\ncopy: ENC[PKCS7,MIIBeQYJ]\nflow: ['ENC[PKCS7,MIIBeQYK]']\n";
    let (a, b) = ("data/a.eyaml", "data/b.yaml");
    let stage = |files: &[(&str, &str)]| {
        for (name, text) in files {
            std::fs::write(repo.join(name), text).expect("a file");
        }
        git(&repo, &["add", "-A", "-f", "."]);
        hierarch(&repo, &["eyaml", "check"], "")
    };
    stage(&[(a, old)]);
    git(&repo, &["commit", "-qm", "secret"]);
    let plain = "db::pass: hunter2\n";
    for (files, told) in [
        (
            &[(a, old.replace("db::pass: ENC[PKCS7,MIIBeQYJ]", "db::pass: hunter2").as_str())][..],
            "/db::pass was encrypted",
        ),
        (&[(a, "copy: ENC[PKCS7,MIIBeQYJ]\n"), (b, plain)], ""),
        (
            &[(a, "flow: ['ENC[PKCS7,MIIBeQYK]']\n"), (b, plain)],
            "data/b.yaml:1:11: /db::pass was encrypted in data/a.eyaml",
        ),
        (
            &[(a, old.replace("['ENC[PKCS7,MIIBeQYK]']", "hunter2").as_str()), (b, "x: 1\n")],
            "data/a.eyaml:3:7: /flow was",
        ),
        (
            &[(a, old), ("data/key.pem", "-----BEGIN PRIVATE KEY-----\nhunter2\n")],
            "data/key.pem:1:1: a private key",
        ),
    ] {
        let run = stage(files);
        let is_told = if told.is_empty() { run.code == 0 } else { run.code == 2 && run.out.contains(told) };
        assert!(is_told, "{files:?}: {} {}", run.out, run.err);
        assert!(!run.out.contains("hunter2"), "the secret is not printed");
    }
}

#[test]
fn the_impact_of_what_is_staged_informs_and_does_not_fail() {
    let (folder, _) = repository();
    let repo = folder.path().join("repo");
    let output = hook(folder.path(), "impact.sh", &[]);
    assert!(output.status.success(), "{}", text(&output));
    hierarch(&repo, &["yaml", "set", "data/common.yaml", "/domain", "staged.example"], "");
    git(&repo, &["add", "."]);
    let output = hook(folder.path(), "impact.sh", &[]);
    assert!(output.status.success() && text(&output).contains("staged.example"), "{}", text(&output));
    let nowhere = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(nowhere.path().join("repo")).expect("a folder");
    let output = hook(nowhere.path(), "impact.sh", &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
}

#[test]
fn the_hooks_name_scripts_and_commands_that_are_there() {
    let hooks = root().join(".pre-commit-hooks.yaml").display().to_string();
    let run = hierarch(&root(), &["yaml", "get", &hooks, "/*/entry", "--plain", "--render-as", "s"], "");
    let entries = if run.code == 0 { run.out } else { std::fs::read_to_string(&hooks).expect("a file") };
    let script = "packaging/pre-commit/impact.sh";
    assert!(entries.contains(script) && root().join(script).is_file(), "{script}: {entries}");
    for command in ["parser validate", "epp validate", "eyaml check"] {
        assert!(entries.contains(command), "{entries}");
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        assert_eq!(hierarch(&root(), &words, "").code, 0, "{command}");
    }
}
