// SPDX-License-Identifier: MIT
//! Names a point in a firmware. A mark is no instruction and takes no memory.
//!
//! It is a local symbol in the symbol table of the ELF file, at the instruction that follows,
//! as with `ticklab.h`. Ticklab finds it by its name: `ticklab observe app.elf --mark
//! begin=mark:sample --mark end=mark:stored`. `strip = true` in a profile of Cargo removes marks:
//! measure the image from before.
#![no_std]
#![forbid(unsafe_code)]

/// Names the point where it stands: `mark!("sample")`. The name is a string literal of letters,
/// digits, `-`, `_` and `.`. Several marks may have one name: inlining and unrolling repeat a mark,
/// too.
///
/// The compiler keeps the order of marks, of volatile accesses and of calls that are not inlined,
/// and may move other work across a mark. It does not merge paths that have different marks, and a
/// call before a mark is not the last thing of its function, so the code around a mark may differ
/// by some instructions.
#[macro_export]
macro_rules! mark {
    ($name:literal) => {{
        // SAFETY: the assembler defines a symbol, and no instruction. Inlining and unrolling copy
        // the statement, so the assembler counts the copies: the number is part of the symbol.
        #[allow(named_asm_labels, unused_unsafe)]
        unsafe {
            ::core::arch::asm!(
                ".ifndef .Lticklab_marks",
                ".set .Lticklab_marks, 0",
                ".endif",
                ".set .Lticklab_marks, .Lticklab_marks + 1",
                ".altmacro",
                ".macro ticklab_mark number",
                ::core::concat!("\"ticklab.mark.\\number\\().", $name, "\":"),
                ".endm",
                "ticklab_mark %.Lticklab_marks",
                ".purgem ticklab_mark",
                ".noaltmacro",
                options(nomem, nostack, preserves_flags)
            )
        }
    }};
}
