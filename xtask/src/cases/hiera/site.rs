//! The site and the node that the entries of a Hiera case are about: files in memory, opened as the program opens them.

use std::collections::HashMap;
use std::sync::Arc;

use hierarch_eval::{Level, Log};
use hierarch_pcore::data::from_json;
use hierarch_site::{Limits, LookupFacts, Node, Permissions, Root, Settings, Site, Strict};
use hierarch_source::{Files, MemoryFiles, Result};
use serde_json::Value as Json;

use super::rooted::RootedFiles;
use crate::cases::Case;

const ENVIRONMENTS: &str = "/root/code/environments";
pub(super) const ENV: &str = "/root/code/environments/production";
const GLOBAL: &str = "/root/global";
const FACTS: &str = "/root/facts.json";

/// What the runner gives a case, less a reserve.
const STACK: usize = 5 << 20;

/// Opens the site that a case describes. What is decrypted may be shown: the recorder shows it.
pub(crate) fn site_of(case: &Case) -> Site {
    Site::on(placed_files(case))
        .with_root(Root::Environments(ENVIRONMENTS.to_owned()))
        .with_settings(settings_of(case))
        .with_limits(Limits::default().with_stack_of(STACK))
        .with_permissions(Permissions { may_show_secrets: true, ..Permissions::default() })
        .with_nodes(LookupFacts(FACTS.into()))
        .build()
}

/// Finds the node of a case.
pub(super) fn node_of(case: &Case, site: &Site) -> Result<Node> {
    let name = case.setting.get("node").and_then(Json::as_str).unwrap_or("test.example.com");
    let mut node = site.node(name)?;
    for (name, value) in case.setting.get("top_scope").and_then(Json::as_object).into_iter().flatten() {
        node.set_variable(name, from_json(value));
    }
    Ok(node)
}

/// Returns the warnings that programs and lookups gave.
pub(super) fn warnings_of(logs: &[Log], site: &Site) -> Vec<Json> {
    let logs = logs.iter().filter(|log| log.level == Level::Warning).map(|log| log.message.clone());
    let environment = site.environment();
    logs.chain(environment.hiera().log().take()).map(|warning| tidied(&warning).into()).collect()
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
        strict_variables: setting("strict_variables").is_none_or(|text| text == "true"),
        strict: setting("strict").and_then(|text| Strict::parse(&text)).unwrap_or_default(),
        codedir: "/root/code".to_owned(),
        basemodulepath: vec!["/root/code/modules".to_owned()],
        hiera_config: format!("{GLOBAL}/hiera.yaml"),
        variables: variables_of(case),
        server_facts: Settings::server_facts("server.example.com", "192.0.2.1"),
        ..Settings::default()
    }
}

/// Returns the files of a case: in memory, unless some are links.
fn placed_files(case: &Case) -> Arc<dyn Files> {
    let files = files_of(case);
    let links = case.setting.get("links").and_then(Json::as_object).into_iter().flatten();
    let target = |target: &Json| target.as_str().unwrap_or_default().to_owned();
    let links: Vec<_> = links.map(|(path, to)| (format!("{ENV}/{path}"), target(to))).collect();
    if links.is_empty() {
        return Arc::new(files);
    }
    // Without a disk to write to, the case fails for want of its files.
    RootedFiles::new(&files, &links)
        .map_or_else(|_| Arc::new(MemoryFiles::default()) as _, |files| Arc::new(files) as _)
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
