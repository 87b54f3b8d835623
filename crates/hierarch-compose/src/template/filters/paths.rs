//! Filters for paths. They look at texts only and reach no file.

use super::super::call::{BoundArguments, Function, function};
use super::super::fault::Checked;
use super::super::issues;
use super::super::renderer::Renderer;
use super::super::value::Val;
use super::collections::is_list;

/// Makes an entry for a filter that makes one path of another.
macro_rules! path {
    ($name:literal, $make:expr) => {
        function($name, &["path"], |renderer, given| {
            let make: fn(&str) -> String = $make;
            let path = given.path(0)?;
            renderer.text(make(&path))
        })
    };
}

pub(super) static FILTERS: &[Function] = &[
    path!("basename", |path| path.rsplit('/').next().unwrap_or_default().to_owned()),
    path!("dirname", dirname),
    path!("normpath", normpath),
    path!("win_basename", |path| win_split(path).1.to_owned()),
    path!("win_dirname", |path| win_split(path).0.to_owned()),
    function("splitext", &["path"], |renderer, given| {
        let path = given.path(0)?;
        parts(renderer, splitext(&path))
    }),
    function("win_splitdrive", &["path"], |renderer, given| {
        let path = given.path(0)?;
        let at = if path.as_bytes().get(1) == Some(&b':') && path.is_char_boundary(2) { 2 } else { 0 };
        parts(renderer, vec![path[..at].to_owned(), path[at..].to_owned()])
    }),
    function("path_join", &["paths"], path_join),
    function("relpath", &["path", "start?"], relpath),
    function("commonpath", &["paths"], commonpath),
];

fn parts(renderer: &mut Renderer, parts: Vec<String>) -> Checked<Val> {
    let parts = parts.into_iter().map(|part| renderer.text(part)).collect::<Checked<_>>()?;
    renderer.tuple(parts)
}

fn dirname(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) if folder.trim_end_matches('/').is_empty() => "/".repeat(folder.len().max(1)),
        Some((folder, _)) => folder.trim_end_matches('/').to_owned(),
        None => String::new(),
    }
}

fn splitext(path: &str) -> Vec<String> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.trim_start_matches('.');
    match stem.rfind('.') {
        Some(dot) => {
            let at = path.len() - stem.len() + dot;
            vec![path[..at].to_owned(), path[at..].to_owned()]
        }
        None => vec![path.to_owned(), String::new()],
    }
}

fn normpath(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match (part, parts.last()) {
            ("..", Some(last)) if *last != ".." => drop(parts.pop()),
            ("..", None) if absolute => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

/// Joins parts; one that begins at the root drops those before it.
fn path_join(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let parts = match given.value(0) {
        Val::Text(text) => return renderer.text(text.text.clone()),
        value if is_list(value) => renderer.items(value)?,
        other => return Err(issues::path_join_of(super::super::show::type_name(other))),
    };
    let mut path = String::new();
    for (index, part) in parts.iter().enumerate() {
        let Val::Text(part) = part else {
            renderer.present(part)?;
            return Err(issues::text_needed(super::super::show::type_name(part)));
        };
        if part.text.starts_with('/') {
            path = part.text.to_string();
        } else {
            if index > 0 && !path.is_empty() && !path.ends_with('/') {
                path.push('/');
            }
            path.push_str(&part.text);
        }
        renderer.fits(path.len())?;
    }
    renderer.text(path)
}

fn relpath(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let path = given.path(0)?;
    let start = given.get(1).ok_or_else(issues::relpath_without_start)?;
    let start = renderer.printed(start)?;
    if path.starts_with('/') != start.starts_with('/') {
        return Err(issues::relpath_mixed());
    }
    let split = |path: &str| -> Vec<String> {
        let parts = normpath(path);
        parts.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect()
    };
    let (path, start) = (split(&path), split(&start));
    let shared = path.iter().zip(&start).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", start.len() - shared);
    let parts: Vec<&str> = up.chain(path[shared..].iter().map(String::as_str)).collect();
    renderer.text(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

fn commonpath(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    if !is_list(given.value(0)) {
        return Err(issues::commonpath_of_no_list());
    }
    let items = renderer.items(given.value(0))?;
    let paths = items.iter().map(|item| renderer.printed(item)).collect::<Checked<Vec<_>>>()?;
    let Some(first) = paths.first() else { return Err(issues::commonpath_of_nothing()) };
    if paths.iter().any(|path| path.starts_with('/') != first.starts_with('/')) {
        return Err(issues::mixed_paths());
    }
    let split = |path: &str| -> Vec<String> {
        path.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect()
    };
    let mut shared = split(first);
    for path in &paths[1..] {
        let same = split(path).iter().zip(&shared).take_while(|(a, b)| a == b).count();
        shared.truncate(same);
    }
    let root = if first.starts_with('/') { "/" } else { "" };
    renderer.text(format!("{root}{}", shared.join("/")))
}

/// Splits a Windows path at its last separator; that of a drive's root stays.
fn win_split(path: &str) -> (&str, &str) {
    let drive = if path.as_bytes().get(1) == Some(&b':') && path.is_char_boundary(2) { 2 } else { 0 };
    let Some(at) = path[drive..].rfind(['\\', '/']) else { return path.split_at(drive) };
    let (head, tail) = path.split_at(drive + at + 1);
    let short = head[drive..].trim_end_matches(['\\', '/']);
    (if short.is_empty() { head } else { &head[..drive + short.len()] }, tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_split_as_python_splits_them() {
        for (path, wanted) in [("/a/b", "/a"), ("a", ""), ("/a", "/"), ("a/b/", "a/b")] {
            assert_eq!(dirname(path), wanted, "{path}");
        }
        assert_eq!(splitext("a/b.tar.gz"), ["a/b.tar", ".gz"]);
        assert_eq!(splitext("a/.bashrc"), ["a/.bashrc", ""]);
        assert_eq!(normpath("/a/../../b/."), "/b");
        for (path, wanted) in
            [("C:\\a\\b", ("C:\\a", "b")), ("C:\\b", ("C:\\", "b")), ("b", ("", "b")), ("C:b", ("C:", "b"))]
        {
            assert_eq!(win_split(path), wanted, "{path}");
        }
    }
}
