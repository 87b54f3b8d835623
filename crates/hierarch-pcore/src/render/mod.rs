//! Values as the command line prints them: JSON, YAML, and Ruby's own text.
//!
//! What JSON and YAML have no form for (types, regular expressions, times, …) is written as its text.

mod inspect;
mod json;
mod scalar;
mod yaml;

pub use self::json::JsonWriter;
use crate::Value;

impl Value {
    /// Returns the value as compact JSON, the way `--render-as json` prints it.
    ///
    /// ```
    /// use hierarch_pcore::Value;
    ///
    /// assert_eq!(Value::from(vec![Value::from("é\n"), Value::Undef]).to_json(), r#"["é\n",null]"#);
    /// ```
    pub fn to_json(&self) -> String {
        json::render(self)
    }

    /// Returns the value as JSON over several lines, two blanks per level.
    pub fn to_pretty_json(&self) -> String {
        json::render_pretty(self)
    }

    /// Returns the value as a YAML document, the way `--render-as yaml` prints it.
    ///
    /// ```
    /// use hierarch_pcore::Value;
    ///
    /// assert_eq!(Value::from("yes").to_yaml(), "--- 'yes'\n");
    /// ```
    pub fn to_yaml(&self) -> String {
        self.to_yaml_with(None, None)
    }

    /// Returns the value as a YAML document with another number of columns per level than two, and lines folded at
    /// another width than 80.
    pub fn to_yaml_with(&self, indentation: Option<usize>, width: Option<usize>) -> String {
        yaml::render(self, indentation, width)
    }

    /// Returns the text that `--render-as s` prints: a string bare, collections as Ruby shows them.
    pub fn to_plain(&self) -> String {
        inspect::plain(self)
    }
}
