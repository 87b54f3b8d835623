//! Addresses of repositories, as people may see them.

/// Returns a URL without the password in it: messages, lock files and names of folders have none.
pub fn without_password(url: &str) -> String {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find('/').map_or(url.len(), |at| start + at);
    match url[start..end].rfind('@').map(|at| start + at) {
        Some(at) => match url[start..at].find(':') {
            Some(colon) if start > 0 => format!("{}{}", &url[..start + colon], &url[at..]),
            _ => url.to_owned(),
        },
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        for (url, shown) in [
            ("https://me:secret@h/x.git", "https://me@h/x.git"),
            ("https://me@h/x@y.git", "https://me@h/x@y.git"),
            ("https://me:a@b@h/x", "https://me@h/x"),
            ("https://h:8080/a:b@c", "https://h:8080/a:b@c"),
            ("git@h:x/y.git", "git@h:x/y.git"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
