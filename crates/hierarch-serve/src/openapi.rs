//! The OpenAPI document, made of the table of routes.

use serde_json::{Map, Value, json};

use crate::answer::{JSON_LINES, TEXT};
use crate::events::EVENTS;
use crate::route::{Kind, Parameter, Route};
use crate::routes::ROUTES;

/// What the server answers besides the API.
const PLAIN: &[(&str, &str, &str)] = &[
    ("/healthz", "Whether the process lives", TEXT),
    ("/readyz", "Whether questions can be answered; 503 says why not", TEXT),
    ("/metrics", "Figures in Prometheus' text form", TEXT),
    ("/status/v1/simple", "`running`, as load balancers of Puppet sites ask", TEXT),
    ("/openapi.json", "This document", "application/json"),
    (
        EVENTS,
        "Server-sent events: `changed` with the number of the new state and the files that differ",
        "text/event-stream",
    ),
];

/// Returns the OpenAPI document of the server.
pub fn openapi() -> String {
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let entry = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Value::Object(methods) = entry {
            methods.insert(route.method.word().to_lowercase(), operation(route));
        }
    }
    for (path, summary, media) in PLAIN {
        let answer = json!({"200": {"description": summary, "content": {*media: {}}}});
        paths.insert((*path).to_owned(), json!({"get": {"summary": summary, "responses": answer}}));
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Hierarch",
            "version": "1",
            "description": "Layered configuration over HTTP. Answers equal those of the commands; unknown parameters are errors; fields are added, never renamed or removed.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Problem": problem()},
        },
    });
    format!("{document:#}\n")
}

fn operation(route: &Route) -> Value {
    let parameters: Vec<Value> = route
        .parameters
        .iter()
        .map(|one| parameter(one, route.path.contains(&format!("{{{}}}", one.name))))
        .collect();
    let schema: Value = serde_json::from_str(route.schema).unwrap_or_default();
    let schema = if route.media == JSON_LINES { json!({"x-each-line": schema}) } else { schema };
    let mut operation = json!({
        "summary": route.summary,
        "parameters": parameters,
        "responses": {
            "200": {
                "description": "the answer",
                "headers": {
                    "Hierarch-Generation": {"schema": {"type": "integer"}, "description": "the number of the state that was asked"},
                    "ETag": {"schema": {"type": "string"}},
                },
                "content": {route.media: {"schema": schema}},
            },
            "default": {
                "description": "why there is no answer",
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            },
        },
    });
    if let (Some(body), Value::Object(fields)) = (&route.body, &mut operation) {
        let schema: Value = serde_json::from_str(body.schema).unwrap_or_default();
        let example: Value = serde_json::from_str(body.example).unwrap_or_default();
        let content = json!({"application/json": {"schema": schema, "example": example}});
        fields.insert("requestBody".to_owned(), json!({"required": true, "content": content}));
    }
    operation
}

fn parameter(parameter: &Parameter, is_in_path: bool) -> Value {
    let schema = match parameter.kind {
        Kind::Text => json!({"type": "string"}),
        Kind::Number => json!({"type": "integer", "minimum": 0}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::OneOf(words) => json!({"enum": words}),
    };
    let mut shown = json!({
        "name": parameter.name,
        "in": if is_in_path { "path" } else { "query" },
        "required": is_in_path || parameter.is_required,
        "description": parameter.about,
        "schema": schema,
    });
    if let (Some(example), Value::Object(fields)) = (parameter.example, &mut shown) {
        fields.insert("example".to_owned(), json!(example));
    }
    shown
}

fn problem() -> Value {
    let text = || json!({"type": "string"});
    let number = || json!({"type": "integer"});
    json!({
        "type": "object",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": text(),
            "title": text(),
            "status": number(),
            "detail": text(),
            "code": text(),
            "file": text(),
            "line": number(),
            "column": number(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_json_and_every_route_is_there() {
        let document: Value = serde_json::from_str(&openapi()).expect("JSON");
        for route in ROUTES {
            for schema in
                [Some(route.schema), route.body.as_ref().map(|body| body.schema)].into_iter().flatten()
            {
                serde_json::from_str::<Value>(schema).expect(route.path);
            }
            let method = route.method.word().to_lowercase();
            assert_eq!(document["paths"][route.path][method]["summary"], route.summary);
        }
    }

    #[test]
    fn parameters_of_paths_are_declared() {
        for route in ROUTES {
            for name in route.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
                assert!(
                    route.parameters.iter().any(|one| one.name == name && one.is_required),
                    "{}",
                    route.path
                );
            }
        }
    }
}
