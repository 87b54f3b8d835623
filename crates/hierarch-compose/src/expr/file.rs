//! Files as values: the path as it was given, and what can be asked of it.

use std::any::Any;
use std::path::PathBuf;

use hierarch_pcore::types::RuntimeType;
use hierarch_pcore::value::Foreign;
use hierarch_pcore::{Str, Type, Value};
use hierarch_source::Result;

use super::issues;
use super::world::World;

/// A file that is read when its contents are asked for.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) given: Str,
    pub(crate) path: PathBuf,
    pub(crate) encoding: Str,
}

impl File {
    pub(crate) fn of(value: &Value) -> Option<&Self> {
        match value {
            Value::Foreign(foreign) => foreign.as_any().downcast_ref(),
            _ => None,
        }
    }

    /// Returns what a key of the file holds; other keys lead nowhere.
    pub(crate) fn get(&self, world: &World, key: &str) -> Result<Option<Value>> {
        Ok(match key {
            "path" => Some(self.path.display().to_string().into()),
            "encoding" => Some(self.encoding.clone().into()),
            "contents" => Some(read(world, &self.path)?.into()),
            _ => None,
        })
    }
}

/// Reads a file as text.
pub(crate) fn read(world: &World, path: &std::path::Path) -> Result<String> {
    let bytes = world.host.read(path).map_err(|error| issues::file_error(path, &error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Foreign for File {
    fn inferred(&self) -> Type {
        RuntimeType::ruby("File").into()
    }

    fn text(&self) -> String {
        self.given.to_string()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
