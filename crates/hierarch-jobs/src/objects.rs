//! What is needed of an object store, and how objects are addressed.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use hierarch_source::Result;
use sha2::{Digest, Sha256};

/// A store of objects by name. An object is whole or not there; an object that is put again is the same.
pub trait Objects: Send + Sync {
    /// Returns an object; nothing if it is not there.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>>;

    /// Puts an object.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<()>;

    /// Tells whether an object is there.
    fn has(&self, name: &str) -> Result<bool> {
        Ok(self.get(name)?.is_some())
    }
}

/// Returns the SHA-256 of some parts, each with its length, so that no two lists have one address by chance.
pub fn address<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Objects in memory, for tests and small runs.
#[derive(Debug, Default)]
pub struct Memory(Mutex<HashMap<String, Vec<u8>>>);

impl Memory {
    /// Returns the names of all objects.
    pub fn names(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }
}

impl Objects for Memory {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_tell_lists_apart() {
        let of = |parts: &[&str]| address(parts.iter().map(|part| part.as_bytes()));
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_eq!(of(&[]).len(), 64);
    }
}
