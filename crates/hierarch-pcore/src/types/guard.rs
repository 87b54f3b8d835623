//! Protection against endless recursion through aliases that contain themselves.

/// Remembers which aliases are being followed on the left (`this`) and on the right (`that`).
///
/// Making one costs nothing; it allocates only when a recursive alias is met.
#[derive(Default)]
pub struct Guard {
    /// A recursive alias has been met on the way here.
    is_active: bool,
    this: Vec<usize>,
    that: Vec<usize>,
    this_recurs: bool,
    that_recurs: bool,
}

impl Guard {
    /// Makes a guard that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `body` with a guard that remembers. The first recursive alias on the way starts a guard of its own, which
    /// ends with it: what stands beside the alias knows nothing of what was met inside.
    pub fn started<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        if self.is_active { body(self) } else { body(&mut Self { is_active: true, ..Self::default() }) }
    }

    /// Tells whether a recursion was met on both sides. A test that got so far without failing holds.
    pub fn recurs_in_both(&self) -> bool {
        self.this_recurs && self.that_recurs
    }

    /// Tells whether a recursion was met on the left.
    pub fn recurs_in_this(&self) -> bool {
        self.this_recurs
    }

    /// Runs `body` with `address` being followed on the left.
    pub fn with_this<T>(&mut self, address: usize, body: impl FnOnce(&mut Self) -> T) -> T {
        if self.this_recurs {
            return body(self);
        }
        if self.this.contains(&address) {
            self.this_recurs = true;
            return body(self);
        }
        self.this.push(address);
        let result = body(self);
        self.this_recurs = false;
        self.this.retain(|known| *known != address);
        result
    }

    /// Runs `body` with `address` being followed on the right.
    pub fn with_that<T>(&mut self, address: usize, body: impl FnOnce(&mut Self) -> T) -> T {
        if self.that_recurs {
            return body(self);
        }
        if self.that.contains(&address) {
            self.that_recurs = true;
            return body(self);
        }
        self.that.push(address);
        let result = body(self);
        self.that_recurs = false;
        self.that.retain(|known| *known != address);
        result
    }

    /// Notes that `address` is followed on the right from here on.
    pub fn add_that(&mut self, address: usize) {
        if self.that_recurs {
            return;
        }
        if self.that.contains(&address) {
            self.that_recurs = true;
        } else {
            self.that.push(address);
        }
    }
}
