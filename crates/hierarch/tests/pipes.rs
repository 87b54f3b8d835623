//! Pipes and devices in the place of files, of every kind that is read: an error that names the file, never a hang.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::folder_of;

/// No run may take longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// What the error says. A link to a device may be refused before anybody looks where it leads.
const WORDS: [&str; 2] = ["no regular file", "lies outside"];

/// A file, and command lines that need it.
const READERS: &[(&str, &[&str])] = &[
    ("environment.conf", &["lookup a --node n", "catalog compile n", "dump --node n", "set a 2 --node n"]),
    (
        "hiera.yaml",
        &["lookup a --node n", "dump --node n", "catalog compile n -e notify{String(lookup(a)):}"],
    ),
    ("old.yaml", &["hiera convert old.yaml"]),
    (
        "data/common.yaml",
        &["lookup a --node n", "dump --node n", "set a 2 --node n", "yaml get data/common.yaml /a"],
    ),
    (
        "data/secrets.eyaml",
        &[
            "lookup s --node n",
            "eyaml decrypt -e data/secrets.eyaml",
            "eyaml edit data/secrets.eyaml",
            "eyaml recrypt data/secrets.eyaml",
        ],
    ),
    ("modules/m/metadata.json", &["lookup m::x --node n"]),
    ("modules/m/hiera.yaml", &["lookup m::x --node n"]),
    ("modules/m/data/common.yaml", &["lookup m::x --node n"]),
    ("keys/private_key.pkcs7.pem", &["lookup s --node n", "eyaml decrypt -e data/secrets.eyaml"]),
    ("keys/public_key.pkcs7.pem", &["eyaml encrypt -s x", "eyaml recrypt data/secrets.eyaml"]),
    (
        "facts/n.yaml",
        &[
            "lookup a --node n",
            "lookup a --node n --facts facts/n.yaml",
            "dump --node n",
            "values a",
            "where true",
        ],
    ),
    (
        "manifests/site.pp",
        &[
            "catalog compile n",
            "lookup a --node n --compile",
            "parser validate manifests/site.pp",
            "eval manifests/site.pp",
        ],
    ),
    ("modules/m/manifests/init.pp", &["catalog compile n -e include(m)"]),
    ("modules/m/functions/f.pp", &["catalog compile n -e m::f()"]),
    (
        "modules/m/templates/t.epp",
        &["catalog compile n -e notify{epp('m/t.epp'):}", "epp render m/t.epp --modulepath modules"],
    ),
    ("modules/m/templates/t.erb", &["catalog compile n -e notify{template('m/t.erb'):}"]),
    ("modules/m/files/f.txt", &["catalog compile n -e notify{file('m/f.txt'):}"]),
    ("t.j2", &["template t.j2 --data main.yaml"]),
    ("part.j2", &["template t.j2 --data main.yaml"]),
    (
        "main.yaml",
        &[
            "yaml expand main.yaml",
            "yaml set main.yaml /a 2",
            "query .::a --data main.yaml",
            "template t.j2 --data main.yaml",
            "yaml diff main.yaml data/common.yaml",
        ],
    ),
    ("part.yaml", &["yaml expand main.yaml"]),
    ("new.yaml", &["yaml update main.yaml --to new.yaml"]),
    ("keys.txt", &["dump --node n --keys keys.txt"]),
    ("one.json", &["catalog diff one.json two.json"]),
];

fn repository() -> tempfile::TempDir {
    let secrets = "- {name: s, lookup_key: eyaml_lookup_key, path: secrets.eyaml, options: \
                   {pkcs7_private_key: keys/private_key.pkcs7.pem, pkcs7_public_key: keys/public_key.pkcs7.pem}}\n";
    let hierarchy = format!("version: 5\nhierarchy:\n- {{name: c, path: common.yaml}}\n{secrets}");
    let catalog = "{\"resources\": [], \"edges\": [], \"classes\": []}";
    let folder = folder_of(&[
        ("environment.conf", "modulepath = modules\n"),
        ("hiera.yaml", &hierarchy),
        ("data/common.yaml", "a: 1\n"),
        ("facts/n.yaml", "role: web\n"),
        ("manifests/site.pp", "$x = 1\n"),
        (
            "modules/m/metadata.json",
            r#"{"name": "a-m", "version": "1.0.0", "author": "a", "license": "Apache-2.0", "source": "s", "dependencies": []}"#,
        ),
        ("modules/m/hiera.yaml", "version: 5\n"),
        ("modules/m/data/common.yaml", "m::x: 1\n"),
        ("modules/m/manifests/init.pp", "class m { }\n"),
        ("modules/m/functions/f.pp", "function m::f() { 1 }\n"),
        ("modules/m/templates/t.epp", "x"),
        ("modules/m/templates/t.erb", "x"),
        ("modules/m/files/f.txt", "x"),
        ("t.j2", "{% include 'part.j2' %}"),
        ("part.j2", "x"),
        ("main.yaml", "a: 1\n+include: part.yaml\n"),
        ("part.yaml", "b: 1\n"),
        ("new.yaml", "a: 2\n"),
        ("old.yaml", "---\n:backends: yaml\n"),
        ("keys.txt", "a\n"),
        ("one.json", catalog),
        ("two.json", catalog),
    ]);
    let run = |line: &str| common::hierarch(folder.path(), &line.split(' ').collect::<Vec<_>>(), "");
    assert_eq!(run("eyaml createkeys --pkcs7-keysize 1024").code, 0);
    let token = run("eyaml encrypt -o string -s secret").out;
    std::fs::write(folder.path().join("data/secrets.eyaml"), format!("s: {token}")).expect("written");
    folder
}

/// Runs a command line; none: it did not end.
fn ended(folder: &Path, line: &str) -> Option<(i32, String)> {
    let said = folder.join("said");
    let error = std::fs::File::create(&said).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hierarch"));
    command.args(line.split(' ')).current_dir(folder).env("HOME", folder).env("EDITOR", "true");
    command.stdin(Stdio::null()).stdout(error.try_clone().expect("a file")).stderr(error);
    let (mut child, start) = (command.spawn().expect("it starts"), Instant::now());
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return Some((status.code().unwrap_or(-1), std::fs::read_to_string(&said).expect("readable")));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    None
}

#[test]
fn what_is_no_file_is_an_error_of_every_reader() {
    let folder = repository();
    let (folder, mut wrong) = (folder.path(), Vec::new());
    for (file, lines) in READERS {
        let path = folder.join(file);
        let text = std::fs::read(&path).expect("the file is there");
        for line in *lines {
            let good = ended(folder, line);
            if good.as_ref().is_none_or(|(code, _)| ![0, 2].contains(code)) {
                wrong.push(format!("{line} is a good command: {good:?}"));
            }
            // What a command saved is undone.
            std::fs::write(&path, &text).expect("written");
            for strange in ["a pipe", "a device"] {
                std::fs::remove_file(&path).expect("removed");
                if strange == "a pipe" {
                    assert!(Command::new("mkfifo").arg(&path).status().is_ok_and(|status| status.success()));
                } else {
                    std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
                }
                let end = ended(folder, line);
                std::fs::remove_file(&path).expect("it is still there");
                std::fs::write(&path, &text).expect("written");
                if end
                    .as_ref()
                    .is_none_or(|(code, said)| *code != 1 || !WORDS.iter().any(|word| said.contains(word)))
                {
                    wrong.push(format!("{line}: {file} is {strange}: {end:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
