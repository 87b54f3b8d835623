//! `GET /environments`: the environments with their hierarchies, as these are declared.

use hierarch_hiera::Hierarchy;
use hierarch_site::Environment;

use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::json;
use crate::problem::{Problem, relative};
use crate::question::Question;
use crate::route::{AT, Method, Outcome, Route};
use crate::state::environments;

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/environments",
    summary: "The environments, and the levels of their hierarchies",
    role: Role::Read,
    parameters: &[AT],
    body: None,
    media: JSON,
    schema: r#"{"type":"array","items":{"type":"object","required":["name","path","hierarchies"],"properties":{"name":{"type":"string"},"path":{"type":"string"},"hierarchies":{"type":"array","items":{"type":"object","properties":{"layer":{"enum":["global","environment","module"]},"name":{"type":["string","null"]},"file":{"type":["string","null"]},"levels":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"paths":{"type":"array","items":{"type":"string"}}}}}}}}}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let state = question.state()?;
    let site = state.site(&question.shared, false)?;
    let all = environments(&site);
    let shown = all.iter().map(|environment| shown(environment)).collect::<Result<Vec<_>, _>>()?;
    Ok(Answer::json(json::list(shown)))
}

fn shown(environment: &Environment) -> Result<String, Problem> {
    let folder = environment.folder().map(|folder| folder.display().to_string()).unwrap_or_default();
    let modules: Vec<String> = environment.modules().into_iter().map(|(name, _)| name).collect();
    let found = environment.hiera().hierarchies(&modules);
    let found = found.map_err(|error| Problem::from_error(&error).below(&folder))?;
    Ok(json::object([
        ("name", json::text(environment.name())),
        ("path", json::text(&folder)),
        ("hierarchies", json::list(found.iter().map(|one| hierarchy(one, &folder)))),
    ]))
}

fn hierarchy(hierarchy: &Hierarchy, folder: &str) -> String {
    let level = |(name, paths): &(String, Vec<String>)| {
        json::object([("name", json::text(name)), ("paths", json::texts(paths.iter().map(String::as_str)))])
    };
    json::object([
        ("layer", json::text(hierarchy.layer)),
        ("name", json::optional(hierarchy.module.as_deref())),
        ("file", json::optional(hierarchy.file.as_deref().map(|file| relative(file, folder)))),
        ("levels", json::list(hierarchy.levels.iter().map(level))),
    ])
}
