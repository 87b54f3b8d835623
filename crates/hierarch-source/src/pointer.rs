//! JSON pointers: `/a/b~1c` names what stands at the key `b/c` of the value at `a`.

use std::borrow::Cow;

/// Writes a key as a segment of a pointer.
///
/// ```
/// use hierarch_source::pointer::{escape, unescape};
///
/// assert_eq!(escape("a/b~c"), "a~1b~0c");
/// assert_eq!(unescape("a~1b~0c~01"), "a/b~c~1");
/// ```
pub fn escape(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1").into() } else { key.into() }
}

/// Returns the key that a segment stands for. A `~` that escapes nothing is left as it is.
pub fn unescape(segment: &str) -> Cow<'_, str> {
    if segment.contains('~') { segment.replace("~1", "/").replace("~0", "~").into() } else { segment.into() }
}

/// Returns the keys that a pointer consists of; the root has none.
pub fn keys(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(unescape)
}

/// Extends a pointer by a key.
pub fn below(pointer: &str, key: &str) -> String {
    [pointer, "/", &escape(key)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_with_slashes_and_tildes_go_both_ways() {
        for key in ["", "a", "/", "~", "~1", "a/b~c", "~0~1"] {
            let pointer = below("/x", key);
            assert_eq!(keys(&pointer).collect::<Vec<_>>(), ["x", key]);
        }
        assert_eq!(keys("").count(), 0);
        assert_eq!(unescape("a~b"), "a~b");
    }
}
