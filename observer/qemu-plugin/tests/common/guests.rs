// SPDX-License-Identifier: GPL-2.0-or-later
//! Lists the guests of observer/guest-tests that several tests use.

/// Defines a test for each Armv7-M guest without faults. `$check` is called with the guest's name.
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
            process_stack,
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
