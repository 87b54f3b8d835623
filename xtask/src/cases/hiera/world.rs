//! What the entries of a Hiera case share: files in memory, an environment, a node.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use hierarch_eval::hiera::NodeHost;
use hierarch_eval::{Environment as Language, Evaluator, Level, Limits, Log};
use hierarch_hiera::node::Node;
use hierarch_hiera::{Environment, Hiera, Scope, Settings, Strict, facts};
use hierarch_source::{Error, Files, MemoryFiles, Source};
use serde_json::Value as Json;

use crate::cases::Case;
use crate::cases::values::value_of;

pub(super) const ENV: &str = "/root/code/environments/production";
const GLOBAL: &str = "/root/global";
const FACTS: &str = "/root/facts.json";

/// Half of what the runner gives a case.
const STACK: usize = 4 << 20;

/// The surroundings of an entry.
pub(crate) struct World<'c> {
    case: &'c Case,
    language: Language,
}

impl<'c> World<'c> {
    /// Builds what a case describes.
    pub(crate) fn of(case: &'c Case) -> Self {
        let files: Arc<dyn Files> = Arc::new(files_of(case));
        let environment = Environment::load(&files, "production", ENV, &["/root/code/modules".to_owned()]);
        let modulepath = environment.modulepath.iter().map(PathBuf::from).collect();
        let config = format!("{GLOBAL}/hiera.yaml");
        let hiera = Hiera::new(Arc::clone(&files), settings_of(case), environment, config);
        let language = hierarch_functions::environment().with_files(files).with_modulepath(modulepath);
        Self { case, language: language.with_hiera(Arc::new(hiera)) }
    }

    pub(super) fn hiera(&self) -> &Hiera {
        self.language.hiera()
    }

    /// Returns the variables of the node.
    pub(super) fn scope(&self) -> Result<Scope, Error> {
        scope_of(self.case, self.hiera())
    }

    /// Returns what the lookups of a node ask.
    pub(super) fn host<'h>(&'h self, scope: &'h Scope) -> NodeHost<'h> {
        NodeHost::new(&self.language, scope).with_limits(limits()).with_settings(self.settings())
    }

    fn settings(&self) -> hierarch_eval::Settings {
        let strict = match self.hiera().settings().strict {
            Strict::Off => hierarch_eval::Strict::Off,
            Strict::Warning => hierarch_eval::Strict::Warning,
            Strict::Error => hierarch_eval::Strict::Error,
        };
        let node = node_of(self.case).to_owned();
        hierarch_eval::Settings { strict, node, ..hierarch_eval::Settings::default() }
    }

    /// Starts an evaluation in which the variables of the node are set.
    pub(super) fn evaluator(&self, scope: &Scope) -> Evaluator<'_> {
        let mut evaluator =
            Evaluator::new(&self.language).with_limits(limits()).with_settings(self.settings());
        for (name, value) in scope.variables() {
            evaluator.set_variable(name.as_str().unwrap_or_default(), value.clone());
        }
        evaluator
    }

    /// Returns the manifests of the environment.
    pub(super) fn manifests(&self) -> Vec<Arc<Source>> {
        let files = self.hiera().files();
        let folder = PathBuf::from(ENV).join("manifests");
        let names = files.list(&folder).unwrap_or_default();
        let read = |name: &String| {
            let path = folder.join(name);
            Some(Source::new(path.display().to_string(), String::from_utf8(files.read(&path).ok()?).ok()?))
        };
        names.iter().filter(|name| name.ends_with(".pp")).filter_map(read).collect()
    }
}

/// Returns the warnings that an evaluation and its lookups gave.
pub(super) fn warnings_of(logs: &[Log], hiera: &Hiera) -> Vec<Json> {
    let logs = logs.iter().filter(|log| log.level == Level::Warning).map(|log| log.message.clone());
    logs.chain(hiera.log().take()).map(|warning| tidied(&warning).into()).collect()
}

fn limits() -> Limits {
    Limits { stack: STACK, ..Limits::default() }
}

/// Puts the recorder's names for folders in place of ours.
pub(super) fn tidied(text: &str) -> String {
    text.replace(ENV, "<ENV>").replace(GLOBAL, "<GLOBAL>").replace("/root", "<ROOT>")
}

fn settings_of(case: &Case) -> Settings {
    let setting = |name: &str| {
        let value = case.setting.get("settings").and_then(|settings| settings.get(name));
        value.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    };
    Settings {
        strict: setting("strict").and_then(|text| Strict::parse(&text)).unwrap_or_default(),
        codedir: "/root/code".to_owned(),
        variables: variables_of(case),
        ..Settings::default()
    }
}

fn files_of(case: &Case) -> MemoryFiles {
    let mut files = MemoryFiles::default();
    let place = |text: &str| text.replace("<ENV>", ENV).replace("<GLOBAL>", GLOBAL);
    for (path, content) in case.setting.get("files").and_then(Json::as_object).into_iter().flatten() {
        let path = match path.strip_prefix("global/") {
            Some(rest) => format!("{GLOBAL}/{rest}"),
            None => format!("{ENV}/{path}"),
        };
        match content {
            Json::String(text) => files.insert(path, place(text)),
            other => files.insert(path, bytes_of(other)),
        }
    }
    let default = serde_json::json!({"kernel": "Linux"});
    files.insert(FACTS, case.setting.get("facts").unwrap_or(&default).to_string());
    if let Some(text) = case.setting.get("global_hiera").and_then(Json::as_str) {
        files.insert(format!("{GLOBAL}/hiera.yaml"), place(text));
    }
    files
}

fn variables_of(case: &Case) -> HashMap<String, String> {
    let variables = case.setting.get("env").and_then(Json::as_object).into_iter().flatten();
    let text = |value: &Json| match value {
        Json::String(text) => text.clone(),
        other => String::from_utf8_lossy(&bytes_of(other)).into_owned(),
    };
    variables.map(|(name, value)| (name.clone(), text(value))).collect()
}

fn bytes_of(content: &Json) -> Vec<u8> {
    let text = content.get("base64").and_then(Json::as_str).unwrap_or_default();
    hierarch_pcore::value::Binary::from_base64_lenient(text).bytes().to_vec()
}

fn node_of(case: &Case) -> &str {
    case.setting.get("node").and_then(Json::as_str).unwrap_or("test.example.com")
}

fn scope_of(case: &Case, hiera: &Hiera) -> Result<Scope, Error> {
    let facts = facts::read(hiera.files(), FACTS)?;
    let name = node_of(case);
    facts::check_known(&facts, name)?;
    let server_facts =
        [("serverversion", "8.10.0"), ("servername", "server.example.com"), ("serverip", "192.0.2.1")];
    let node = Node {
        name: name.to_owned(),
        facts,
        environment: "production".to_owned(),
        server_facts: server_facts.into_iter().collect(),
        trusted: None,
    };
    let mut scope = node.scope(hiera.log());
    scope.learn_classes(hiera);
    for (name, value) in case.setting.get("top_scope").and_then(Json::as_object).into_iter().flatten() {
        scope.set(name, value_of(value));
    }
    Ok(scope)
}
