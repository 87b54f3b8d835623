//! Filters for dates: `strftime` and `to_datetime`.

use super::super::call::{Function, function};
use super::super::dates::{DateTime, clock, written};
use super::super::issues;
use super::super::value::Val;
use crate::expr::python;

pub(super) static FILTERS: &[Function] = &[
    function("strftime", &["string_format", "second?", "utc?"], |renderer, given| {
        let format = given.text(renderer, 0)?;
        let second = match given.get(1) {
            None | Some(Val::None) => clock(renderer)?,
            Some(Val::Text(text)) => {
                python::float_of(&text.text).ok_or_else(|| issues::no_second(&text.text))?
            }
            Some(value) => {
                let shown = renderer.shown(value)?;
                super::super::operators::as_float(value).ok_or_else(|| issues::no_second(&shown))?
            }
        };
        let moment = DateTime::of_second(second).ok_or_else(|| issues::no_second(&second.to_string()))?;
        let text = written(&format, &moment)?;
        renderer.text(text)
    }),
    function("to_datetime", &["string", "format?"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        let format = given.text_or(renderer, 1, "%Y-%m-%d %H:%M:%S")?;
        Ok(DateTime::read(&text, &format)?.value())
    }),
];
