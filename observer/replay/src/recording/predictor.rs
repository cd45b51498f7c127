// SPDX-License-Identifier: MIT
//! Predicts the next symbol from earlier symbols. The writer writes only the symbols that were not
//! predicted, and the reader makes the same predictions.
//!
//! Code repeats itself, so the last few symbols nearly always determine the next: for example, the
//! return address of a function depends on its call. After an unknown sequence, for example after
//! an interrupt, the symbol that followed the last symbol alone is the better prediction.

/// No symbol has this number.
const NO_SYMBOL: u32 = u32::MAX;
/// A symbol influences the predictions of the next `64 / SHIFT` symbols.
const SHIFT: u32 = 4;
const TABLE_LOG: u32 = 13;
/// The odd number next to 2^64 divided by the golden ratio, which spreads small numbers.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The symbol that followed the same sequence the last time. If two sequences share a slot and a
/// tag, the only effect is a wrong prediction.
#[derive(Clone, Copy)]
struct Prediction {
    tag: u32,
    next: u32,
}

pub struct Predictor {
    /// A hash of the last symbols; earlier symbols are shifted out.
    history: u64,
    last: u32,
    predictions: Box<[Prediction]>,
    /// The symbol that followed each symbol, stored when the sequence's prediction was wrong.
    successors: Vec<u32>,
}

impl Predictor {
    pub fn new() -> Predictor {
        let prediction = Prediction {
            tag: 0,
            next: NO_SYMBOL,
        };
        Predictor {
            history: 0,
            last: NO_SYMBOL,
            predictions: vec![prediction; 1 << TABLE_LOG].into(),
            successors: Vec::new(),
        }
    }

    /// Defines the next symbol and returns its number.
    pub fn define(&mut self) -> u32 {
        self.successors.push(NO_SYMBOL);
        self.successors.len() as u32 - 1
    }

    /// Returns the predicted next symbol, if there is a prediction.
    #[inline]
    pub fn expected(&self) -> Option<u32> {
        let (slot, tag) = self.slot_and_tag();
        let prediction = self.predictions[slot];
        let next = if prediction.tag == tag && prediction.next != NO_SYMBOL {
            prediction.next
        } else {
            *self.successors.get(self.last as usize)?
        };
        (next != NO_SYMBOL).then_some(next)
    }

    /// Observes that `symbol` comes next. Returns whether it was predicted.
    #[inline]
    pub fn observe(&mut self, symbol: u32) -> bool {
        let (slot, tag) = self.slot_and_tag();
        let prediction = self.predictions[slot];
        let is_usual = prediction.tag == tag && prediction.next == symbol;
        let is_expected = is_usual || self.learn(symbol, slot, tag);
        self.last = symbol;
        let mixed = (u64::from(symbol) + 1).wrapping_mul(GOLDEN);
        self.history = (self.history << SHIFT) ^ mixed >> SHIFT;
        is_expected
    }

    /// Updates the predictions for a sequence that another symbol followed the last time.
    fn learn(&mut self, symbol: u32, slot: usize, tag: u32) -> bool {
        let is_expected = self.expected() == Some(symbol);
        self.predictions[slot] = Prediction { tag, next: symbol };
        if let Some(successor) = self.successors.get_mut(self.last as usize) {
            *successor = symbol;
        }
        is_expected
    }

    /// Returns slot and tag of the sequence of the last symbols.
    #[inline]
    fn slot_and_tag(&self) -> (usize, u32) {
        let spread = self.history.wrapping_mul(GOLDEN);
        ((spread >> (64 - TABLE_LOG)) as usize, spread as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of `symbols` that were not predicted.
    fn mispredicted(predictor: &mut Predictor, symbols: &[u32]) -> usize {
        let mut missed = |&symbol: &u32| {
            let expected = predictor.expected();
            let is_expected = predictor.observe(symbol);
            assert_eq!(is_expected, expected == Some(symbol));
            usize::from(!is_expected)
        };
        symbols.iter().map(&mut missed).sum()
    }

    fn predictor_with(symbols: u32) -> Predictor {
        let mut predictor = Predictor::new();
        for number in 0..symbols {
            assert_eq!(predictor.define(), number);
        }
        predictor
    }

    #[test]
    fn the_return_address_is_predicted_from_the_call() {
        let mut predictor = predictor_with(4);
        let (main, first, function, second) = (0, 1, 2, 3);
        let calls_twice = [main, function, first, function, second];
        mispredicted(&mut predictor, &calls_twice.repeat(10));
        assert_eq!(mispredicted(&mut predictor, &calls_twice.repeat(100)), 0);
    }

    #[test]
    fn a_loop_is_predicted_again_after_an_interrupt() {
        let mut predictor = predictor_with(8);
        let (turn, interrupt) = ([0, 1, 2, 3], [4, 5, 6, 7]);
        mispredicted(&mut predictor, &turn.repeat(10));
        mispredicted(&mut predictor, &interrupt);
        mispredicted(&mut predictor, &turn.repeat(10));
        // Only the interrupt and its return are not predicted.
        let interrupted = [&turn[..2], &interrupt, &turn[2..]].concat();
        assert!(mispredicted(&mut predictor, &interrupted) <= 2);
        assert!(mispredicted(&mut predictor, &turn.repeat(10)) <= 2);
        assert_eq!(mispredicted(&mut predictor, &turn.repeat(10)), 0);
    }
}
