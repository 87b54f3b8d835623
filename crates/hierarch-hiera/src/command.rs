//! What `puppet lookup` does between its flags and its output.

use hierarch_pcore::{Hash, Value};
use hierarch_source::{Error, Result};

use crate::explain::Explainer;
use crate::hiera::{Hiera, Query, Session};
use crate::host::Host;
use crate::issues::{self, Class, class_of};
use crate::merge::PUBLIC_NAMES;
use crate::origin::view::View;
use crate::render::Format;

/// The flags of the command.
#[derive(Clone, Debug, Default)]
pub struct Command {
    /// The keys.
    pub keys: Vec<String>,
    /// `--merge`
    pub merge: Option<String>,
    /// `--knock-out-prefix`
    pub knockout_prefix: Option<String>,
    /// `--sort-merged-arrays`
    pub sort_merged_arrays: bool,
    /// `--merge-hash-arrays`
    pub merge_hash_arrays: bool,
    /// `--type`
    pub value_type: Option<String>,
    /// `--default`
    pub default: Option<String>,
    /// `--explain`
    pub explain: bool,
    /// `--explain-options`
    pub explain_options: bool,
    /// `--render-as`
    pub render_as: Option<String>,
    /// `--origin`
    pub origin: bool,
    /// `--show-secrets`: decrypted values are shown in explanations as well.
    pub show_secrets: bool,
    /// The folder, with a slash at its end, that people need not read in front of each path; none if it is empty.
    pub folder: String,
    /// The output goes to a terminal that has colours.
    pub is_coloured: bool,
}

/// What the command prints, and how it ends.
#[derive(Debug)]
pub struct Outcome {
    /// Standard output.
    pub output: String,
    /// The exit code.
    pub exit: u8,
    /// What went wrong. Lookup errors are not printed, others are.
    pub failure: Option<Error>,
}

impl Outcome {
    fn failed(failure: Error) -> Self {
        Self { output: String::new(), exit: 1, failure: Some(failure) }
    }

    /// Returns what standard error is told: nothing about lookup errors.
    pub fn complaint(&self) -> Option<String> {
        let failure = self.failure.as_ref()?;
        match class_of(failure) {
            Class::Lookup { .. } => None,
            _ => Some(format!("Could not run: {failure}")),
        }
    }
}

impl Command {
    /// Runs the command for a node.
    pub fn run(&self, hiera: &Hiera, host: &dyn Host) -> Outcome {
        let mut outcome = self.try_run(hiera, host).unwrap_or_else(Outcome::failed);
        if !self.show_secrets {
            outcome.failure = outcome.failure.map(|failure| hidden(hiera, failure));
        }
        outcome
    }

    fn try_run(&self, hiera: &Hiera, host: &dyn Host) -> Result<Outcome> {
        let merge = self.merge_value()?;
        let explains = self.explain || self.explain_options;
        let only_options = self.explain_options && !self.explain;
        let keys = match self.keys.as_slice() {
            [] if only_options => vec!["__global__".to_owned()],
            [] => return Err(issues::no_keys()),
            keys => keys.to_vec(),
        };
        let format = match &self.render_as {
            Some(name) => Format::parse(name)?,
            None if explains => Format::Text,
            None => Format::Yaml,
        };
        let value_type = self.value_type.as_ref().map(|text| host.parse_type(text)).transpose()?;
        let default = self.default.as_ref().map(|text| Value::from(text.as_str()));
        let query = Query { names: keys, value_type, merge, default, ..Query::default() };
        let session = hiera.session(host);
        if self.origin {
            return self.show_origin(hiera, &session, &query);
        }
        if !explains {
            let value = session.lookup(&query, None)?;
            return Ok(Outcome { output: format.render(&value)?, exit: 0, failure: None });
        }
        let mut explainer = if only_options { Explainer::of_options() } else { Explainer::new() };
        let failure = session.lookup(&query, Some(&mut explainer)).err();
        if let Some(error) = &failure {
            match class_of(error) {
                Class::Lookup { .. } => explainer.conclude(&error.to_string()),
                _ => return Ok(Outcome::failed(error.clone())),
            }
        }
        if !self.show_secrets {
            explainer.hide(|value| hiera.value_without_secrets(value), |text| hiera.without_secrets(text));
        }
        let mut output = match format {
            Format::Text => explainer.text(),
            // The keys of an explanation are symbols, of which no table is made.   case: hiera/render_formats
            Format::Console => explainer.data().to_pretty_json(),
            format => format.render(&explainer.data())?,
        };
        if !output.ends_with('\n') {
            output.push('\n');
        }
        Ok(Outcome { output, exit: 0, failure })
    }

    fn show_origin(&self, hiera: &Hiera, session: &Session, query: &Query) -> Result<Outcome> {
        let (key, traced) = session.trace_first(query)?;
        let used = session.used_options(key)?;
        let hide = |value: &Value| {
            if self.show_secrets { value.clone() } else { hiera.value_without_secrets(value) }
        };
        let options = used.as_ref();
        let (folder, is_coloured) = (&self.folder, self.is_coloured);
        let view = View { key, traced: &traced, options, hide: &hide, folder, is_coloured };
        let output = match self.render_as.as_deref().map(Format::parse).transpose()? {
            None | Some(Format::Text) => view.text(),
            Some(format) => format.render(&view.data())?,
        };
        Ok(Outcome { output, exit: 0, failure: None })
    }

    fn merge_value(&self) -> Result<Option<Value>> {
        let is_deep = self.merge.as_deref() == Some("deep");
        if (self.sort_merged_arrays || self.merge_hash_arrays || self.knockout_prefix.is_some()) && !is_deep {
            return Err(issues::only_with_deep());
        }
        let Some(name) = &self.merge else { return Ok(None) };
        if !PUBLIC_NAMES.contains(&name.as_str()) {
            return Err(issues::bad_merge_flag());
        }
        let mut merge: Hash = [("strategy", name.as_str())].into_iter().collect();
        if is_deep {
            merge.insert("sort_merged_arrays", self.sort_merged_arrays);
            merge.insert("merge_hash_arrays", self.merge_hash_arrays);
            if let Some(prefix) = &self.knockout_prefix {
                merge.insert("knockout_prefix", prefix.as_str());
            }
        }
        Ok(Some(Value::hash(merge)))
    }
}

/// An error must not say what was decrypted.
fn hidden(hiera: &Hiera, failure: Error) -> Error {
    let message = hiera.without_secrets(&failure.message);
    if message == failure.message { failure } else { Error::new(failure.code, message) }
}
