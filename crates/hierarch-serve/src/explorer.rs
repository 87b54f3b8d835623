//! The explorer: pages, styles and scripts that stand in the program itself.
//!
//! Scripts and styles lie below a name made of all their contents, so that browsers may keep them for ever; the page
//! that names them is asked for each time.

use std::sync::LazyLock;

use flate2::Compression;
use hyper::HeaderMap;
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use sha2::{Digest, Sha256};

use crate::http::{self, Reply};

/// Where the page asks for the files, before they have their name.
const PLACEHOLDER: &str = "ui/HASH/";

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../ui/", $name)))),*]
    };
}

/// All files but the page.
const FILES: &[(&str, &[u8])] = files![
    "address.js",
    "api.js",
    "app.js",
    "dom.js",
    "icon.svg",
    "json.js",
    "search.js",
    "style.css",
    "values.js",
    "views/changes.js",
    "views/check.js",
    "views/edit.js",
    "views/explain.js",
    "views/files.js",
    "views/history.js",
    "views/home.js",
    "views/impact.js",
    "views/key.js",
    "views/layers.js",
    "views/node.js",
    "views/value.js",
    "views/who.js",
];

const PAGE: &str = include_str!("../ui/index.html");

/// A file as it is sent.
struct StoredFile {
    plain: Bytes,
    packed: Option<Bytes>,
    media: &'static str,
}

struct Explorer {
    hash: String,
    page: StoredFile,
    files: Vec<(&'static str, StoredFile)>,
}

static EXPLORER: LazyLock<Explorer> = LazyLock::new(|| {
    let mut hasher = Sha256::new();
    hasher.update(PAGE);
    for (name, bytes) in FILES {
        hasher.update(name);
        hasher.update(bytes);
    }
    let hash: String = hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let page = PAGE.replace(PLACEHOLDER, &format!("ui/{hash}/"));
    let files = FILES.iter().map(|(name, bytes)| (*name, stored(bytes.to_vec(), media(name)))).collect();
    Explorer { hash, page: stored(page.into_bytes(), "text/html; charset=utf-8"), files }
});

fn stored(bytes: Vec<u8>, media: &'static str) -> StoredFile {
    let packed = http::gzip(&bytes, Compression::best()).map(Bytes::from);
    StoredFile { plain: Bytes::from(bytes), packed, media }
}

fn media(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

/// Returns a file of the explorer; none if there is no such file.
pub(crate) fn file(path: &str, headers: &HeaderMap) -> Option<Reply> {
    let explorer = &*EXPLORER;
    if matches!(path, "/" | "/index.html") {
        return Some(sent(&explorer.page, &explorer.hash, "no-cache", headers));
    }
    if path == "/favicon.ico" {
        let (_, icon) = explorer.files.iter().find(|(name, _)| *name == "icon.svg")?;
        return Some(sent(icon, &explorer.hash, "max-age=86400", headers));
    }
    let (hash, name) = path.strip_prefix("/ui/")?.split_once('/')?;
    let (_, file) = explorer.files.iter().find(|(known, _)| *known == name)?;
    // An old page may still name files of an old program: they are sent, and not kept.
    let kept = if hash == explorer.hash { "max-age=31536000, immutable" } else { "no-store" };
    Some(sent(file, &explorer.hash, kept, headers))
}

fn sent(file: &StoredFile, hash: &str, kept: &str, headers: &HeaderMap) -> Reply {
    let tag = format!("\"{hash}\"");
    let is_known = headers.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok()) == Some(&tag);
    let mut reply = match &file.packed {
        _ if is_known => {
            let mut reply = http::whole(Bytes::new());
            *reply.status_mut() = hyper::StatusCode::NOT_MODIFIED;
            reply
        }
        Some(packed) if http::reads_gzip(headers) => {
            let mut reply = http::whole(packed.clone());
            http::set(&mut reply, CONTENT_ENCODING, "gzip");
            reply
        }
        _ => http::whole(file.plain.clone()),
    };
    http::set(&mut reply, CONTENT_TYPE, file.media);
    http::set(&mut reply, CACHE_CONTROL, kept);
    http::set(&mut reply, VARY, "accept-encoding");
    http::set(&mut reply, ETAG, &tag);
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_is_named_is_there() {
        let explorer = &*EXPLORER;
        let page = String::from_utf8_lossy(&explorer.page.plain).into_owned();
        assert!(!page.contains("HASH") && page.contains(&explorer.hash));
        for (name, file) in &explorer.files {
            let text = String::from_utf8_lossy(&file.plain).into_owned();
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let from = line.split('"').nth(1).expect("a module in quotes");
                let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
                let whole = hierarch_source::without_dots(&std::path::Path::new(folder).join(from));
                let whole = whole.display().to_string();
                assert!(explorer.files.iter().any(|(known, _)| *known == whole), "{name} imports {whole}");
            }
            assert!(
                !text.contains("https://") && !text.contains("http://") || text.contains("www.w3.org"),
                "{name}"
            );
        }
    }

    #[test]
    fn a_first_visit_is_small() {
        let explorer = &*EXPLORER;
        let packed: usize =
            explorer.files.iter().filter_map(|(_, file)| file.packed.as_ref()).map(Bytes::len).sum();
        assert!(packed < 60_000, "{packed} bytes are sent");
    }

    #[test]
    fn files_of_this_program_may_be_kept() {
        let hash = &EXPLORER.hash;
        let kept = |path: &str| {
            let reply = file(path, &HeaderMap::new())?;
            Some(reply.headers()[CACHE_CONTROL].to_str().expect("a text").to_owned())
        };
        assert!(kept(&format!("/ui/{hash}/app.js")).expect("a file").contains("immutable"));
        assert_eq!(kept("/ui/0000/app.js").as_deref(), Some("no-store"));
        assert_eq!(kept("/").as_deref(), Some("no-cache"));
        assert_eq!(kept("/ui/0000/../Cargo.toml"), None);
    }
}
