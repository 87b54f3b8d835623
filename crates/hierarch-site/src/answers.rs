//! Results that are given for calls: a file of them.

use std::path::Path;

use hierarch_eval::substitute::Answer;
use hierarch_hiera::facts;
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Files, Result};

use crate::issues;

/// Reads results of calls: a list of `{function, arguments?, result}` in YAML or JSON.
pub fn read_answers(files: &dyn Files, path: &Path) -> Result<Vec<Answer>> {
    let shown = path.display().to_string();
    let list = facts::read_list(files, &shown)?;
    let answers = list.iter().enumerate().map(|(index, item)| {
        item.as_hash().and_then(answer).ok_or_else(|| issues::bad_answer(&shown, index + 1))
    });
    answers.collect()
}

fn answer(item: &Hash) -> Option<Answer> {
    let is_known = |key: &Value| matches!(key.as_str(), Some("function" | "arguments" | "result"));
    if !item.keys().all(is_known) {
        return None;
    }
    let function = item.get_str("function")?.as_str()?;
    let function = function.strip_prefix("::").unwrap_or(function).to_owned();
    let arguments = match item.get_str("arguments") {
        None => None,
        Some(Value::Array(arguments)) => Some(arguments.to_vec()),
        Some(_) => return None,
    };
    Some(Answer { function, arguments, result: item.get_str("result")?.clone() })
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    fn read(text: &str) -> Result<Vec<Answer>> {
        read_answers(&MemoryFiles::from([("answers.yaml", text)]), Path::new("answers.yaml"))
    }

    #[test]
    fn an_answer_has_a_function_and_a_result() {
        let answers = read("- {function: f, arguments: [a, 1], result: x}\n- {function: g, result: }\n");
        let answers = answers.expect("answers");
        assert_eq!(answers[0].arguments.as_ref().map(Vec::len), Some(2));
        assert!(answers[1].arguments.is_none() && answers[1].result.is_undef());
    }

    #[test]
    fn a_malformed_entry_is_named_by_its_number() {
        let error = read("- {function: f, result: 1}\n- {function: f}\n").expect_err("no result");
        assert!(error.message.contains("entry 2"), "{}", error.message);
        // A misspelt word would make the entry fit every call.
        assert!(read("- {function: f, argument: [1], result: 1}\n").is_err());
    }
}
