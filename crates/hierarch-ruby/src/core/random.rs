//! `Random`: the Mersenne twister, so that a seed gives the numbers that Ruby gives.

use super::prelude::*;

const N: usize = 624;
const M: usize = 397;

/// A generator.
#[derive(Clone)]
pub struct Twister {
    state: Vec<u32>,
    next: usize,
    seed: Value,
}

impl Twister {
    /// Starts with a seed as Ruby does: its digits of 32 bits, the lowest first.
    pub fn new(seed: &num_bigint::BigInt) -> Self {
        let (_, digits) = seed.to_u32_digits();
        let key = if digits.is_empty() { vec![0] } else { digits };
        let mut twister = Self { state: vec![0; N], next: N, seed: Value::from(seed.clone()) };
        match key.as_slice() {
            [seed] => twister.fill(*seed),
            key => {
                twister.fill(19_650_218);
                twister.mix(key);
            }
        }
        twister
    }

    fn fill(&mut self, seed: u32) {
        let mut last = seed;
        for (place, slot) in self.state.iter_mut().enumerate() {
            if place > 0 {
                last = 1_812_433_253u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(place as u32);
            }
            *slot = last;
        }
    }

    fn mix(&mut self, key: &[u32]) {
        let (mut i, mut j) = (1, 0);
        for _ in 0..N.max(key.len()) {
            let before = self.state[i - 1];
            self.state[i] = (self.state[i] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            i += 1;
            j = (j + 1) % key.len();
            if i >= N {
                self.state[0] = self.state[N - 1];
                i = 1;
            }
        }
        for _ in 1..N {
            let before = self.state[i - 1];
            self.state[i] = (self.state[i] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941))
                .wrapping_sub(i as u32);
            i += 1;
            if i >= N {
                self.state[0] = self.state[N - 1];
                i = 1;
            }
        }
        self.state[0] = 0x8000_0000;
    }

    fn refill(&mut self) {
        for i in 0..N {
            let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
            let mag = if y & 1 == 0 { 0 } else { 0x9908_b0df };
            self.state[i] = self.state[(i + M) % N] ^ (y >> 1) ^ mag;
        }
        self.next = 0;
    }

    /// Returns the next 32 bits.
    pub fn bits(&mut self) -> u32 {
        if self.next >= N {
            self.refill();
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// Returns a float from 0 up to but without 1.
    pub fn float(&mut self) -> f64 {
        let (a, b) = (self.bits() >> 5, self.bits() >> 6);
        (f64::from(a) * 67_108_864.0 + f64::from(b)) / 9_007_199_254_740_992.0
    }

    /// Returns an integer from 0 to a limit, both included.
    pub fn up_to(&mut self, limit: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        let mask = u64::MAX >> limit.leading_zeros();
        'again: loop {
            let mut value = 0u64;
            for place in (0..2).rev() {
                if (mask >> (place * 32)) & 0xffff_ffff != 0 {
                    value |= u64::from(self.bits()) << (place * 32);
                    value &= mask;
                    if limit < value {
                        continue 'again;
                    }
                }
            }
            return value;
        }
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
