// SPDX-License-Identifier: MIT
//! Which symbol comes next, as far as the past tells: the writer writes only what it does not, and
//! the reader has the same past.
//!
//! Code repeats itself, so that the last few symbols nearly always say what follows: where a
//! function returns to depends on where it was called. In a place that is new, as behind an
//! interrupt, what followed the last symbol alone is the better guess.

/// What no symbol is.
const NOTHING: u32 = u32::MAX;
/// Behind `64 / SHIFT` others a symbol is no longer part of the place.
const SHIFT: u32 = 4;
const PLACES_LOG: u32 = 13;
/// The odd number next to 2^64 divided by the golden ratio: spreads small numbers.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// What came the last time behind the same symbols. Two places that share a slot and a tag cost a
/// wrong guess, no more.
#[derive(Clone, Copy)]
struct Place {
    tag: u32,
    next: u32,
}

pub struct Predictor {
    /// The last symbols, mixed; those before were shifted out.
    history: u64,
    last: u32,
    places: Box<[Place]>,
    /// What came after each symbol the last time that its place did not say.
    successors: Vec<u32>,
}

impl Predictor {
    pub fn new() -> Predictor {
        let place = Place {
            tag: 0,
            next: NOTHING,
        };
        Predictor {
            history: 0,
            last: NOTHING,
            places: vec![place; 1 << PLACES_LOG].into(),
            successors: Vec::new(),
        }
    }

    /// The next symbol in number was defined.
    pub fn define(&mut self) -> u32 {
        self.successors.push(NOTHING);
        self.successors.len() as u32 - 1
    }

    /// What is expected to come next, if anything is.
    #[inline]
    pub fn expected(&self) -> Option<u32> {
        let (slot, tag) = self.place();
        let place = self.places[slot];
        let next = if place.tag == tag && place.next != NOTHING {
            place.next
        } else {
            *self.successors.get(self.last as usize)?
        };
        (next != NOTHING).then_some(next)
    }

    /// `symbol` comes. True if it was expected.
    #[inline]
    pub fn meet(&mut self, symbol: u32) -> bool {
        let (slot, tag) = self.place();
        let place = self.places[slot];
        let is_usual = place.tag == tag && place.next == symbol;
        let is_expected = is_usual || self.meet_elsewhere(symbol, slot, tag);
        self.last = symbol;
        let mixed = (u64::from(symbol) + 1).wrapping_mul(GOLDEN);
        self.history = (self.history << SHIFT) ^ mixed >> SHIFT;
        is_expected
    }

    /// `symbol` comes where it did not come the last time.
    fn meet_elsewhere(&mut self, symbol: u32, slot: usize, tag: u32) -> bool {
        let is_expected = self.expected() == Some(symbol);
        self.places[slot] = Place { tag, next: symbol };
        if let Some(successor) = self.successors.get_mut(self.last as usize) {
            *successor = symbol;
        }
        is_expected
    }

    /// Slot and tag of the place where the last symbols led.
    #[inline]
    fn place(&self) -> (usize, u32) {
        let spread = self.history.wrapping_mul(GOLDEN);
        ((spread >> (64 - PLACES_LOG)) as usize, spread as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of `symbols` were not expected.
    fn surprises(predictor: &mut Predictor, symbols: &[u32]) -> usize {
        let mut missed = |&symbol: &u32| {
            let expected = predictor.expected();
            let is_expected = predictor.meet(symbol);
            assert_eq!(is_expected, expected == Some(symbol));
            usize::from(!is_expected)
        };
        symbols.iter().map(&mut missed).sum()
    }

    fn knowing(symbols: u32) -> Predictor {
        let mut predictor = Predictor::new();
        for number in 0..symbols {
            assert_eq!(predictor.define(), number);
        }
        predictor
    }

    #[test]
    fn where_a_function_returns_to_is_known_by_its_call() {
        let mut predictor = knowing(4);
        let (main, first, function, second) = (0, 1, 2, 3);
        let calls_twice = [main, function, first, function, second];
        surprises(&mut predictor, &calls_twice.repeat(10));
        assert_eq!(surprises(&mut predictor, &calls_twice.repeat(100)), 0);
    }

    #[test]
    fn a_loop_that_an_interrupt_broke_goes_on_as_before() {
        let mut predictor = knowing(8);
        let (turn, interrupt) = ([0, 1, 2, 3], [4, 5, 6, 7]);
        surprises(&mut predictor, &turn.repeat(10));
        surprises(&mut predictor, &interrupt);
        surprises(&mut predictor, &turn.repeat(10));
        // That it comes, and where it returns to.
        let interrupted = [&turn[..2], &interrupt, &turn[2..]].concat();
        assert!(surprises(&mut predictor, &interrupted) <= 2);
        assert!(surprises(&mut predictor, &turn.repeat(10)) <= 2);
        assert_eq!(surprises(&mut predictor, &turn.repeat(10)), 0);
    }
}
