//! Help, completions and manual: every example in a help text runs, in a copy of the bundled control repository.

mod common;

use std::fs;
use std::path::Path;

use common::{copy_folder, folder_of, hierarch};

/// Returns the names of a help text's subcommands.
fn subcommands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = lines.take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Returns every command below some words, with its help text.
fn all_helps(folder: &Path, words: &[String]) -> Vec<(Vec<String>, String)> {
    let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
    arguments.push("--help");
    let help = hierarch(folder, &arguments, "").out;
    let mut all = Vec::new();
    for name in subcommands(&help) {
        all.extend(all_helps(folder, &[words, &[name]].concat()));
    }
    all.push((words.to_vec(), help));
    all
}

/// Runs a line as a shell would; the program's name stands for the one under test.
fn run(folder: &Path, line: &str) -> (i32, String) {
    let script = format!("hierarch() {{ {:?} \"$@\"; }}; {line}", env!("CARGO_BIN_EXE_hierarch"));
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        // An editor that changes nothing.
        .env("EDITOR", "true")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("a shell");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn every_example_in_a_help_text_runs() {
    let folder = folder_of(&[]);
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), folder.path());
    // Some examples ask about revisions.
    let git = "git init --quiet --initial-branch=main && git add --all && \
               git -c user.name=me -c user.email=me@example.com commit --quiet -m start";
    assert_eq!(run(folder.path(), git).0, 0);
    let mut ran = 0;
    for (words, help) in all_helps(folder.path(), &[]) {
        let lines = || help.lines().skip_while(|line| *line != "Examples:");
        let examples = lines().filter_map(|line| line.strip_prefix("    "));
        let has_commands = !subcommands(&help).is_empty();
        assert!(has_commands || lines().next().is_some(), "{}: no examples", words.join(" "));
        for line in examples.filter(|line| line.contains("hierarch ")) {
            let wanted = line.rsplit_once("# exit ").map_or(0, |(_, code)| code.parse().expect("a number"));
            let (code, errors) = run(folder.path(), line);
            assert_eq!(code, wanted, "{}: {line}\n{errors}", words.join(" "));
            ran += 1;
        }
    }
    assert!(ran >= 20, "only {ran} examples were found");
}

#[test]
fn completions_name_the_commands_for_every_shell() {
    let folder = folder_of(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish", "nushell"] {
        let script = hierarch(folder.path(), &["completions", shell, "--static"], "");
        assert_eq!(script.code, 0, "{shell}: {}", script.err);
        assert!(script.out.contains("lookup") && script.out.contains("render-as"), "{shell}");
        let asking = hierarch(folder.path(), &["completions", shell], "");
        assert_eq!(asking.code, 0, "{shell}: {}", asking.err);
        let asks = asking.out.contains("COMPLETE");
        assert_eq!(asks, shell != "nushell", "{shell}: {}", asking.out);
    }
}

#[test]
fn the_manual_has_a_page_for_every_command_with_its_examples() {
    let folder = folder_of(&[]);
    let made = hierarch(folder.path(), &["manual", "man"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    for (words, _) in all_helps(folder.path(), &[]) {
        let page = folder
            .path()
            .join("man")
            .join(format!("hierarch{}.1", words.iter().map(|word| format!("-{word}")).collect::<String>()));
        assert!(page.exists(), "{}", page.display());
    }
    let lookup = fs::read_to_string(folder.path().join("man/hierarch-lookup.1")).expect("the page of lookup");
    assert!(lookup.contains("Exit codes:") && lookup.contains("Examples:"));
    assert!(lookup.contains(".SH SYNOPSIS\nhierarch lookup [OPTIONS] [KEY]...\n"), "{lookup}");
}

/// Asks as a shell does that completes the last word.
fn completed(folder: &Path, words: &[&str]) -> Vec<String> {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_hierarch"))
        .args([&["--", "hierarch"], words].concat())
        .current_dir(folder)
        .env("COMPLETE", "bash")
        .env("_CLAP_IFS", "\n")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .output()
        .expect("the program starts");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn a_shell_completes_nodes_keys_and_levels_of_the_repository() {
    let folder = folder_of(&[]);
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), folder.path());
    let nodes = completed(folder.path(), &["lookup", "domain", "--node", "web0"]);
    assert_eq!(nodes.len(), 4, "{nodes:?}");
    assert_eq!(completed(folder.path(), &["lookup", "profile::web::p"]), ["profile::web::port"]);
    assert_eq!(completed(folder.path(), &["set", "domain", "x", "--level", "Lo"]), ["Location"]);
    let elsewhere = folder_of(&[]);
    assert!(completed(elsewhere.path(), &["lookup", "domain", "--node", "web0"]).is_empty());
    let named = folder.path().to_str().expect("a name in UTF-8");
    assert_eq!(completed(elsewhere.path(), &["-C", named, "lookup", "domain", "--node", "web0"]), nodes);
    assert!(
        completed(elsewhere.path(), &["-C", "/nowhere", "lookup", "domain", "--node", "web0"]).is_empty()
    );
}

#[test]
fn a_shell_completes_the_words_that_the_program_knows() {
    let folder = folder_of(&[]);
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), folder.path());
    for (line, words) in [
        ("lookup domain --render-as j", &["json"][..]),
        ("dump --render-as j", &["json", "jsonl"]),
        (
            "check --skip HC20",
            &["HC201", "HC202", "HC203", "HC204", "HC205", "HC206", "HC207", "HC208", "HC209"],
        ),
        ("check --only HC10 --only mon01", &["mon01.berlin.example.com"]),
        ("check --only HC001", &["HC001"]),
        ("values domain --only mon", &["mon01.berlin.example.com", "mon02.tokyo.example.com"]),
        ("doc profile::w", &["profile::watch", "profile::web"]),
        ("doc lengt", &["length"]),
    ] {
        let mut completed = completed(folder.path(), &line.split(' ').collect::<Vec<_>>());
        completed.sort();
        assert_eq!(completed, words, "{line}");
    }
}

#[test]
fn a_broken_repository_completes_nothing_and_says_nothing() {
    for (file, text) in [
        ("hiera.yaml", "hierarchy: ["),
        ("hiera.yaml", "version: 9\n"),
        ("data/common.yaml", "a: [\n"),
        ("facts/n.yaml", "{"),
    ] {
        let hiera = "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n";
        let folder = folder_of(&[("hiera.yaml", hiera)]);
        for folders in ["data", "facts"] {
            std::fs::create_dir_all(folder.path().join(folders)).expect("a folder");
        }
        std::fs::write(folder.path().join(file), text).expect("written");
        for line in
            ["lookup a", "lookup a --node x", "set a 1 --level C", "doc x::", "lookup a --environment p"]
        {
            // Nothing on standard error is what `completed` asks for.
            let words = completed(folder.path(), &line.split(' ').collect::<Vec<_>>());
            let is_level = file != "hiera.yaml" && line.contains("--level");
            let is_environment = line.contains("--environment");
            assert!(words.is_empty() || is_level || is_environment, "{file}: {line}: {words:?}");
        }
    }
}

/// Asks the script of bash as bash does, which cuts words at colons and equals signs.
fn completed_by_bash(folder: &Path, line: &str) -> Vec<String> {
    let ask = r#"
        source <(hierarch completions bash)
        cut=${LINE//::/ :: }; cut=${cut//=/ = }
        eval "COMP_WORDS=($cut)"
        [[ $LINE != *' ' ]] || COMP_WORDS+=('')
        COMP_LINE=$LINE COMP_POINT=${#LINE} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _hierarch
        printf '%s\n' "${COMPREPLY[@]}""#;
    let program = Path::new(env!("CARGO_BIN_EXE_hierarch")).parent().expect("a folder").display().to_string();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap_or_default());
    let output = std::process::Command::new("bash")
        .args(["-c", ask])
        .current_dir(folder)
        .env("LINE", line)
        .env("PATH", path)
        .output()
        .expect("bash");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_keys_with_colons_and_levels_with_blanks() {
    let folder = folder_of(&[]);
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), folder.path());
    for (line, words) in [
        ("hierarch lookup profile::web::po", &["port"][..]),
        ("hierarch lookup ntp::serv", &["servers", "service"]),
        ("hierarch lookup ntp::server", &["servers"]),
        ("hierarch lookup motd::message --node=web01", &["web01.berlin.example.com"]),
        ("hierarch lookup motd::message --node web01", &["web01.berlin.example.com"]),
        ("hierarch set ntp::servers 1 --level Op", &[r"Operating\ system"]),
        ("hierarch  compl", &["completions"]),
    ] {
        assert_eq!(completed_by_bash(folder.path(), line), words, "{line}");
    }
    let keys = completed_by_bash(folder.path(), "hierarch lookup ");
    assert!(keys.iter().any(|key| key == "profile::web::port"), "{keys:?}");
}

#[test]
#[cfg(feature = "git")]
fn a_shell_completes_revisions() {
    let folder = folder_of(&[("a", "")]);
    let git = "git init --quiet --initial-branch=main && git add --all && \
               git -c user.name=me -c user.email=me@example.com commit --quiet -m start && git tag v1.0";
    assert_eq!(run(folder.path(), git).0, 0);
    assert_eq!(completed(folder.path(), &["impact", "ma"]), ["main"]);
    assert_eq!(completed(folder.path(), &["impact", "v1.0...m"]), ["v1.0...main"]);
    assert_eq!(completed(folder.path(), &["lookup", "domain", "--at", "v"]), ["v1.0"]);
    assert!(completed(folder_of(&[]).path(), &["impact", "ma"]).is_empty());
}

#[test]
fn alone_it_names_what_cannot_be_read() {
    for (file, text, wanted) in [
        ("hiera.yaml", "version: 6\n", "hiera.yaml"),
        ("data/common.yaml", "x: [1\n", "common.yaml"),
        ("manifests/site.pp", "class {\n", "site.pp"),
    ] {
        let hiera = "version: 5\nhierarchy: [{name: Common, path: common.yaml}]\n";
        let folder =
            folder_of(&[("hiera.yaml", hiera), ("data/common.yaml", "a: 1\n"), ("manifests/site.pp", "")]);
        std::fs::write(folder.path().join(file), text).expect("written");
        let told = hierarch(folder.path(), &[], "").out;
        let problems = told.lines().skip_while(|line| !line.contains("problems")).nth(1).unwrap_or_default();
        assert!(problems.contains(wanted), "{file}: {told}");
    }
}

#[cfg(not(feature = "jobs"))]
#[test]
fn a_command_of_another_build_names_that_build() {
    for arguments in [&["fleet"][..], &["fleet", "run", "--objects", "file:x"], &["fleet", "--help"]] {
        let told = hierarch(std::path::Path::new("."), arguments, "");
        assert!(told.code == 1 && told.err.contains("hierarch-full"), "{arguments:?}: {}", told.err);
    }
}

#[test]
fn alone_it_says_what_a_repository_holds() {
    let folder = folder_of(&[]);
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), folder.path());
    let run = hierarch(folder.path(), &[], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("Node > Role > Location > Operating system > Common"), "{}", run.out);
    assert!(run.out.contains("nodes      12"), "{}", run.out);
    std::fs::write(folder.path().join("manifests/site.pp"), "notify {").expect("a file");
    assert!(hierarch(folder.path(), &[], "").out.contains("Syntax error"));
    assert_eq!(hierarch(folder_of(&[]).path(), &[], "").code, 1);
}

/// The chapter of commands: every help text as it is printed.
fn chapter(folder: &Path) -> String {
    let mut text = "# Reference: commands\n\nWhat `--help` prints, which is also what the manual pages say. \
                    `UPDATE_DOCS=1 cargo test -p hierarch --test help` writes this page.\n"
        .to_owned();
    let mut all = all_helps(folder, &[]);
    all.sort();
    for (words, help) in all {
        let name = [&["hierarch".to_owned()], &words[..]].concat().join(" ");
        let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
        text.push_str(&format!("\n## {name}\n\n```text\n{}\n```\n", lines.join("\n")));
    }
    text
}

#[test]
fn the_chapter_of_commands_is_what_help_prints() {
    let folder = folder_of(&[]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    let written = chapter(folder.path());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &written).expect("the chapter");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == written,
        "docs/commands.md is old; UPDATE_DOCS=1 cargo test -p hierarch --test help writes it anew"
    );
}
