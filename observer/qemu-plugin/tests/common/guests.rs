// SPDX-License-Identifier: GPL-2.0-or-later
//! The guests of observer/guest-tests that several tests go through.

/// A test of each Armv7-M guest that means no fault; `$check` is given its name.
macro_rules! each_guest {
    ($check:expr) => {
        each_guest!(
            $check,
            supervisor_call,
            context_switch,
            nesting,
            tail_chaining,
            it_block,
            edited_return,
            wait,
            plain_calls,
            floating_point,
            moved_vectors
        );
    };
    ($check:expr, $($guest:ident),*) => {$(
        #[test]
        fn $guest() {
            ($check)(stringify!($guest));
        }
    )*};
}
