//! Reading case files: which of the recorders' formats one is in is decided by what stands in it.
//!
//! | a case with | is |
//! | --- | --- |
//! | `kind` | a language case of that kind |
//! | `lookups` | a Hiera case; each entry is a case of its own: kind `compile` if it has `code`, else `lookup` |
//! | `expr` | kind `expression` |
//! | `template` | kind `template`; the `vars` of its file are its variables |
//! | `edit` | kind `save` |
//! | `entry`, `expanded`, `error_kind` or `recommended` | kind `expand` |
//!
//! What cannot be read is a case too, of kind `unreadable`, so that it fails instead of being left out.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::Case;
use crate::data::{self, Writer};

/// Reads all cases of a file, or of all case files below a folder, in order.
pub fn load(path: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for file in case_files(path) {
        match fs::read(&file) {
            Ok(bytes) => read_file(&file, &bytes, &mut cases),
            Err(error) => cases.push(unreadable(&file, "1", &error.to_string())),
        }
    }
    cases
}

fn case_files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let Ok(entries) = fs::read_dir(path) else { return vec![path.to_owned()] };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
        .iter()
        .filter(|path| path.is_dir() || is_case_file(path))
        .flat_map(|path| case_files(path))
        .collect()
}

fn is_case_file(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("jsonl" | "json" | "yaml" | "yml"))
}

fn read_file(file: &Path, bytes: &[u8], cases: &mut Vec<Case>) {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => return cases.push(unreadable(file, "1", &error.to_string())),
    };
    if is_json_lines(file, text) { read_lines(file, text, cases) } else { read_document(file, text, cases) }
}

fn is_json_lines(file: &Path, text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("");
    file.extension().is_some_and(|extension| extension == "jsonl")
        || serde_json::from_str::<Map<String, Json>>(first).is_ok()
}

fn read_lines(file: &Path, text: &str, cases: &mut Vec<Case>) {
    for (index, line) in text.lines().enumerate() {
        let at = (index + 1).to_string();
        match line.trim() {
            "" => {}
            line => match serde_json::from_str(line) {
                Ok(case) => read_case(file, at, case, cases),
                Err(error) => cases.push(unreadable(file, &at, &error.to_string())),
            },
        }
    }
}

fn read_document(file: &Path, text: &str, cases: &mut Vec<Case>) {
    // Only Hiera's files are written by Ruby; its list of cases begins in the first column.
    let is_list = text.lines().any(|line| line.starts_with("- "));
    let is_group = text.lines().any(|line| line.starts_with("cases:"));
    let writer = if is_list && !is_group { Writer::Ruby } else { Writer::Json };
    let mut shared = Map::new();
    let items = match data::from_yaml(text, writer) {
        Ok(Json::Array(items)) => items,
        Ok(Json::Object(mut group)) => match group.remove("cases") {
            Some(Json::Array(items)) => {
                shared = group;
                items
            }
            _ => vec![Json::Object(group)],
        },
        Ok(Json::Null) => return,
        Ok(_) => return cases.push(unreadable(file, "1", "neither a list of cases nor a map with `cases`")),
        Err(error) => return cases.push(unreadable(file, "1", &error)),
    };
    let first = cases.len();
    for (index, item) in items.into_iter().enumerate() {
        read_case(file, (index + 1).to_string(), item, cases);
    }
    if shared.contains_key("vars") {
        let shared = Arc::new(shared);
        cases[first..].iter_mut().for_each(|case| case.setting = Arc::clone(&shared));
    }
}

fn read_case(file: &Path, at: String, case: Json, cases: &mut Vec<Case>) {
    let Json::Object(mut fields) = case else {
        return cases.push(unreadable(file, &at, "a case is a map"));
    };
    if let Some(lookups) = fields.remove("lookups") {
        return read_lookups(file, &at, fields, lookups, cases);
    }
    let Some(kind) = kind_of(&fields) else {
        return cases.push(unreadable(file, &at, "nothing in this case says of which kind it is"));
    };
    let about = about(&fields, &["code", "template", "value", "type", "a", "expr"]);
    cases.push(Case { file: file.to_owned(), at, kind, about, fields, setting: Arc::default() });
}

fn kind_of(fields: &Map<String, Json>) -> Option<String> {
    if let Some(kind) = fields.get("kind") {
        return kind.as_str().map(str::to_owned);
    }
    let has = |field: &str| fields.contains_key(field);
    let kind = if has("expr") {
        "expression"
    } else if has("template") {
        "template"
    } else if has("edit") {
        "save"
    } else if ["entry", "expanded", "error_kind", "recommended"].into_iter().any(has) {
        "expand"
    } else {
        return None;
    };
    Some(kind.to_owned())
}

fn read_lookups(file: &Path, at: &str, setting: Map<String, Json>, lookups: Json, cases: &mut Vec<Case>) {
    let Json::Array(entries) = lookups else {
        return cases.push(unreadable(file, at, "`lookups` is no list"));
    };
    let topic = about(&setting, &[]);
    let setting = Arc::new(setting);
    for (index, entry) in entries.into_iter().enumerate() {
        let at = format!("{at}.{}", index + 1);
        let Json::Object(fields) = entry else {
            cases.push(unreadable(file, &at, "an entry of `lookups` is a map"));
            continue;
        };
        let kind = if fields.contains_key("code") { "compile" } else { "lookup" };
        let about = format!("{topic}: {}", about(&fields, &["args", "code"]));
        cases.push(Case {
            file: file.to_owned(),
            at,
            kind: kind.to_owned(),
            about,
            fields,
            setting: Arc::clone(&setting),
        });
    }
}

/// Says in a line what a case is about: its own words, and the first of its inputs.
fn about(fields: &Map<String, Json>, inputs: &[&str]) -> String {
    let words = fields.get("about").map(words_of);
    let input = inputs.iter().find_map(|input| fields.get(*input)).map(words_of);
    let parts: Vec<String> = words.into_iter().chain(input).collect();
    parts.join(": ")
}

fn words_of(value: &Json) -> String {
    const LONGEST: usize = 60;
    let text = match value {
        Json::String(text) => text.clone(),
        Json::Array(items) => items.iter().map(words_of).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > LONGEST { line.chars().take(LONGEST).chain(['…']).collect() } else { line }
}

fn unreadable(file: &Path, at: &str, why: &str) -> Case {
    Case {
        file: file.to_owned(),
        at: at.to_owned(),
        kind: "unreadable".to_owned(),
        about: why.to_owned(),
        fields: Map::new(),
        setting: Arc::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, expected: &[&str]) {
        let mut cases = Vec::new();
        read_file(Path::new(name), text.as_bytes(), &mut cases);
        let got: Vec<String> =
            cases.iter().map(|case| format!("{} {} {}", case.at, case.kind, case.about)).collect();
        assert_eq!(got, expected, "{name}: {text}");
    }

    #[test]
    fn a_line_of_json_is_a_case_of_its_kind() {
        check(
            "a.jsonl",
            "{\"kind\":\"parse\",\"about\":\"x\",\"code\":\"1 +\\n 2\"}\r\n\r\n{\"kind\":\"new\",\"odd\":1}\r\n",
            &["1 parse x: 1 + 2", "3 new "],
        );
    }

    #[test]
    fn what_is_in_a_file_counts_not_its_name() {
        check("odd.txt", "\u{feff}\n{\"kind\":\"parse\",\"code\":\"1\"}\n", &["2 parse 1"]);
        check(
            "odd.txt",
            "cases:\n- {expr: a}\n- {edit: {}}\n- {entry: m}\n- {template: t}\n",
            &["1 expression a", "2 save ", "3 expand ", "4 template t"],
        );
    }

    #[test]
    fn every_entry_of_a_hiera_case_is_a_case() {
        check(
            "a.yaml",
            "- about: t\n  lookups:\n  - {args: [k, --explain]}\n  - {code: notice(1)}\n",
            &["1.1 lookup t: k --explain", "1.2 compile t: notice(1)"],
        );
    }

    #[test]
    fn what_cannot_be_read_is_a_case_that_can_only_fail() {
        for (name, text) in
            [("a.jsonl", "{\"kind\""), ("a.yaml", "a: [1"), ("a.yaml", "5"), ("a.yaml", "- {about: x}")]
        {
            let mut cases = Vec::new();
            read_file(Path::new(name), text.as_bytes(), &mut cases);
            assert_eq!(cases.len(), 1, "{text}");
            assert_eq!(cases[0].kind, "unreadable", "{text}");
        }
    }
}
