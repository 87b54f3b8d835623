//! Which variables the lookup of a key reads, and what they are for a node: the reasons that answers can have.

use hierarch_pcore::Value;

use super::{About, Observation};
use crate::config::{Config, Level, Locations};
use crate::contents::variable_of;
use crate::data::Data;
use crate::lookup::Found;
use crate::query::Query;
use crate::session::Session;
use crate::template::{Template, TemplatePart, Variable};

impl Session<'_> {
    /// Returns the variable expressions that the lookup of a key reads for this node: those of the hierarchies it goes
    /// through, from high to low priority, then those of tokens in data. Each is named once, without leading colons.
    pub fn variables_read(&self, query: &Query) -> Vec<String> {
        self.begin_recording();
        let _ = self.find::<Value>(query, None).map(|found: Found| found);
        let mut names = Vec::new();
        let questions = self.take_questions();
        for about in &questions {
            if let About::Files { layer, is_default, .. } = about
                && let Some(layer) = self.hiera().layers().at(*layer)
            {
                config_variables(&layer.config, *is_default, &mut names);
            }
        }
        for about in &questions {
            if let About::Variable(variable) = about {
                push(variable, &mut names);
            }
        }
        names
    }

    /// Returns the value of a variable expression such as `facts.os.family`; none if there is no such variable.
    pub fn variable_value(&self, expression: &str) -> Option<Value> {
        let template = Template::new(&format!("%{{{expression}}}"));
        let variable = template.parts.iter().find_map(variable_of)?;
        let about = About::Variable(std::sync::Arc::new(variable.clone()));
        match self.observing(|walk| walk.observe(&about)) {
            Some(Observation::Value(value)) => Some(value),
            _ => None,
        }
    }
}

fn config_variables(config: &Config, is_default: bool, names: &mut Vec<String>) {
    let defaults = config.default_hierarchy.as_deref().unwrap_or_default();
    let levels = if is_default { defaults } else { &config.hierarchy };
    levels.iter().for_each(|level| level_variables(level, names));
}

pub(crate) fn level_variables(level: &Level, names: &mut Vec<String>) {
    data_variables(&level.datadir, names);
    match &level.locations {
        None => {}
        Some(Locations::Paths(list) | Locations::Globs(list) | Locations::Uris(list)) => {
            list.iter().for_each(|data| data_variables(data, names));
        }
        Some(Locations::Mapped { variable, name, template }) => {
            push(variable, names);
            let mut inside = Vec::new();
            data_variables(template, &mut inside);
            // The name of a mapped value is known in the path only.
            inside.retain(|other| other != name.as_str() && !names.contains(other));
            names.extend(inside);
        }
    }
    data_variables(&level.options, names);
}

fn data_variables(data: &Data, names: &mut Vec<String>) {
    match data {
        Data::Plain(_) => {}
        Data::Text(template) => part_variables(&template.parts, names),
        Data::List(items) => items.iter().for_each(|item| data_variables(item, names)),
        Data::Map(entries) => entries.iter().for_each(|(key, value)| {
            data_variables(key, names);
            data_variables(value, names);
        }),
    }
}

fn part_variables(parts: &[TemplatePart], names: &mut Vec<String>) {
    parts.iter().filter_map(variable_of).for_each(|variable| push(variable, names));
}

fn push(variable: &Variable, names: &mut Vec<String>) {
    let name = variable.text.trim_start_matches("::").to_owned();
    if !names.contains(&name) {
        names.push(name);
    }
}

#[cfg(test)]
mod tests {
    use hierarch_pcore::{Hash, Value};
    use hierarch_source::MemoryFiles;

    use crate::{Hiera, Query, Scope};

    #[test]
    fn a_lookup_reads_the_variables_of_its_paths_and_of_its_tokens() {
        let files = MemoryFiles::from([
            (
                "e/hiera.yaml",
                "version: 5\nhierarchy: [{name: N, paths: ['%{trusted.certname}.yaml', '%{::role}.yaml']}, \
                 {name: M, mapped_paths: [facts.roles, tmp, 'r/%{tmp}/%{site}.yaml']}, {name: C, path: common.yaml}]",
            ),
            ("e/data/common.yaml", "k: \"%{facts.os.name} %{lookup('other')}\"\nother: \"%{zone}\"\n"),
        ]);
        let hiera = Hiera::open(files, "e/hiera.yaml");
        let mut scope = Scope::new();
        scope.set("role", "web");
        scope.set("zone", "z");
        let os = [("os", Value::hash([("name", "Debian")].into_iter().collect()))];
        scope.set("facts", os.into_iter().collect::<Hash>());
        let session = hiera.session(&scope);
        let names = session.variables_read(&Query::new(["k"]));
        let wanted = ["trusted.certname", "role", "facts.roles", "site", "facts.os.name", "zone"];
        assert_eq!(names, wanted);
        assert_eq!(session.variable_value("facts.os.name"), Some("Debian".into()));
        assert_eq!(session.variable_value("role"), Some("web".into()));
        assert_eq!(session.variable_value("nothing"), None);
    }
}
