//! `MatchData`

use hierarch_regex::Captures;

use super::prelude::*;

/// What a match found.
pub struct MatchData {
    /// The text that was searched.
    pub subject: Text,
    /// Its characters.
    pub chars: EcoString,
    /// Where the groups are.
    pub captures: Captures,
    /// What searched.
    pub regexp: Rc<Regex>,
}

impl Payload for MatchData {}

impl MatchData {
    /// Tells how many groups there are, the whole counted.
    pub fn len(&self) -> usize {
        self.captures.len()
    }

    /// Tells whether there are none, which never happens.
    pub fn is_empty(&self) -> bool {
        self.captures.is_empty()
    }

    /// Returns where a group is.
    pub fn range(&self, group: usize) -> Option<(usize, usize)> {
        self.captures.get(group)
    }

    fn part(&self, vm: &Vm<'_>, text: &str) -> Value {
        vm.text(self.subject.back(text))
    }

    /// Returns a group.
    pub fn group(&self, vm: &Vm<'_>, group: usize) -> Value {
        match self.range(group) {
            Some((start, end)) => self.part(vm, &self.chars[start..end]),
            None => Value::Nil,
        }
    }

    /// Returns what stands before the match.
    pub fn before(&self, vm: &Vm<'_>) -> Value {
        self.range(0).map_or(Value::Nil, |(start, _)| self.part(vm, &self.chars[..start]))
    }

    /// Returns what stands after the match.
    pub fn after(&self, vm: &Vm<'_>) -> Value {
        self.range(0).map_or(Value::Nil, |(_, end)| self.part(vm, &self.chars[end..]))
    }

    /// Returns a group by its name; nothing if there is no such name. Of several with one name the last that matched.
    pub fn named(&self, vm: &Vm<'_>, name: &str) -> Option<Value> {
        self.number_of(name).map(|group| self.group(vm, group))
    }

    /// Returns the number of a group with a name: of several the last that matched.
    pub fn number_of(&self, name: &str) -> Option<usize> {
        let names = self.regexp.names().iter().enumerate().rev();
        let mut numbers = names.filter(|(_, known)| *known == name).map(|(place, _)| place + 1).peekable();
        let last = numbers.peek().copied();
        numbers.find(|group| self.range(*group).is_some()).or(last)
    }
}

/// Makes a value of a match.
pub fn make(vm: &mut Vm<'_>, found: MatchData) -> Value {
    let class = vm.class("MatchData");
    Value::Object(Rc::new(Object::with(class, found)))
}

static METHODS: &[Builtin] = &[
    m("[]", 1, 2, index).gives(&["/(?<y>a)b/.match('ab')[:y] => \"a\"", "/(a)(b)?/.match('a')[2] => nil"]),
    m("to_a", 0, 0, |vm, me, _| {
        let list = groups(vm, me, 0);
        Ok(vm.array(list))
    })
    .gives(&["/(a)(b)/.match('ab').to_a => [\"ab\", \"a\", \"b\"]"]),
    m("captures", 0, 0, |vm, me, _| {
        let list = groups(vm, me, 1);
        Ok(vm.array(list))
    })
    .gives(&["/(a)(b)/.match('ab').captures => [\"a\", \"b\"]"]),
    m("deconstruct", 0, 0, |vm, me, _| {
        let list = groups(vm, me, 1);
        Ok(vm.array(list))
    }),
    m("deconstruct_keys", 1, 1, deconstruct_keys),
    m("named_captures", 0, 1, named_captures)
        .gives(&["/(?<y>a)/.match('a').named_captures => {\"y\"=>\"a\"}"]),
    m("names", 0, 0, |vm, me, _| {
        let names = unique_names(me);
        let list = names.iter().map(|name| vm.str(name.as_str())).collect();
        Ok(vm.array(list))
    })
    .gives(&["/(?<y>a)/.match('a').names => [\"y\"]"]),
    m("pre_match", 0, 0, |vm, me, _| Ok(get(me).map_or(Value::Nil, |it| it.before(vm))))
        .gives(&["/b/.match('abc').pre_match => \"a\""]),
    m("post_match", 0, 0, |vm, me, _| Ok(get(me).map_or(Value::Nil, |it| it.after(vm))))
        .gives(&["/b/.match('abc').post_match => \"c\""]),
    m("to_s", 0, 0, |vm, me, _| Ok(get(me).map_or(Value::Nil, |it| it.group(vm, 0))))
        .gives(&["/b+/.match('abbc').to_s => \"bb\""]),
    m("begin", 1, 1, |vm, me, args| place(vm, me, args, |(start, _)| start))
        .gives(&["/b/.match('äb').begin(0) => 1"]),
    m("end", 1, 1, |vm, me, args| place(vm, me, args, |(_, end)| end))
        .gives(&["/b/.match('äb').end(0) => 2"]),
    m("offset", 1, 1, |vm, me, args| {
        let (start, end) = (place(vm, me, args, |(start, _)| start)?, place(vm, me, args, |(_, end)| end)?);
        Ok(vm.pair(start, end))
    }),
    m("byteoffset", 1, 1, byteoffset).gives(&["/b/.match('äb').byteoffset(0) => [2, 3]"]),
    m("size", 0, 0, |_, me, _| Ok(get(me).map_or(Value::Nil, |it| it.len().into())))
        .gives(&["/(a)/.match('a').size => 2"]),
    m("length", 0, 0, |_, me, _| Ok(get(me).map_or(Value::Nil, |it| it.len().into()))),
    m("string", 0, 0, |vm, me, _| Ok(get(me).map_or(Value::Nil, |it| vm.text(it.subject.clone())))),
    m("regexp", 0, 0, |_, me, _| Ok(get(me).map_or(Value::Nil, |it| Value::Regexp(Rc::clone(&it.regexp))))),
    m("values_at", 0, -1, values_at),
    m("==", 1, 1, |_, me, args| {
        Ok(Value::Bool(
            matches!((get(me), get(&args.at(0))), (Some(a), Some(b)) if a.chars == b.chars && a.captures == b.captures && a.regexp.source == b.regexp.source),
        ))
    }),
    m("inspect", 0, 0, inspect)
        .gives(&["/(?<y>a)(?<z>b)?/.match('a').inspect => \"#<MatchData \\\"a\\\" y:\\\"a\\\" z:nil>\""]),
];

/// `MatchData`
pub(super) static MATCH_DATA: ClassSpec = ClassSpec { methods: &[METHODS], ..ClassSpec::class("MatchData") };

fn get(me: &Value) -> Option<Rc<MatchData>> {
    me.payload::<MatchData>()
}

fn groups(vm: &mut Vm<'_>, me: &Value, from: usize) -> Vec<Value> {
    get(me).map(|it| (from..it.len()).map(|group| it.group(vm, group)).collect()).unwrap_or_default()
}

fn unique_names(me: &Value) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    if let Some(it) = get(me) {
        for name in it.regexp.names() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

fn index(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    match args.at(0) {
        Value::Int(number) if args.len() == 1 => {
            let count = it.len() as i64;
            let place = if number < 0 { number + count } else { number };
            Ok(usize::try_from(place).map_or(Value::Nil, |place| it.group(vm, place)))
        }
        name @ (Value::Str(_) | Value::Sym(_)) => {
            let name = vm.to_s(&name)?;
            match it.named(vm, &name) {
                Some(value) => Ok(value),
                None => Err(vm.raise("IndexError", format!("undefined group name reference: {name}"))),
            }
        }
        _ => {
            let list = groups(vm, me, 0);
            let list = vm.array(list);
            vm.send_args(&list, names::INDEX, args.clone())
        }
    }
}

fn named_captures(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    let symbols = args.keyword("symbolize_names").is_some_and(|it| it.truthy());
    let mut entries = Entries::default();
    for name in unique_names(me) {
        let value = it.named(vm, &name).unwrap_or_default();
        let key = if symbols { Value::symbol(&name) } else { vm.str(name.as_str()) };
        entries.insert(vm.key(&key)?, value);
    }
    Ok(vm.hash_of(entries))
}

fn deconstruct_keys(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    let pairs: Vec<(Sym, Value)> =
        unique_names(me).iter().map(|name| (Sym::of(name), it.named(vm, name).unwrap_or_default())).collect();
    Ok(vm.options(pairs))
}

/// Places are counted in characters.
fn place(vm: &mut Vm<'_>, me: &Value, args: &Args, pick: fn((usize, usize)) -> usize) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    let group = group_number(vm, &it, args)?;
    Ok(it.range(group).map_or(Value::Nil, |range| it.chars[..pick(range)].chars().count().into()))
}

fn byteoffset(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    let group = group_number(vm, &it, args)?;
    let (start, end) =
        it.range(group).map_or((Value::Nil, Value::Nil), |(start, end)| (start.into(), end.into()));
    Ok(vm.pair(start, end))
}

/// Returns the number of the group that an argument names.
fn group_number(vm: &mut Vm<'_>, it: &MatchData, args: &Args) -> Res<usize> {
    let group = match args.at(0) {
        name @ (Value::Str(_) | Value::Sym(_)) => {
            let name = vm.to_s(&name)?;
            it.number_of(&name).unwrap_or(usize::MAX)
        }
        number => usize::try_from(vm.to_int(&number)?).unwrap_or(usize::MAX),
    };
    if group >= it.len() {
        let shown = vm.to_s(&args.at(0))?;
        return Err(vm.raise("IndexError", format!("index {shown} out of matches")));
    }
    Ok(group)
}

fn values_at(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let mut list = Vec::new();
    for value in &args.list {
        list.push(index(vm, me, &Args::of(std::slice::from_ref(value)))?);
    }
    Ok(vm.array(list))
}

fn inspect(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    let Some(it) = get(me) else { return Ok(Value::Nil) };
    let whole = it.group(vm, 0);
    let mut text = format!("#<MatchData {}", vm.inspect(&whole)?);
    for group in 1..it.len() {
        let value = it.group(vm, group);
        let name = it.regexp.names().get(group - 1).cloned().unwrap_or_else(|| group.to_string());
        text.push_str(&format!(" {name}:{}", vm.inspect(&value)?));
    }
    text.push('>');
    Ok(vm.str(text))
}
