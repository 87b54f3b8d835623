//! What may be shown of a value beside another one that is secret: the commit that hides a password must not be the one that shows it.

use hierarch_eval::has_secret;
use hierarch_hiera::eyaml::HIDDEN;
use hierarch_pcore::Value;

use crate::impact::ComparedAnswer;

/// Returns what may be shown of an answer, all of it hidden that is secret in another one.
pub(crate) fn shown_beside(answer: &ComparedAnswer, other: &ComparedAnswer) -> Option<Value> {
    match (answer.shown()?, other) {
        (shown, ComparedAnswer::Value(value, open)) => Some(beside(shown, value, open)),
        (shown, _) => Some(shown.clone()),
    }
}

/// Hides in a value what is secret at the same place of another one, of which `open` may be shown.
fn beside(shown: &Value, value: &Value, open: &Value) -> Value {
    if !has_secret(value, open) {
        return shown.clone();
    }
    match (shown, value, open) {
        (Value::Hash(own), Value::Hash(others), Value::Hash(open)) if others.len() == open.len() => {
            let entry = |(key, shown): (&Value, &Value)| {
                let hidden = match (others.get(key), open.get(key)) {
                    (Some(value), Some(open)) => beside(shown, value, open),
                    _ => shown.clone(),
                };
                (key.clone(), hidden)
            };
            Value::hash(own.iter().map(entry).collect())
        }
        (Value::Array(own), Value::Array(others), Value::Array(open))
            if own.len() == others.len() && others.len() == open.len() =>
        {
            let others = others.iter().zip(open.iter());
            Value::array(
                own.iter().zip(others).map(|(own, (value, open))| beside(own, value, open)).collect(),
            )
        }
        _ => Value::from(HIDDEN),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn what_is_secret_on_one_side_is_hidden_on_the_other() {
        let hash = |name: &str, word: Value| {
            Value::hash([("name", Value::from(name)), ("word", word)].into_iter().collect())
        };
        let (old, new) = (hash("a", Value::from("plain")), hash("b", Value::from("s3cret")));
        let open = hash("b", Value::from(HIDDEN));
        assert_eq!(beside(&old, &new, &open), hash("a", Value::from(HIDDEN)));
        let sensitive = Value::Sensitive(Arc::new(Value::from("plain")));
        assert_eq!(beside(&Value::from("plain"), &sensitive, &sensitive), Value::from(HIDDEN));
        assert_eq!(beside(&old, &old, &old), old);
        let list = |items: &[&str]| Value::array(items.iter().copied().map(Value::from).collect());
        assert_eq!(
            beside(&list(&["x", "y"]), &list(&["x", "s"]), &list(&["x", HIDDEN])),
            list(&["x", HIDDEN])
        );
        assert_eq!(beside(&list(&["x"]), &list(&["x", "s"]), &list(&["x", HIDDEN])), Value::from(HIDDEN));
    }
}
