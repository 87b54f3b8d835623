//! Kinds `expand` and `save`: documents with merge directives, expanded, and saved after an edit.

use std::path::{Path, PathBuf};

use hierarch_compose::{Access, Document, Fetch, FetchFailure, kind};
use hierarch_source::{Error, Files, MemoryFiles, Result, Source};
use hierarch_yaml::{Dialect, DocumentLimits, json, read};
use serde_json::{Map, Value as Json};

use super::outcome::{fails_with, gives, outcome};
use super::{Answer, Case, Judge, Verdict};

/// Where the files of a case stand, `@DIR@` in its texts, and where those below `web/` are served, `@WEB@`.
const DIR: &str = "/case";
const WEB: &str = "http://web.test";

/// Judges cases of kind `expand`.
pub(super) struct Expand;

impl Judge for Expand {
    fn kind(&self) -> &'static str {
        "expand"
    }

    fn decisive(&self, case: &Case) -> &'static [&'static str] {
        let has = |field: &str| case.fields.contains_key(field);
        match (has("recommended"), has("expanded")) {
            (true, _) => &["recommended"],
            (false, true) => &["expanded", "recommended"],
            (false, false) => &["error_kind", "expanded", "recommended"],
        }
    }

    fn ask(&self, case: &Case) -> Answer {
        outcome(with_document(case, |document| Ok(canonical(&json(&document.data(), false)))), kind)
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        let wanted = case.fields.get("recommended").or_else(|| case.fields.get("expanded"));
        let recommended_error =
            case.fields.get("recommended").and_then(|wanted| wanted.get("error")?.as_str());
        let wanted_error =
            recommended_error.or(if wanted.is_none() { case.text("error_kind") } else { None });
        match wanted_error {
            Some(kind) => fails_with(answer, kind),
            None => gives(answer, &wanted.map(Json::to_string).unwrap_or_default().into()),
        }
    }
}

/// Judges cases of kind `save`.
pub(super) struct Save;

impl Judge for Save {
    fn kind(&self) -> &'static str {
        "save"
    }

    fn decisive(&self, case: &Case) -> &'static [&'static str] {
        if case.fields.contains_key("expected") { &["expected"] } else { &["saved", "expected"] }
    }

    fn ask(&self, case: &Case) -> Answer {
        let edit = case.fields.get("edit").cloned().unwrap_or_default().to_string();
        let saved = with_document(case, |document| {
            let tree = read(&Source::new("edit", edit.clone()), Dialect::Core, DocumentLimits::default())?;
            let edited = document.plant(tree)?;
            document.save(edited)
        });
        outcome(saved, kind)
    }

    fn compare(&self, case: &Case, answer: &Answer) -> Verdict {
        match case.fields.get("expected").or_else(|| case.fields.get("saved")) {
            Some(wanted) => gives(answer, wanted),
            None => Verdict::failed("this case has neither `expected` nor `saved`"),
        }
    }
}

/// JSON as the case's own is written; the order of keys counts.
fn canonical(text: &str) -> String {
    serde_json::from_str::<Json>(text).map_or_else(|error| error.to_string(), |json| json.to_string())
}

/// Opens the document of a case and hands it on.
fn with_document<T>(case: &Case, use_it: impl Fn(&mut Document) -> Result<T>) -> Result<T> {
    let nothing = Map::new();
    let object = |field: &str| case.fields.get(field).and_then(Json::as_object).unwrap_or(&nothing).clone();
    let mut files = MemoryFiles::default();
    for (name, text) in object("files") {
        let text = text.as_str().unwrap_or_default().replace("@DIR@", DIR).replace("@WEB@", WEB);
        files.insert(format!("{DIR}/{name}"), text);
    }
    let variables = object("env");
    let environment = |name: &str| variables.get(name).and_then(Json::as_str).map(str::to_owned);
    let web = Web(&files);
    let access = Access {
        roots: vec![DIR.into()],
        remote: Some(&web),
        environment: Some(&environment),
        ..Access::default()
    };
    let Some(entry) = case.text("entry") else { return Err(Error::new("", "this case has no `entry`")) };
    let entry = PathBuf::from(format!("{DIR}/{entry}"));
    use_it(&mut Document::open(&files, &entry, &access)?)
}

/// Serves the files below `web/`.
struct Web<'f>(&'f MemoryFiles);

impl Fetch for Web<'_> {
    fn fetch(&self, url: &str) -> std::result::Result<Vec<u8>, FetchFailure> {
        let path = url.strip_prefix(WEB).unwrap_or(url);
        let file = format!("{DIR}/web{path}");
        self.0
            .read(Path::new(&file))
            .map_err(|_| FetchFailure::Absent("HTTP Error 404: File not found".into()))
    }
}
