//! `Time`: the calendar and `strftime` are those of Puppet's timestamps.

use std::cell::Cell;

use hierarch_pcore::value::time::calendar::{Moment, days_of};
use hierarch_pcore::value::time::{NANOS, strftime};

use super::prelude::*;

/// A point in time: nanoseconds since 1970, and seconds east of UTC (none is UTC itself).
struct Point {
    nanos: Cell<i128>,
    offset: Cell<Option<i32>>,
}

impl Payload for Point {}

macro_rules! part {
    ($pick:expr) => {
        |_, me, _| Ok(Value::Int(i64::from($pick(&moment(me)))))
    };
}

static METHODS: &[Builtin] = &[
    m("initialize", 0, -1, initialize).private(),
    m("year", 0, 0, |_, me, _| Ok(Value::Int(moment(me).year)))
        .gives(&["Time.utc(2024, 2, 29).year => 2024"]),
    m("month", 0, 0, part!(|it: &Moment| it.month)).gives(&["Time.utc(2024, 2, 29).month => 2"]),
    m("mon", 0, 0, part!(|it: &Moment| it.month)),
    m("day", 0, 0, part!(|it: &Moment| it.day)).gives(&["Time.utc(2024, 2, 29).day => 29"]),
    m("mday", 0, 0, part!(|it: &Moment| it.day)),
    m("hour", 0, 0, part!(|it: &Moment| it.hour)).gives(&["Time.utc(2024, 2, 29, 5).hour => 5"]),
    m("min", 0, 0, part!(|it: &Moment| it.minute)),
    m("sec", 0, 0, part!(|it: &Moment| it.second)),
    m("wday", 0, 0, part!(Moment::weekday)).gives(&["Time.utc(2024, 2, 29).wday => 4"]),
    m("yday", 0, 0, part!(Moment::day_of_year)).gives(&["Time.utc(2024, 2, 29).yday => 60"]),
    m("nsec", 0, 0, |_, me, _| Ok(get(me).0.rem_euclid(NANOS).into())),
    m("usec", 0, 0, |_, me, _| Ok((get(me).0.rem_euclid(NANOS) / 1000).into())),
    m("to_i", 0, 0, |_, me, _| Ok(get(me).0.div_euclid(NANOS).into())).gives(&["Time.at(5).to_i => 5"]),
    m("tv_sec", 0, 0, |_, me, _| Ok(get(me).0.div_euclid(NANOS).into())),
    m("to_f", 0, 0, |_, me, _| Ok(Value::Float(get(me).0 as f64 / 1e9))).gives(&["Time.at(5).to_f => 5.0"]),
    m("to_r", 0, 0, |vm, me, _| vm.rational(get(me).0.into(), NANOS.into())),
    m("utc", 0, 0, to_utc).gives(&["Time.at(0).utc.to_s => \"1970-01-01 00:00:00 UTC\""]),
    m("gmtime", 0, 0, to_utc),
    m("getutc", 0, 0, |vm, me, _| Ok(make(vm, get(me).0, None))),
    m("getgm", 0, 0, |vm, me, _| Ok(make(vm, get(me).0, None))),
    m("localtime", 0, 1, localtime),
    m("getlocal", 0, 1, |vm, me, args| {
        let twin = make(vm, get(me).0, Some(0));
        localtime(vm, &twin, args)
    }),
    m("utc?", 0, 0, |_, me, _| Ok(Value::Bool(get(me).1.is_none()))).gives(&["Time.utc(2024).utc? => true"]),
    m("gmt?", 0, 0, |_, me, _| Ok(Value::Bool(get(me).1.is_none()))),
    m("utc_offset", 0, 0, |_, me, _| Ok(Value::Int(get(me).1.unwrap_or(0).into()))),
    m("gmt_offset", 0, 0, |_, me, _| Ok(Value::Int(get(me).1.unwrap_or(0).into()))),
    m("zone", 0, 0, |vm, me, _| Ok(if get(me).1.unwrap_or(0) == 0 { vm.str("UTC") } else { Value::Nil })),
    m("strftime", 1, 1, format).gives(&["Time.at(0).utc.strftime('%Y-%m-%d %H') => \"1970-01-01 00\""]),
    m("to_s", 0, 0, to_s),
    m("inspect", 0, 0, inspect),
    m("iso8601", 0, 1, iso8601)
        .gives(&["Time.utc(2024, 2, 29, 1, 2, 3).iso8601 => \"2024-02-29T01:02:03Z\""]),
    m("xmlschema", 0, 1, iso8601),
    m("rfc2822", 0, 0, |vm, me, _| {
        let (nanos, offset) = get(me);
        let zone = if offset.is_none() { "-0000" } else { "%z" };
        Ok(vm.str(strftime(nanos, offset, &format!("%a, %d %b %Y %H:%M:%S {zone}"))))
    }),
    m("httpdate", 0, 0, |vm, me, _| Ok(vm.str(strftime(get(me).0, None, "%a, %d %b %Y %H:%M:%S GMT")))),
    m("+", 1, 1, |vm, me, args| moved(vm, me, &args.at(0), 1)).gives(&["(Time.at(0).utc + 60).min => 1"]),
    m("-", 1, 1, minus).gives(&["Time.at(5) - Time.at(3) => 2.0"]),
    m("<=>", 1, 1, |_, me, args| {
        Ok(args
            .at(0)
            .payload::<Point>()
            .map_or(Value::Nil, |other| Value::Int(get(me).0.cmp(&other.nanos.get()) as i64)))
    })
    .gives(&["(Time.at(1) <=> Time.at(2)) => -1"]),
    m("==", 1, 1, |_, me, args| {
        Ok(Value::Bool(args.at(0).payload::<Point>().is_some_and(|other| get(me).0 == other.nanos.get())))
    }),
    m("eql?", 1, 1, |_, me, args| {
        Ok(Value::Bool(args.at(0).payload::<Point>().is_some_and(|other| get(me).0 == other.nanos.get())))
    }),
    m("hash", 0, 0, |_, me, _| Ok(Value::Int((get(me).0 as i64) >> 2))),
    m("round", 0, 1, |vm, me, _| {
        let (nanos, offset) = get(me);
        Ok(make(vm, (nanos + NANOS / 2).div_euclid(NANOS) * NANOS, offset))
    }),
    m("to_a", 0, 0, |vm, me, _| {
        let it = moment(me);
        let utc = vm.str("UTC");
        let list = [it.second, it.minute, it.hour, it.day, it.month]
            .iter()
            .map(|part| Value::Int((*part).into()))
            .chain([
                Value::Int(it.year),
                Value::Int(it.weekday().into()),
                Value::Int(it.day_of_year().into()),
                Value::Bool(false),
                utc,
            ])
            .collect();
        Ok(vm.array(list))
    }),
    m("monday?", 0, 0, |_, me, _| Ok(Value::Bool(moment(me).weekday() == 1))),
    m("saturday?", 0, 0, |_, me, _| Ok(Value::Bool(moment(me).weekday() == 6))),
    m("sunday?", 0, 0, |_, me, _| Ok(Value::Bool(moment(me).weekday() == 0))),
];

static SINGLETON: &[Builtin] = &[
    m("now", 0, 0, |vm, _, _| {
        let (seconds, nanos) = vm.host.now();
        Ok(make(vm, i128::from(seconds) * NANOS + i128::from(nanos), Some(0)))
    })
    .takes(&["in"]),
    m("at", 1, 3, at).gives(&["Time.at(1.5).to_f => 1.5"]),
    m("utc", 1, 7, |vm, _, args| of_parts(vm, &args.list, None))
        .gives(&["Time.utc(2024, 'feb', 1).month => 2"]),
    m("gm", 1, 7, |vm, _, args| of_parts(vm, &args.list, None)),
    m("local", 1, 7, |vm, _, args| of_parts(vm, &args.list, Some(0))),
    m("mktime", 1, 7, |vm, _, args| of_parts(vm, &args.list, Some(0))),
    m("parse", 1, 2, parse).gives(&["Time.parse('2024-05-06 07:08:09 UTC').to_i => 1714979289"]),
    m("iso8601", 1, 1, parse),
    m("strptime", 2, 2, strptime).gives(&["Time.strptime('2024-05', '%Y-%m').month => 5"]),
];

/// `Time`
pub(super) static TIME: ClassSpec = ClassSpec {
    includes: &["Comparable"],
    methods: &[METHODS],
    singleton: &[SINGLETON],
    ..ClassSpec::class("Time")
};

fn get(me: &Value) -> (i128, Option<i32>) {
    me.payload::<Point>().map_or((0, None), |it| (it.nanos.get(), it.offset.get()))
}

fn make(vm: &mut Vm<'_>, nanos: i128, offset: Option<i32>) -> Value {
    let class = vm.class("Time");
    let point = Point { nanos: Cell::new(nanos), offset: Cell::new(offset) };
    Value::Object(Rc::new(Object::with(class, point)))
}

fn moment(me: &Value) -> Moment {
    let (nanos, offset) = get(me);
    let seconds = i64::try_from(nanos.div_euclid(NANOS)).unwrap_or(0);
    Moment::from_seconds(seconds.saturating_add(offset.unwrap_or(0).into()))
}

fn initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let parts = args.positional();
    let (nanos, offset) = if parts.is_empty() {
        let (seconds, nanos) = vm.host.now();
        (i128::from(seconds) * NANOS + i128::from(nanos), Some(0))
    } else if let [Value::Str(text)] = parts {
        let made = read(vm, &text.lossy())?;
        get(&made)
    } else {
        let zone = args.keyword("in").or_else(|| parts.get(6).cloned());
        let offset = match zone {
            Some(zone) => offset_of(vm, &zone)?,
            None => Some(0),
        };
        let made = of_parts(vm, &parts[..parts.len().min(6)], offset)?;
        get(&made)
    };
    if let Some(object) = me.as_object() {
        object.set_payload(Point { nanos: Cell::new(nanos), offset: Cell::new(offset) });
    }
    Ok(Value::Nil)
}

/// Reads `+02:00`, `UTC`, `Z` or a number of seconds.
fn offset_of(vm: &mut Vm<'_>, zone: &Value) -> Res<Option<i32>> {
    if let Value::Int(seconds) = zone {
        return Ok(i32::try_from(*seconds).ok());
    }
    let text = vm.to_text(zone)?;
    match read_offset(&text) {
        Some(offset) => Ok(offset),
        None => Err(vm.raise(
            "ArgumentError",
            format!(
                "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: {text}"
            ),
        )),
    }
}

fn read_offset(text: &str) -> Option<Option<i32>> {
    if matches!(text, "UTC" | "Z" | "GMT") {
        return Some(None);
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+')?),
    };
    let digits = digits.replace(':', "");
    if !(digits.len() == 2 || digits.len() == 4) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let hours: i32 = digits.get(..2)?.parse().ok()?;
    let minutes: i32 =
        digits.get(2..).filter(|rest| !rest.is_empty()).map_or(Some(0), |rest| rest.parse().ok())?;
    Some(Some(sign * (hours * 3600 + minutes * 60)))
}

fn nanos_of(vm: &mut Vm<'_>, seconds: &Value) -> Res<i128> {
    match seconds {
        Value::Int(number) => Ok(i128::from(*number) * NANOS),
        Value::Float(number) if number.is_finite() => {
            let whole = number.floor();
            Ok(whole as i128 * NANOS + ((number - whole) * 1e9).round() as i128)
        }
        Value::Object(_) => Ok((vm.to_float(seconds)? * 1e9).round() as i128),
        Value::Float(_) => Err(vm.raise("FloatDomainError", "Infinity")),
        other => {
            let class = vm.kind_of(other);
            Err(vm.raise("TypeError", format!("can't convert {class} into an exact number")))
        }
    }
}

fn at(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let first = args.at(0);
    if first.payload::<Point>().is_some() {
        let (nanos, offset) = get(&first);
        return Ok(make(vm, nanos, offset));
    }
    let mut nanos = nanos_of(vm, &first)?;
    if let Some(more) = args.positional().get(1) {
        nanos += nanos_of(vm, more)? / 1_000_000;
    }
    let offset = match args.keyword("in") {
        Some(zone) => offset_of(vm, &zone)?,
        None => Some(0),
    };
    Ok(make(vm, nanos, offset))
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

fn of_parts(vm: &mut Vm<'_>, parts: &[Value], offset: Option<i32>) -> Res {
    let mut numbers = [0i64, 1, 1, 0, 0, 0];
    let mut fraction = 0i128;
    for (place, part) in parts.iter().enumerate().take(6) {
        numbers[place] = match part {
            Value::Nil => numbers[place],
            Value::Str(text) => {
                let text = text.lossy().to_ascii_lowercase();
                match MONTHS.iter().position(|month| place == 1 && *month == text) {
                    Some(month) => month as i64 + 1,
                    None => text.parse().unwrap_or(0),
                }
            }
            Value::Float(number) if place == 5 => {
                fraction = (number.fract() * 1e9).round() as i128;
                number.floor() as i64
            }
            other => vm.to_int(other)?,
        };
    }
    let [year, month, day, hour, minute, second] = numbers;
    let is_good = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (0..=24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..=60).contains(&second)
        && year.abs() < 1_000_000;
    if !is_good {
        let words = if (1..=12).contains(&month) { "argument out of range" } else { "mon out of range" };
        return Err(vm.raise("ArgumentError", words));
    }
    let days = days_of(year, month as u32, day as u32);
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - i64::from(offset.unwrap_or(0));
    Ok(make(vm, i128::from(seconds) * NANOS + fraction, offset))
}

/// Reads dates and times in their usual forms.
fn read(vm: &mut Vm<'_>, text: &str) -> Res {
    const FORM: &str = r"(?<y>\d{4})-(?<m>\d\d?)-(?<d>\d\d?)(?:[T ]+(?<h>\d\d?):(?<i>\d\d)(?::(?<s>\d\d(?:\.\d+)?))?)?\s*(?<z>Z|UTC|GMT|[+-]\d\d:?\d\d)?";
    const TIME_ONLY: &str = r"\A\s*(?<h>\d\d?):(?<i>\d\d)(?::(?<s>\d\d))?";
    const WORDS: &str = r"(?<d>\d\d?)[ -](?<mon>[A-Za-z]{3})[a-z]*[ -](?<y>\d{4})(?:[ T]+(?<h>\d\d?):(?<i>\d\d)(?::(?<s>\d\d))?)?\s*(?<z>Z|UTC|GMT|[+-]\d\d:?\d\d)?";
    let subject = Text::Utf8(text.into());
    for form in [FORM, WORDS, TIME_ONLY] {
        let Value::Regexp(regexp) = vm.regexp(form, 0)? else { continue };
        let Some(found) = super::regexp::find(vm, &regexp, &subject, 0)? else { continue };
        let named = |name: &str| {
            let place = found.regexp.names().iter().position(|known| known == name)?;
            found.range(place + 1).map(|(start, end)| found.chars[start..end].to_owned())
        };
        let offset = named("z").and_then(|zone| read_offset(&zone)).unwrap_or(Some(0));
        let month = named("m").or_else(|| named("mon").map(|name| name.to_ascii_lowercase()));
        let (now, _) = vm.host.now();
        let today = Moment::from_seconds(now);
        let parts = [
            named("y").unwrap_or_else(|| today.year.to_string()),
            month.unwrap_or_else(|| today.month.to_string()),
            named("d").unwrap_or_else(|| today.day.to_string()),
            named("h").unwrap_or_else(|| "0".to_owned()),
            named("i").unwrap_or_else(|| "0".to_owned()),
        ];
        let mut values: Vec<Value> = parts.into_iter().map(|part| vm.str(part)).collect();
        let second: f64 = named("s").and_then(|second| second.parse().ok()).unwrap_or(0.0);
        values.push(Value::Float(second));
        return of_parts(vm, &values, offset);
    }
    let shown = crate::run::inspect::quoted(&subject);
    Err(vm.raise("ArgumentError", format!("no time information in {shown}")))
}

fn parse(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let text = args.text(vm, 0)?;
    read(vm, &text)
}

fn strptime(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    use hierarch_pcore::value::time::{Formats, Timestamp};
    let (text, format) = (args.text(vm, 0)?, args.text(vm, 1)?);
    match Timestamp::parse(&text, &Formats::One(format.to_string()), None) {
        Ok(timestamp) => Ok(make(vm, timestamp.0, Some(0))),
        Err(_) => {
            Err(vm.raise("ArgumentError", format!("invalid date or strptime format - `{text}' `{format}'")))
        }
    }
}

fn to_utc(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    if let Some(it) = me.payload::<Point>() {
        it.offset.set(None);
    }
    Ok(me.clone())
}

fn localtime(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let offset = match args.get(0) {
        Some(zone) if !zone.is_nil() => offset_of(vm, zone)?,
        _ => Some(0),
    };
    if let Some(it) = me.payload::<Point>() {
        it.offset.set(offset);
    }
    Ok(me.clone())
}

fn format(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let format = args.text(vm, 0)?;
    let (nanos, offset) = get(me);
    vm.check_size(format.len() * 16)?;
    Ok(vm.str(strftime(nanos, offset, &format)))
}

fn to_s(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let (nanos, offset) = get(me);
    let zone = if offset.is_none() { "UTC" } else { "%z" };
    Ok(vm.str(strftime(nanos, offset, &format!("%Y-%m-%d %H:%M:%S {zone}"))))
}

fn inspect(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let (nanos, offset) = get(me);
    let zone = if offset.is_none() { "UTC" } else { "%z" };
    let fraction = nanos.rem_euclid(NANOS);
    let fraction = if fraction == 0 {
        String::new()
    } else {
        format!(".{}", format!("{fraction:09}").trim_end_matches('0'))
    };
    Ok(vm.str(strftime(nanos, offset, &format!("%Y-%m-%d %H:%M:%S{fraction} {zone}"))))
}

fn iso8601(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let places = if args.is_empty() { 0 } else { args.int(vm, 0)?.clamp(0, 9) };
    let (nanos, offset) = get(me);
    let fraction = if places == 0 { String::new() } else { format!(".%{places}N") };
    let zone = if offset.is_none() { "Z" } else { "%:z" };
    Ok(vm.str(strftime(nanos, offset, &format!("%Y-%m-%dT%H:%M:%S{fraction}{zone}"))))
}

fn moved(vm: &mut Vm<'_>, me: &Value, by: &Value, sign: i128) -> Res {
    if by.payload::<Point>().is_some() {
        return Err(vm.raise("TypeError", "time + time?"));
    }
    let by = nanos_of(vm, by)?;
    let (nanos, offset) = get(me);
    Ok(make(vm, nanos.saturating_add(by.saturating_mul(sign)), offset))
}

fn minus(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    if let Some(other) = args.at(0).payload::<Point>() {
        return Ok(Value::Float((get(me).0 - other.nanos.get()) as f64 / 1e9));
    }
    moved(vm, me, &args.at(0), -1)
}
