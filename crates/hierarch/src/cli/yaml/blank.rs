//! Files without content, but for comments perhaps: what is set in one is written behind them.

use std::path::Path;

use hierarch_source::{Files, Source};
use hierarch_yaml::{Data, Dialect, DocumentLimits, Layout, document, json, read};

use super::Stop;
use super::input::Input;
use crate::cli::issues;

/// Larger files are not looked into: they have content.
const MOST_BYTES: u64 = 1 << 16;

/// Returns the text of a file that has no content; `None` if it has some, or cannot be read.
pub(super) fn text(input: &Input) -> Option<String> {
    let bytes = input.files.read_at_most(&input.path, MOST_BYTES).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    is_blank(&text).then_some(text)
}

/// Tells whether a text has no content.
pub(super) fn is_blank(text: &str) -> bool {
    let content = text.strip_prefix('\u{feff}').unwrap_or(text).lines().map(str::trim);
    let mut lines = content.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_none_or(|first| first == "---") && lines.next().is_none()
}

/// Returns the text of a file without content with data in it.
pub(super) fn filled(file: &Path, old: &str, data: &Data, plain: bool) -> Result<String, Stop> {
    // A document without content is null already.
    if *data == Data::NULL {
        return Ok(old.to_owned());
    }
    let is_json = file.extension().is_some_and(|extension| extension == "json");
    let newline = if old.contains("\r\n") { "\r\n" } else { "\n" };
    let layout = Layout { newline, ..Layout::default() };
    let content = if is_json { json(data, true) + newline } else { document(data, &layout) };
    let gap = if old.is_empty() || old.ends_with('\n') { "" } else { newline };
    let new = format!("{old}{gap}{content}");
    let tree = read(
        &Source::new(file.display().to_string(), new.as_str()),
        Dialect::Core,
        DocumentLimits::default(),
    )?;
    let found = tree.root().map(|root| tree.data(root, DocumentLimits::default())).transpose()?;
    let is_data = plain || tree.root().is_some_and(|root| !tree.is_active(root));
    if found.as_ref() == Some(data) && is_data {
        return Ok(new);
    }
    Err(issues::keys_are_directives(&hierarch_yaml::brief(data)).into())
}
