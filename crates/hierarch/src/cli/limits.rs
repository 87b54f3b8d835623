//! How much work a question may be: the flags that errors about limits name.

use clap::Args;
use hierarch_eval::ProgramLimits;
use hierarch_hiera::{LARGEST_FILE, LookupLimits};
use hierarch_pcore::regex;
use hierarch_site::Limits;

/// How much a program may do.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct WorkLimits {
    /// How many calls and turns of loops a program may take [default: 200000000]
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
    /// How deep calls may nest [default: 10000]
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,
    /// How large a text or collection may get [default: 50000000]
    #[arg(long, value_name = "N")]
    pub(crate) max_size: Option<usize>,
}

/// How much data, and programs that make them, may use.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DataLimits {
    /// How many bytes a data file may have
    #[arg(long, value_name = "BYTES")]
    max_file_size: Option<u64>,
    /// How many tokens one lookup may fill in, and how many names its patterns may look at
    #[arg(long, value_name = "N")]
    max_lookup_steps: Option<u64>,
    /// How many bytes of text the tokens of one lookup may make
    #[arg(long, value_name = "BYTES")]
    max_lookup_size: Option<usize>,
    /// How many resources a catalog may have [default: 1000000]
    #[arg(long, value_name = "N")]
    max_resources: Option<usize>,
    /// How much memory a program may use, in MiB [default: 4096]
    #[arg(long, value_name = "MIB")]
    max_memory: Option<u64>,
    /// How many steps the match of a regular expression may take [default: 1000000]
    #[arg(long, value_name = "N")]
    max_regexp_steps: Option<usize>,
}

impl DataLimits {
    /// Returns the limits, the usual ones unless flags say otherwise. That of regular expressions is one of the whole process.
    pub(crate) fn with(&self, work: &WorkLimits) -> Limits {
        if let Some(steps) = self.max_regexp_steps {
            regex::set_step_limit(steps);
        }
        let (lookup, usual) = (LookupLimits::default(), ProgramLimits::default());
        Limits {
            largest_file: self.max_file_size.unwrap_or(LARGEST_FILE),
            lookup: LookupLimits {
                steps: self.max_lookup_steps.unwrap_or(lookup.steps),
                size: self.max_lookup_size.unwrap_or(lookup.size),
            },
            evaluation: ProgramLimits {
                steps: work.max_steps.unwrap_or(usual.steps),
                depth: work.max_depth.unwrap_or(usual.depth),
                size: work.max_size.unwrap_or(usual.size),
                resources: self.max_resources.unwrap_or(usual.resources),
                memory: self.max_memory.map_or(usual.memory, |mebibytes| mebibytes.saturating_mul(1 << 20)),
                ..usual
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;

    /// What the crates below can say about limits.
    const WORDS: [&str; 7] = [
        include_str!("../../../hierarch-eval/src/issues.rs"),
        include_str!("../../../hierarch-hiera/src/issues.rs"),
        include_str!("../../../hierarch-hiera/src/issues/backends.rs"),
        include_str!("../../../hierarch-hiera/src/issues/files.rs"),
        include_str!("../../../hierarch-pcore/src/issues.rs"),
        include_str!("../../../hierarch-regex/src/issues.rs"),
        include_str!("../../../hierarch-ruby/src/issues.rs"),
    ];

    fn limits_in(text: &str) -> impl Iterator<Item = &str> {
        text.match_indices("--max-").map(|(at, _)| {
            let name = &text[at + 2..];
            &name[..name.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(name.len())]
        })
    }

    /// Calls something for a command and all below it, with the words that call it.
    fn each_command(command: &clap::Command, path: &str, tell: &mut dyn FnMut(&str, &clap::Command)) {
        tell(path, command);
        for inner in command.get_subcommands() {
            each_command(inner, &format!("{path} {}", inner.get_name()), tell);
        }
    }

    #[test]
    fn the_help_tells_the_usual_limits() {
        #[derive(clap::Parser)]
        struct Asked {
            #[command(flatten)]
            _work: WorkLimits,
            #[command(flatten)]
            _data: DataLimits,
        }
        let (help, usual) = (Asked::command().render_long_help().to_string(), ProgramLimits::default());
        for (flag, limit) in [
            ("--max-steps", usual.steps),
            ("--max-depth", usual.depth.into()),
            ("--max-size", usual.size as u64),
            ("--max-resources", usual.resources as u64),
            ("--max-memory", usual.memory >> 20),
            ("--max-regexp-steps", regex::STEP_LIMIT as u64),
        ] {
            let words = help.split(flag).nth(1).and_then(|rest| rest.split("--").next()).unwrap_or_default();
            assert!(words.contains(&format!("[default: {limit}]")), "{flag}: {words}");
        }
    }

    #[test]
    fn every_command_that_asks_a_site_has_the_flags_that_errors_name() {
        let named: BTreeSet<&str> = WORDS.iter().flat_map(|text| limits_in(text)).collect();
        assert!(named.contains("max-steps") && named.contains("max-lookup-size"), "{named:?}");
        let mut seen = 0;
        each_command(&super::super::command(), "hierarch", &mut |path, command| {
            let flags: BTreeSet<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
            if ["environmentpath", "hiera"].iter().any(|flag| flags.contains(flag)) {
                let missing: Vec<_> = named.difference(&flags).collect();
                assert!(missing.is_empty(), "{path} lacks {missing:?}");
                seen += 1;
            }
        });
        assert!(seen > 15, "only {seen} commands ask a site");
    }
}
