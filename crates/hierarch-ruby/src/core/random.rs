//! `Random`: the Mersenne twister, so that a seed gives the numbers that Ruby gives.

use super::prelude::*;

/// A generator that knows its seed.
#[derive(Clone)]
pub struct Twister {
    generator: hierarch_bits::Twister,
    seed: Value,
}

impl Twister {
    /// Starts with a seed as Ruby does.
    pub fn new(seed: &num_bigint::BigInt) -> Self {
        let (_, words) = seed.to_u32_digits();
        Self { generator: hierarch_bits::Twister::seeded_by_ruby(words), seed: Value::from(seed.clone()) }
    }

    /// Returns the next 32 bits.
    pub fn bits(&mut self) -> u32 {
        self.generator.word()
    }

    /// Returns a float from 0 up to but without 1.
    pub fn float(&mut self) -> f64 {
        self.generator.float()
    }

    /// Returns an integer from 0 to a limit, both included.
    pub fn up_to(&mut self, limit: u64) -> u64 {
        self.generator.up_to(limit)
    }
}

struct Generator(std::cell::RefCell<Twister>);

impl Payload for Generator {}

static METHODS: &[Builtin] = &[
    m("initialize", 0, 1, initialize),
    m("rand", 0, 1, rand)
        .gives(&["Random.new(42).rand(100) => 51", "Random.new(1).rand => 0.417022004702574"]),
    m("bytes", 1, 1, bytes),
    m("seed", 0, 0, seed).gives(&["Random.new(3).seed => 3"]),
];

static SINGLETON: &[Builtin] =
    &[m("rand", 0, 1, class_rand), m("new_seed", 0, 0, new_seed), m("srand", 0, 1, srand)];

/// `Random`
pub static RANDOM: ClassSpec =
    ClassSpec { methods: &[METHODS], singleton: &[SINGLETON], ..ClassSpec::class("Random") };

fn seed_of(vm: &mut Vm<'_>, value: &Value) -> Res<num_bigint::BigInt> {
    Ok(match value {
        Value::Big(number) => (**number).clone(),
        other => vm.to_int(other)?.into(),
    })
}

fn chance(vm: &mut Vm<'_>) -> num_bigint::BigInt {
    vm.host.chance().into()
}

fn initialize(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let seed = match args.get(0) {
        Some(seed) => seed_of(vm, seed)?,
        None => chance(vm),
    };
    if let Some(object) = me.as_object() {
        object.set_payload(Generator(std::cell::RefCell::new(Twister::new(&seed))));
    }
    Ok(Value::Nil)
}

fn rand(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let Some(generator) = me.payload::<Generator>() else { return Ok(Value::Nil) };
    let mut twister = generator.0.borrow().clone();
    let result = random_of(vm, &mut twister, args.get(0), true);
    *generator.0.borrow_mut() = twister;
    result
}

fn bytes(vm: &mut Vm<'_>, me: &Value, args: &Args) -> Res {
    let count = args.int(vm, 0)?.max(0) as usize;
    vm.check_size(count)?;
    let Some(generator) = me.payload::<Generator>() else { return Ok(Value::Nil) };
    let mut twister = generator.0.borrow_mut();
    let mut list = Vec::with_capacity(count);
    while list.len() < count {
        list.extend(twister.bits().to_le_bytes());
    }
    list.truncate(count);
    Ok(vm.binary(list))
}

fn seed(_: &mut Vm<'_>, me: &Value, _: &Args) -> Res {
    Ok(me.payload::<Generator>().map(|generator| generator.0.borrow().seed.clone()).unwrap_or_default())
}

fn new_seed(vm: &mut Vm<'_>, _: &Value, _: &Args) -> Res {
    Ok(chance(vm).into())
}

/// `Random.rand`, which takes no count that leaves nothing to choose from.
fn class_rand(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let mut twister = take(vm);
    let result = random_of(vm, &mut twister, args.get(0), true);
    vm.random = Some(twister);
    result
}

/// `rand`
pub(super) fn kernel_rand(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let mut twister = take(vm);
    let result = random_of(vm, &mut twister, args.get(0), false);
    vm.random = Some(twister);
    result
}

/// `srand`
pub(super) fn srand(vm: &mut Vm<'_>, _: &Value, args: &Args) -> Res {
    let seed = match args.get(0) {
        Some(seed) => seed_of(vm, seed)?,
        None => chance(vm),
    };
    let old = take(vm).seed;
    vm.random = Some(Twister::new(&seed));
    Ok(old)
}

fn take(vm: &mut Vm<'_>) -> Twister {
    match vm.random.take() {
        Some(twister) => twister,
        None => {
            let seed = chance(vm);
            Twister::new(&seed)
        }
    }
}

/// Returns a random number as `rand` is asked for it.
fn random_of(vm: &mut Vm<'_>, twister: &mut Twister, most: Option<&Value>, is_strict: bool) -> Res {
    match most {
        None | Some(Value::Nil) => Ok(Value::Float(twister.float())),
        Some(Value::Float(most)) if is_strict => Ok(Value::Float(twister.float() * most)),
        Some(Value::Range(range)) => random_in(vm, twister, &range.clone()),
        Some(Value::Big(most)) => {
            if most.sign() == num_bigint::Sign::Minus && is_strict {
                let words = format!("invalid argument - {}", vm.digits_of(most, 10)?);
                return Err(vm.raise("ArgumentError", words));
            }
            vm.count_pass(most)?;
            Ok(num_bigint::BigInt::from(big_up_to(twister, &(most.magnitude() - 1u32))).into())
        }
        Some(other) => {
            let most = vm.to_int(other)?;
            if most == 0 && !is_strict {
                return Ok(Value::Float(twister.float()));
            }
            if most <= 0 && is_strict {
                return Err(vm.raise("ArgumentError", format!("invalid argument - {most}")));
            }
            Ok(Value::Int(twister.up_to(most.unsigned_abs() - 1) as i64))
        }
    }
}

/// Returns a number up to a long one, word by word from the highest; a word that leads beyond it starts again.
fn big_up_to(twister: &mut Twister, most: &num_bigint::BigUint) -> num_bigint::BigUint {
    let limits = most.to_u32_digits();
    'again: loop {
        let (mut words, mut mask, mut is_at_limit) = (vec![0; limits.len()], 0u32, true);
        for (place, limit) in limits.iter().enumerate().rev() {
            if mask == 0 {
                mask = u32::MAX.checked_shr(limit.leading_zeros()).unwrap_or(0);
            } else {
                mask = u32::MAX;
            }
            let word = if mask == 0 { 0 } else { twister.bits() & mask };
            if is_at_limit && word > *limit {
                continue 'again;
            }
            is_at_limit &= word == *limit;
            words[place] = word;
        }
        return num_bigint::BigUint::new(words);
    }
}

fn random_in(vm: &mut Vm<'_>, twister: &mut Twister, range: &Range) -> Res {
    if let (Value::Int(from), Value::Int(to)) = (&range.from, &range.to) {
        let count = i128::from(*to) - i128::from(*from) - i128::from(range.exclusive);
        let Ok(count) = u64::try_from(count) else { return Ok(Value::Nil) };
        return Ok((i128::from(*from) + i128::from(twister.up_to(count))).into());
    }
    let (from, to) = (vm.to_float(&range.from)?, vm.to_float(&range.to)?);
    Ok(Value::Float(from + twister.float() * (to - from)))
}

/// Returns a place below a count, for `shuffle` and `sample`.
pub(super) fn place_below(vm: &mut Vm<'_>, random: Option<&Value>, count: usize) -> Res<usize> {
    if let Some(generator) = random {
        let number = vm.send(generator, Sym::of("rand"), &[Value::from(count)])?;
        return Ok(usize::try_from(vm.to_int(&number)?).unwrap_or_default().min(count.saturating_sub(1)));
    }
    let mut twister = take(vm);
    let place = twister.up_to(count as u64 - 1) as usize;
    vm.random = Some(twister);
    Ok(place)
}
