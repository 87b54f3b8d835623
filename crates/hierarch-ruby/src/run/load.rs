//! Files of modules that scripts require.

use std::path::Path;
use std::sync::Arc;

use super::{Res, Vm};
use crate::syntax;

impl Vm<'_> {
    /// Loads a file by the name that `require` is given, from the host's folders; nothing if there is none.
    pub fn load_feature(&mut self, feature: &str) -> Res<Option<bool>> {
        match self.host.find_feature(feature) {
            Some(path) => self.load_file(&path.to_string_lossy()),
            None => Ok(None),
        }
    }

    /// Loads a file once; nothing if there is none, false if it was loaded before.
    pub fn load_file(&mut self, path: &str) -> Res<Option<bool>> {
        let path = if Path::new(path).extension().is_some_and(|extension| extension == "rb") {
            path.to_owned()
        } else {
            format!("{path}.rb")
        };
        if self.features.iter().any(|known| *known == path) {
            return Ok(Some(false));
        }
        if !self.host.may_read(Path::new(&path)) {
            return Ok(None);
        }
        let Some(Ok(bytes)) = self.host.files().map(|files| files.read(Path::new(&path))) else {
            return Ok(None);
        };
        self.features.push(path.as_str().into());
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let program = self.program(&text, &path)?;
        self.run(&program)?;
        Ok(Some(true))
    }

    /// Reads a program, or raises SyntaxError.
    pub fn program(&mut self, text: &str, file: &str) -> Res<Arc<syntax::tree::Program>> {
        match syntax::parse(text, file) {
            Ok(program) => Ok(Arc::new(program)),
            Err(error) => {
                let message = format!("{file}:{}: syntax error, {}", error.line, error.message);
                Err(self.raise("SyntaxError", message))
            }
        }
    }
}
