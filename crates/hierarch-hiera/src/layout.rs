//! Hierarchies as they are written: which files each level can name, whatever the node.

use hierarch_pcore::Value;
use hierarch_source::{Error, star};

use crate::backend;
use crate::config::{Config, Level, Locations};
use crate::contents::{Content, entries_of};
use crate::data::Data;
use crate::hiera::Hiera;
use crate::layers::ModuleLayer;
use crate::lookup::around;
use crate::path;
use crate::template::TemplatePart;

/// One level of a hierarchy, for all nodes.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The hiera.yaml; none where a layer has none.
    pub config: Option<String>,
    /// The module, for a level of a module's data.
    pub module: Option<String>,
    /// The name of the level.
    pub level: String,
    /// The function that reads its data.
    pub function: String,
    /// The function is a built-in one that reads files.
    pub reads_files: bool,
    /// The folder that its files are in, up to the first token.
    pub folder: Option<String>,
    /// The variables that its locations read.
    pub variables: Vec<String>,
    shapes: Vec<String>,
}

/// Stands for any text: a token, or a pattern of a glob.
const ANYTHING: char = '\u{0}';

impl Layout {
    fn new(hiera: &Hiera, config: &Config, module: Option<&str>, level: &Level) -> Self {
        let datadir = shape(&level.datadir);
        let joined = |data: &Data, end: Option<&String>| {
            let mut shape = shape(data);
            if let Some(end) = end.filter(|end| !shape.ends_with(end.as_str())) {
                shape.push_str(end);
            }
            path::join(&datadir, &shape)
        };
        let shapes = match &level.locations {
            None | Some(Locations::Uris(_)) => Vec::new(),
            Some(Locations::Paths(paths)) => {
                paths.iter().map(|data| joined(data, level.extension.as_ref())).collect()
            }
            Some(Locations::Globs(globs)) => globs.iter().map(|data| loosened(&joined(data, None))).collect(),
            Some(Locations::Mapped { template, .. }) => vec![joined(template, None)],
        };
        let reads_files = hiera.backend(&level.function).is_some();
        let mut variables = Vec::new();
        crate::survey::level_variables(level, &mut variables);
        Self {
            config: config.path.clone(),
            module: module.map(str::to_owned),
            level: level.name.to_string(),
            function: level.function.to_string(),
            reads_files,
            folder: (reads_files && !shapes.is_empty()).then(|| fixed_folder(&datadir)),
            variables,
            shapes,
        }
    }

    /// Tells whether some node could make this level name a file.
    pub fn can_name(&self, file: &str) -> bool {
        self.shapes.iter().any(|shape| star::matches_with(ANYTHING, shape, file))
    }
}

/// Returns a text with its tokens replaced by what stands for any text.
fn shape(data: &Data) -> String {
    match data {
        Data::Plain(value) => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
        Data::Text(template) => template
            .parts
            .iter()
            .map(|part| match part {
                TemplatePart::Text(text) => text.to_string(),
                _ => ANYTHING.to_string(),
            })
            .collect(),
        Data::List(_) | Data::Map(_) => ANYTHING.to_string(),
    }
}

/// Makes what a glob may match as wide as it can be.
fn loosened(glob: &str) -> String {
    let at = glob.find(['*', '?', '[', '{', '\\']).unwrap_or(glob.len());
    let end = glob.rfind(['*', '?', ']', '}', '\\']).map_or(glob.len(), |at| at + 1);
    if at == glob.len() {
        return glob.to_owned();
    }
    // `**/` may stand for nothing, its slash included.
    let start = glob[..at].to_owned();
    format!("{start}{ANYTHING}{}", glob.get(end..).unwrap_or_default().trim_start_matches('/'))
}

fn fixed_folder(datadir: &str) -> String {
    match datadir.split_once(ANYTHING) {
        None => datadir.to_owned(),
        Some((fixed, _)) => fixed.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
    }
}

impl Hiera {
    /// Lists the levels of all layers: those of the global layer first, then the environment's, then those of modules.
    /// Also returns why a layer cannot be read.
    pub fn layouts(&self, modules: &[String]) -> (Vec<Layout>, Vec<Error>) {
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        match self.layers().global(self.around()) {
            Ok(layer) => self.add_layouts(&layer.config, None, &mut found),
            Err(error) => errors.push(error),
        }
        match self.layers().environment(self.around()) {
            Ok(Some(layer)) => self.add_layouts(&layer.config, None, &mut found),
            Ok(None) => {}
            Err(error) => errors.push(error),
        }
        for module in modules {
            match self.layers().module(self.around(), module).map(ModuleLayer::found) {
                Ok(Some(layer)) => self.add_layouts(&layer.config, Some(module), &mut found),
                Ok(None) => {}
                Err(error) => errors.push(error),
            }
        }
        (found, errors)
    }

    fn add_layouts(&self, config: &Config, module: Option<&str>, found: &mut Vec<Layout>) {
        let levels = config.hierarchy.iter().chain(config.default_hierarchy.iter().flatten());
        found.extend(levels.map(|level| Layout::new(self, config, module, level)));
    }

    /// Reads a data file as a built-in function does, for nobody in particular; tokens are not filled in.
    pub fn content_of(&self, function: &str, file: &str) -> Option<Content> {
        let backend = self.backend(function)?;
        let document = backend::read(backend, file, &around(self));
        let entries = document.and_then(|document| entries_of(&document));
        Some(Content {
            file: file.to_owned(),
            backend: backend.name(),
            entries,
            files: vec![file.to_owned()],
        })
    }
}

/// Tells whether a text is encrypted, in whole or in part.
pub fn is_encrypted(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("ENC[PKCS7,") || text.contains("ENC[GPG,"),
        Value::Array(items) => items.iter().any(is_encrypted),
        Value::Hash(hash) => hash.values().any(is_encrypted),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    #[test]
    fn a_level_can_name_what_some_node_makes_of_its_tokens() {
        let files = MemoryFiles::from([(
            "/r/hiera.yaml",
            "version: 5\nhierarchy: [{name: N, paths: ['nodes/%{trusted.certname}.yaml', 'os/%{a}/%{b}.yaml']}, \
             {name: G, glob: 'g/**/*.yaml'}, {name: D, datadir: 'd/%{site}', path: c.yaml}, {name: M, mapped_paths: [r, t, 'r/%{t}.yaml']}]",
        )]);
        let hiera = Hiera::open(files, "/r/hiera.yaml");
        let (layouts, errors) = hiera.layouts(&[]);
        assert!(errors.is_empty(), "{errors:?}");
        let names = |path: &str| -> String {
            layouts
                .iter()
                .filter(|layout| layout.can_name(path))
                .map(|layout| layout.level.as_str())
                .collect()
        };
        for (path, levels) in [
            ("/r/data/nodes/a.yaml", "N"),
            ("/r/data/nodes/a.yml", ""),
            ("/r/data/os/x/y.yaml", "N"),
            ("/r/data/os/y.yaml", ""),
            ("/r/data/g/y.yaml", "G"),
            ("/r/data/g/x/z/y.yaml", "G"),
            ("/r/data/g/y.json", ""),
            ("/r/d/north/c.yaml", "D"),
            ("/r/d/c.yaml", ""),
            ("/r/data/r/any.yaml", "M"),
            ("/r/data/README.md", ""),
        ] {
            assert_eq!(names(path), levels, "{path}");
        }
        let folders: Vec<&str> = layouts.iter().filter_map(|layout| layout.folder.as_deref()).collect();
        assert!(folders.contains(&"/r/data") && folders.contains(&"/r/d"), "{folders:?}");
    }
}
