//! Resource types and settings of Puppet, explained.

use std::fmt::Write as _;

use hierarch_eval::resource_types::{METAPARAMETERS, ResourceType, ResourceTypes};
use hierarch_eval::usual_puppet_setting;

use super::list;

/// Explains a resource type: what its title is, and which attributes it has.
pub(super) fn resource_type(types: &dyn ResourceTypes, name: &str) -> Option<String> {
    let name = name.strip_prefix("::").unwrap_or(name).to_lowercase();
    let found = types.find(&name)?;
    let mut text =
        format!("{name}, a resource type{}\n\n", if found.is_of_module { " of a module" } else { "" });
    let _ = writeln!(
        text,
        "  {name} {{ '{}': … }}",
        found.namevars.iter().map(|n| n.as_str()).collect::<Vec<_>>().join(" and ")
    );
    list(&mut text, "Attributes", &attributes(&found));
    if found.is_open {
        text.push_str("\nIts file in Ruby may declare more than can be read without running it.\n");
    }
    list(&mut text, "Attributes of all resources", &METAPARAMETERS);
    Some(text)
}

fn attributes(found: &ResourceType) -> Vec<&str> {
    let mut attributes: Vec<&str> = found.parameters.iter().map(|name| name.as_str()).collect();
    attributes.sort_unstable();
    attributes
}

/// The settings of Puppet that change what Hierarch does, and how.
const HEEDED: &[(&str, &str)] = &[
    ("basemodulepath", "Folders with modules of all environments. From puppet.conf or --basemodulepath."),
    ("codedir", "The folder that holds `environments` and `modules`. From puppet.conf or --codedir."),
    ("color", "Whether messages are coloured: `--color false`. Without it, on terminals."),
    ("confdir", "The folder of puppet.conf. From --confdir."),
    ("config", "The file of settings, puppet.conf. From --config."),
    ("environment", "The environment that is asked. From puppet.conf or --environment."),
    ("environmentpath", "The folder that environments are in. From puppet.conf or --environmentpath."),
    ("hiera_config", "The hiera.yaml of the global layer. From puppet.conf or --hiera_config."),
    ("log_level", "The least level of messages that are shown. From --log_level, --debug, --verbose."),
    (
        "manifest",
        "The main manifest. From environment.conf; `catalog compile` and `lookup --compile` have --manifest.",
    ),
    ("modulepath", "Folders with modules. From environment.conf or --modulepath."),
    (
        "strict",
        "What happens where the language would rather not guess: error, warning or off. From puppet.conf or --strict.",
    ),
    ("strict_variables", "Whether reading an unknown variable is an error. From --strict_variables."),
];

/// Explains a setting.
pub(super) fn setting(name: &str) -> Option<String> {
    let heeded = HEEDED.iter().find(|(known, _)| *known == name).map(|(_, what)| *what);
    let usual = usual_puppet_setting(name).filter(|_| !matches!(name, "name" | "title"));
    if heeded.is_none() && usual.is_none() {
        return None;
    }
    let mut text = format!("{name}, a setting of Puppet\n\n");
    let passed_over = "It changes nothing here; on a command line it is passed over with a note.";
    let _ = writeln!(text, "{}", heeded.unwrap_or(passed_over));
    if let Some(usual) = usual {
        let _ = write!(
            text,
            "\nIts usual value, which programs see as $settings::{name}:\n  {}\n",
            usual.program_text()
        );
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use hierarch_eval::resource_types::BuiltIn;

    use super::*;

    #[test]
    fn resource_types_list_their_attributes() {
        let text = resource_type(&BuiltIn, "Notify").expect("it comes with Puppet");
        assert!(text.contains("notify { 'name': … }") && text.contains("message name withpath"), "{text}");
        assert!(resource_type(&BuiltIn, "nope").is_none());
    }

    #[test]
    fn settings_say_what_they_do_here() {
        assert!(setting("strict").expect("a setting").contains("--strict"));
        assert!(setting("http_debug").expect("a setting").contains("passed over"));
        assert!(setting("nope").is_none() && setting("name").is_none());
    }
}
