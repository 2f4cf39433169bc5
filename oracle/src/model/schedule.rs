//! Which of the allowed next things happens: everything follows from the seed.

/// How the engine picks what it does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// Everything in order, as soon as time passes; stores of the CPU are seen at once.
    Prompt,
    /// Any order that the rules allow, by this seed.
    Seeded(u64),
}

/// A counter-based generator.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    #[inline]
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    #[inline]
    pub(super) const fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }

    /// True once in `times`.
    #[inline]
    pub(super) const fn chance(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }
}

/// Which waiting write becomes visible next, where the rules leave a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Oldest,
    Newest,
    Any,
}

/// How a queue behaves from one doorbell to the next. A purely random walk would seldom go to
/// extremes; a driver is found out at the extremes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mood {
    /// Descriptors fetched ahead of use.
    pub(super) ahead: usize,
    /// Writes that may wait to become visible.
    pub(super) window: usize,
    pub(super) order: Order,
    /// A pair is started rather than a write made visible, this many times in eight.
    pub(super) hurry: u64,
    /// Write (by RX index) that waits for as long as anything else can happen.
    pub(super) held: Option<u64>,
    /// Times that time passes before the queue does anything.
    pub(super) delay: u8,
    /// Times that time passes with nothing left to do but the held write.
    pub(super) patience: u8,
    /// Things done the first time that time passes; doubles each time.
    pub(super) pace: u64,
    /// A store that is not published is seen once in so many things.
    pub(super) shyness: u64,
}

impl Mood {
    pub(super) const PROMPT: Self = Self {
        ahead: 1,
        window: 1,
        order: Order::Oldest,
        hurry: 0,
        held: None,
        delay: 0,
        patience: 0,
        pace: u64::MAX,
        shyness: 1,
    };

    /// A mood for the RX descriptors of indices `batch`.
    pub(super) fn draw(random: &mut Random, batch: std::ops::Range<u64>) -> Self {
        let count = batch.end.saturating_sub(batch.start).max(1);
        let order = random.of(&[
            Order::Oldest,
            Order::Newest,
            Order::Newest,
            Order::Any,
            Order::Any,
        ]);
        let held = match random.below(4) {
            0 => Some(batch.start + random.below(count)),
            // What stands last in a batch is what others wait for.
            1 => Some(batch.end.saturating_sub(1 + random.below(count.min(4)))),
            _ => None,
        };
        Self {
            ahead: random.of(&[1, 2, 8, 64, usize::MAX]),
            window: random.of(&[1, 2, 4, 8, 32, 64]),
            order,
            hurry: random.of(&[1, 4, 7, 8]),
            held,
            delay: random.of(&[0, 0, 0, 1, 3]),
            patience: random.of(&[1, 2, 4, 8]),
            pace: 1 << random.below(14),
            shyness: random.of(&[1, 2, 4, 64]),
        }
    }
}
