//! `debug`, `info`, `notice` and so on: messages of a program, the arguments joined by blanks.

use crate::prelude::*;

macro_rules! logging {
    ($($function:ident, $static:ident, $level:ident, $name:literal;)*) => {$(
        #[doc = concat!("The function `", $name, "`.")]
        pub(super) static $static: Function = Function {
            name: $name,
            doc: concat!("Logs a message at level `", $name, "`: the arguments, joined by blanks."),
            dispatches: &[on(&["*Any values"], $function).returns("Undef")],
            examples: &[Gives(concat!($name, "('a', 1)"), "undef")],
        };

        fn $function(call: &mut Call) -> Result<Value> {
            let words: Vec<String> = call.arguments().iter().map(Value::to_string).collect();
            call.log(Level::$level, words.join(" "));
            Ok(Value::Undef)
        }
    )*};
}

logging! {
    debug, DEBUG, Debug, "debug";
    info, INFO, Info, "info";
    notice, NOTICE, Notice, "notice";
    warning, WARNING, Warning, "warning";
    err, ERR, Err, "err";
    alert, ALERT, Alert, "alert";
    emerg, EMERG, Emerg, "emerg";
    crit, CRIT, Crit, "crit";
}
