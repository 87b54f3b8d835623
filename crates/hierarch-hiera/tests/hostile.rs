//! Surroundings that are missing, broken or malicious: each ends in a clear error, none in an endless run.

use std::io;
use std::path::Path;

use hierarch_hiera::{EnvironmentFolder, Hiera, LookupSettings, Query, Scope};
use hierarch_source::{DiskFiles, Files, MemoryFiles};

const CONFIG: &str = "version: 5\nhierarchy:\n- {name: One, path: one.yaml}\n";

/// Looks `a` up in one file and returns what went wrong.
fn failure(config: &str, text: &str) -> String {
    let files = MemoryFiles::from([("hiera.yaml", config), ("data/one.yaml", text)]);
    let hiera = Hiera::open(files, "hiera.yaml");
    let error = hiera.lookup("a").value().expect_err(text);
    error.to_string()
}

fn check(text: &str, expected: &str) {
    let got = failure(CONFIG, text);
    assert!(got.contains(expected), "{text}: {got}");
}

#[test]
fn broken_files_are_named_with_line_and_column() {
    check("a: [1\nb: 2\n", "(data/one.yaml): did not find expected ',' or ']'");
    check("a: 'x\n", "while scanning a quoted scalar at line 1 column 4");
    check("a: *nope\n", "unknown anchor: nope");
    check("- a\n", "data/one.yaml: file does not contain a valid yaml hash");
    check("d: 2020-01-01\n", "(data/one.yaml): Tried to load unspecified class: Date");
}

#[test]
fn loops_are_told_with_the_names_on_the_way() {
    check("a: \"%{lookup('b')}\"\nb: \"%{lookup('a')}\"\n", "Recursive lookup detected in [a, b]");
    check("a: \"%{alias('a')}\"\n", "Recursive lookup detected in [a]");
}

#[test]
fn a_long_chain_of_lookups_ends() {
    let mut text: String = (0..400).map(|n| format!("k{n}: \"%{{lookup('k{}')}}\"\n", n + 1)).collect();
    text.push_str("a: \"%{lookup('k0')}\"\n");
    assert!(!failure(CONFIG, &text).is_empty());
}

#[test]
fn an_alias_bomb_ends_in_an_error() {
    let mut text = "x0: &x0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for n in 1..12 {
        let inner = vec![format!("*x{}", n - 1); 10].join(", ");
        text.push_str(&format!("x{n}: &x{n} [{inner}]\n"));
    }
    text.push_str("a: *x11\n");
    let got = failure(CONFIG, &text);
    assert!(got.contains("data/one.yaml") || got.contains("alias"), "{got}");
}

#[test]
fn bad_configurations_are_named() {
    let check = |config: &str, expected: &str| {
        let got = failure(config, "a: 1\n");
        assert!(got.contains(expected), "{config}: {got}");
    };
    check("version: 6\n", "This runtime does not support hiera.yaml version 6");
    check("version: 5\nhierarchys: []\n", "unrecognized key 'hierarchys'");
    check("version: 5\nhierarchy: [{name: N, data_hash: nope_data, path: one.yaml}]\n", "nope_data");
    check("version: [\n", "hiera.yaml");
}

#[test]
fn a_file_beyond_the_limit_is_refused_unread() {
    let folder = std::env::temp_dir().join(format!("hierarch-large-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("data")).expect("a folder");
    std::fs::write(folder.join("hiera.yaml"), CONFIG).expect("written");
    // The file has a gigabyte, and not one block of the disk.
    let file = std::fs::File::create(folder.join("data/one.yaml")).expect("a file");
    file.set_len(1 << 30).expect("a sparse file");
    let path = folder.display().to_string();
    let environment =
        EnvironmentFolder { name: "production".to_owned(), path: Some(path), ..EnvironmentFolder::default() };
    let settings = LookupSettings { largest_file: 1 << 20, ..LookupSettings::default() };
    let hiera = Hiera::new(DiskFiles, settings, environment, String::new());
    let error = hiera.lookup("a").value().expect_err("too large").to_string();
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(
        error.contains("one.yaml has more than 1048576 bytes; --max-file-size raises the limit"),
        "{error}"
    );
}

#[test]
fn a_datadir_may_point_outside_and_what_is_there_is_only_read() {
    let config = "version: 5\nhierarchy: [{name: Out, datadir: ../../elsewhere, path: one.yaml}]\n";
    let files = MemoryFiles::from([("/env/x/hiera.yaml", config), ("/elsewhere/one.yaml", "a: out\n")]);
    let hiera = Hiera::open(files, "/env/x/hiera.yaml");
    assert_eq!(hiera.lookup("a").value().expect("found").as_str(), Some("out"));
}

#[cfg(unix)]
#[test]
fn a_folder_in_place_of_a_file_is_told() {
    let files = MemoryFiles::from([("hiera.yaml", CONFIG), ("data/one.yaml/inside", "")]);
    let hiera = Hiera::open(files, "hiera.yaml");
    let error = hiera.lookup("a").value().expect_err("a folder").to_string();
    assert!(error.contains("Is a directory @ io_fread - data/one.yaml"), "{error}");
}

/// Files of which one may not be read, whoever asks.
struct Locked(MemoryFiles);

impl Files for Locked {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path.ends_with("one.yaml") {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        self.0.read(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.0.list(folder)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.0.is_file(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.0.is_folder(path)
    }
}

#[test]
fn a_file_that_may_not_be_read_is_named() {
    let files = Locked(MemoryFiles::from([("hiera.yaml", CONFIG), ("data/one.yaml", "a: 1\n")]));
    let hiera = Hiera::open(files, "hiera.yaml");
    let error = hiera.lookup("a").value().expect_err("unreadable").to_string();
    assert!(error.contains("data/one.yaml") && error.to_lowercase().contains("permission denied"), "{error}");
}

#[test]
fn hocon_files_that_include_each_other_end_in_an_error() {
    let config = "version: 5\nhierarchy: [{name: H, data_hash: hocon_data, path: one.conf}]\n";
    let files = MemoryFiles::from([
        ("hiera.yaml", config),
        ("data/one.conf", "include file(\"data/two.conf\")\na = 1\n"),
        ("data/two.conf", "include \"three.conf\"\n"),
        ("data/three.conf", "include \"two.conf\"\n"),
    ]);
    let error = Hiera::open(files, "hiera.yaml").lookup("a").value().expect_err("a ring").to_string();
    assert!(error.contains("include statements nested more than 50 times"), "{error}");
}

#[test]
fn what_cannot_be_decrypted_names_key_and_file() {
    let config = "version: 5\nhierarchy:\n- {name: S, lookup_key: eyaml_lookup_key, path: one.yaml, options: {pkcs7_private_key: nokey.pem}}\n";
    let got = failure(config, "a: ENC[PKCS7,AAAA]\n");
    assert!(got.contains("data/one.yaml") && got.contains("nokey.pem"), "{got}");
}

#[test]
fn a_survey_meets_broken_files_once_and_tells_everybody() {
    let files = MemoryFiles::from([("hiera.yaml", CONFIG), ("data/one.yaml", "a: [\n")]);
    let hiera = Hiera::open(files, "hiera.yaml");
    let survey = hierarch_hiera::Survey::new();
    for _ in 0..3 {
        let scope = Scope::new();
        let session = hiera.session(&scope);
        let answer = survey.ask(&session, |session| session.search(&Query::new(["a".to_owned()]), None));
        assert!(answer.is_err());
    }
    assert_eq!(survey.different_answers(), 1);
}
