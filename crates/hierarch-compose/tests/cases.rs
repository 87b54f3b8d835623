//! Runs the recorded directive cases of `tests/cases/directives`.

use std::path::{Path, PathBuf};

use hierarch_compose::{Access, Document, Fetch, Unfetched, kind};
use hierarch_source::{Files, MemoryFiles, Source};
use hierarch_yaml::{Data, Dialect, Limits, read, scalar_text};

const DIR: &str = "/case";
const WEB: &str = "http://web.test";

#[test]
fn expansions_are_as_recorded() {
    run(|case| case.get("edit").is_none());
}

#[test]
fn saves_are_as_recorded() {
    run(|case| case.get("edit").is_some());
}

fn run(wanted: impl Fn(&Data) -> bool) {
    let (mut passed, mut failed) = (0, Vec::new());
    for (file, cases) in load_all() {
        for case in cases.iter().filter(|case| wanted(case)) {
            match judge(case) {
                Ok(()) => passed += 1,
                Err(how) => {
                    failed.push(format!("{file}: {}\n{how}", text(case, "about")));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{passed} passed, {} failed:\n\n{}", failed.len(), failed.join("\n\n"));
}

fn load_all() -> Vec<(String, Vec<Data>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/directives");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the cases").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files.into_iter().map(|path| load(&path)).collect()
}

fn load(path: &Path) -> (String, Vec<Data>) {
    let text = std::fs::read_to_string(path).expect("a case file");
    let tree = read(&Source::new(path.display().to_string(), text), Dialect::Core, Limits::default());
    let tree = tree.unwrap_or_else(|error| panic!("{error}"));
    let data =
        tree.data(tree.root().expect("content"), Limits::default()).unwrap_or_else(|error| panic!("{error}"));
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    match data.get("cases") {
        Some(Data::List(cases)) => (name, cases.clone()),
        _ => panic!("{name} has no cases"),
    }
}

fn text<'c>(case: &'c Data, key: &str) -> &'c str {
    case.get(key).and_then(Data::as_str).unwrap_or("")
}

struct Web<'f>(&'f MemoryFiles);

impl Fetch for Web<'_> {
    fn fetch(&self, url: &str) -> Result<Vec<u8>, Unfetched> {
        let path = url.strip_prefix(WEB).unwrap_or(url);
        self.0
            .read(Path::new(&format!("{DIR}/web{path}")))
            .map_err(|_| Unfetched::Absent("HTTP Error 404: File not found".into()))
    }
}

fn judge(case: &Data) -> Result<(), String> {
    let mut files = MemoryFiles::default();
    let Some(Data::Map(entries)) = case.get("files") else { return Err("no files".into()) };
    for (name, content) in entries {
        let content = content.as_str().unwrap_or("").replace("@DIR@", DIR).replace("@WEB@", WEB);
        files.insert(format!("{DIR}/{}", name.as_str().unwrap_or("")), content);
    }
    let environment =
        |name: &str| case.get("env").and_then(|env| env.get(name)).and_then(Data::as_str).map(str::to_owned);
    let web = Web(&files);
    let access = Access {
        roots: vec![DIR.into()],
        remote: Some(&web),
        environment: Some(&environment),
        limits: Limits::default(),
    };
    let entry = PathBuf::from(format!("{DIR}/{}", text(case, "entry")));
    let opened = Document::open(&files, &entry, &access);
    match case.get("edit") {
        None => judge_expansion(case, opened),
        Some(edit) => judge_save(case, opened, edit),
    }
}

fn judge_expansion(case: &Data, opened: hierarch_source::Result<Document>) -> Result<(), String> {
    let wanted = case.get("recommended").or_else(|| case.get("expanded"));
    let wanted_error = match wanted {
        None => Some(text(case, "error_kind")),
        Some(wanted) => {
            wanted.get("error").and_then(Data::as_str).filter(|_| case.get("recommended").is_some())
        }
    };
    match (opened, wanted_error) {
        (Ok(document), Some(error)) => {
            Err(format!("expected an error of kind {error}, got {:?}", document.data()))
        }
        (Err(error), Some(expected)) => {
            let found = kind(&error);
            if found == expected {
                Ok(())
            } else {
                Err(format!("expected kind {expected}, got {found}: {error}"))
            }
        }
        (Err(error), None) => Err(format!("failed: {error}")),
        (Ok(document), None) => {
            let found = with_text_keys(document.data());
            let wanted = wanted.expect("a value").clone();
            if found == wanted { Ok(()) } else { Err(format!("expected {wanted:?}\n     got {found:?}")) }
        }
    }
}

fn judge_save(case: &Data, opened: hierarch_source::Result<Document>, edit: &Data) -> Result<(), String> {
    let wanted = case.get("expected").or_else(|| case.get("saved")).and_then(Data::as_str).expect("a text");
    let mut document = opened.map_err(|error| format!("failed: {error}"))?;
    let edited = document.grow(edit).map_err(|error| format!("failed: {error}"))?;
    let found = document.save(edited).map_err(|error| format!("failed: {error}"))?;
    if found == wanted { Ok(()) } else { Err(format!("expected\n{wanted}got\n{found}")) }
}

/// Keys that are no texts appear in the cases as their JSON text.
fn with_text_keys(data: Data) -> Data {
    match data {
        Data::Scalar(_) => data,
        Data::List(items) => Data::List(items.into_iter().map(with_text_keys).collect()),
        Data::Map(entries) => Data::Map(
            entries
                .into_iter()
                .map(|(key, value)| {
                    let key = match &key {
                        Data::Scalar(scalar) => Data::text(scalar_text(scalar)),
                        _ => key,
                    };
                    (key, with_text_keys(value))
                })
                .collect(),
        ),
    }
}
