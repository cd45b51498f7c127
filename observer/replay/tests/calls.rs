// SPDX-License-Identifier: MIT
//! Tests which passes of marks belong to the same call, with blocks that are "executed" by hand.

use object::write::{Object, StandardSection};
use object::{Architecture, BinaryFormat, Endianness};
use ticklab_replay::{BlockId, Context, Core, Ending, Image, LogRecordKind, Moves, Plan, Reader};

/// A caller: BL to FUNCTION; a NOP and a branch to the caller follow.
const CALLER: u32 = 0x100;
const AFTER: u32 = CALLER + 4;
const OTHER: u32 = 0x120;
const AFTER_OTHER: u32 = OTHER + 4;
/// An instruction that calls INNER, which returns to OTHER, as `setjmp` returns a second time.
const BEFORE_OTHER: u32 = OTHER - 4;
/// Block with mark `begin` at its first instruction and mark `middle` two bytes later. It continues
/// at RECURSE, which calls it again, or at INNER, which returns.
const FUNCTION: u32 = 0x400;
const RECURSE: u32 = FUNCTION + 6;
const INNER: u32 = FUNCTION + 10;
/// Jumps to FUNCTION.
const TAIL: u32 = 0x440;
/// Calls FUNCTION through a pointer.
const TRAMPOLINE: u32 = 0x460;
const PENDSV: u32 = 0x300;
const HANDLER_AFTER: u32 = PENDSV + 4;
const EXTERNAL: u32 = 0x380;

const NOP: u16 = 0xBF00;
const BX_LR: u16 = 0x4770;
const BLX_R0: u16 = 0x4780;
/// CBZ R0 to INNER.
const CBZ: u16 = 0xB108;

fn bl(from: u32, to: u32) -> [u16; 2] {
    let offset = to.wrapping_sub(from + 4);
    let (high, low) = (offset >> 12 & 0x3FF, offset >> 1 & 0x7FF);
    let (s, bits) = (offset >> 24 & 1, [offset >> 23 & 1, offset >> 22 & 1]);
    let [j1, j2] = bits.map(|bit| (bit ^ 1) ^ s);
    [
        (0xF000 | s << 10 | high) as u16,
        (0xD000 | j1 << 13 | j2 << 11 | low) as u16,
    ]
}

fn branch(from: u32, to: u32) -> u16 {
    0xE000 | (to.wrapping_sub(from + 4) >> 1 & 0x7FF) as u16
}

fn code(start: u32) -> Vec<u8> {
    let words: Vec<u16> = match start {
        CALLER | OTHER | PENDSV | RECURSE => bl(start, FUNCTION).to_vec(),
        FUNCTION => vec![NOP, NOP, CBZ],
        AFTER | AFTER_OTHER => vec![NOP, branch(start + 2, start - 4)],
        BEFORE_OTHER => bl(start, INNER).to_vec(),
        TAIL => vec![branch(TAIL, FUNCTION)],
        TRAMPOLINE => vec![NOP, BLX_R0],
        _ => vec![NOP, BX_LR],
    };
    words.into_iter().flat_map(u16::to_le_bytes).collect()
}

fn image() -> Image {
    let mut elf = Object::new(BinaryFormat::Elf, Architecture::Arm, Endianness::Little);
    let text = elf.section_id(StandardSection::Text);
    let mut table = [0_u32; 17];
    (table[1], table[14], table[16]) = (CALLER + 1, PENDSV + 1, EXTERNAL + 1);
    let bytes: Vec<_> = table.iter().flat_map(|word| word.to_le_bytes()).collect();
    elf.append_section_data(text, &bytes, 4);
    Image::parse(&elf.write().unwrap()).unwrap()
}

const PLAN: &str = r#"{"version": 3, "image": "", "log": "",
    "marks": [{"name": "begin", "address": 1024, "is_write": false},
        {"name": "middle", "address": 1026, "is_write": false},
        {"name": "pendsv", "address": 768, "is_write": false}],
    "calls": {"begin": "begin.return", "pendsv": "pendsv.return"},
    "entries": {}, "port": [], "exit_register": null, "bus_latency": 0,
    "until": {"marks": null, "instructions": 100000},
    "stall_instructions": 100000, "core": "cortex-m4f", "vectors": 0, "model": null}"#;

struct Guest<'a> {
    core: Core<'a>,
    running: Option<BlockId>,
}

impl Guest<'_> {
    /// Runs the blocks at these addresses, each to its end, and passes marks as the plugin does.
    fn run(&mut self, starts: &[u32]) -> &mut Self {
        for &start in starts {
            let next = self.core.block(start, &code(start));
            let whole = self.running.map_or(0, |id| self.core.code(id).whole());
            self.core.enter(next, whole);
            while let Some(mark) = self.core.returned() {
                self.core.mark(mark, 0);
            }
            let instructions = self.core.code(next).instructions().to_vec();
            for (index, instruction) in instructions.iter().enumerate() {
                for mark in self.core.marks_at(instruction.address).to_vec() {
                    self.core.mark(mark, index);
                }
            }
            self.running = Some(next);
        }
        self
    }

    /// Runs a PendSV handler that saves the registers of the running task at `from` and restores
    /// those of another task from `to`.
    fn switch(&mut self, from: u32, to: u32) -> &mut Self {
        self.run(&[PENDSV, FUNCTION]);
        self.move_registers(from, to, Moves::CalleeSaved);
        self.run(&[INNER, HANDLER_AFTER])
    }

    /// Switches tasks in thread mode: the running function stores SP of one task and loads SP of
    /// another.
    fn switch_in_thread_mode(&mut self, from: u32, to: u32) -> &mut Self {
        self.move_registers(from, to, Moves::StackPointer);
        self
    }

    fn move_registers(&mut self, from: u32, to: u32, moves: Moves) {
        for (is_save, slot) in [(true, from), (false, to)] {
            self.core.context(Context {
                is_save,
                slot,
                moves,
            });
        }
    }
}

fn logged(act: impl FnOnce(&mut Guest)) -> Reader {
    let mut bytes = Vec::new();
    let core = Core::new(&Plan::parse(PLAN).unwrap(), image(), &mut bytes).unwrap();
    let mut guest = Guest {
        core,
        running: None,
    };
    act(&mut guest);
    guest.core.finish(Ending::Exit, None).unwrap();
    drop(guest);
    Reader::parse(&bytes).unwrap()
}

/// Returns the marks that were passed, each with the numbers of its frame and of its stack. Numbers
/// are given in the order of appearance, from 0.
fn observe(act: impl FnOnce(&mut Guest)) -> Vec<(String, usize, usize)> {
    let log = logged(act);
    let (mut frames, mut stacks) = (Vec::new(), Vec::new());
    let records = log.records.chunks_exact(3).map(|record| {
        let kinds = [
            LogRecordKind::Mark,
            LogRecordKind::Frame,
            LogRecordKind::Stack,
        ];
        assert_eq!([0, 1, 2].map(|i| record[i].kind), kinds);
        let name = log.header.marks[record[0].id as usize].clone();
        (
            name,
            number(&mut frames, record[1].id),
            number(&mut stacks, record[2].id),
        )
    });
    records.collect()
}

fn number(known: &mut Vec<u32>, id: u32) -> usize {
    let place = known.iter().position(|&other| other == id);
    place.unwrap_or_else(|| {
        known.push(id);
        known.len() - 1
    })
}

fn of(passes: &[(String, usize, usize)], wanted: &[&str]) -> Vec<(String, usize)> {
    let kept = passes.iter().filter(|(name, ..)| wanted.contains(&&**name));
    kept.map(|(name, frame, _)| (name.clone(), *frame))
        .collect()
}

fn passes(expected: &[(&str, usize)]) -> Vec<(String, usize)> {
    let owned = expected.iter();
    owned.map(|&(name, frame)| (name.into(), frame)).collect()
}

const CALL: [&str; 2] = ["begin", "begin.return"];

#[test]
fn a_call_returns_in_its_own_frame() {
    let found = observe(|guest| {
        guest.run(&[
            CALLER, FUNCTION, INNER, AFTER, CALLER, FUNCTION, INNER, AFTER,
        ]);
    });
    assert_eq!(
        of(&found, &CALL),
        passes(&[
            ("begin", 0),
            ("begin.return", 0),
            ("begin", 1),
            ("begin.return", 1)
        ])
    );
    assert_eq!(
        of(&found, &["middle"]),
        passes(&[("middle", 0), ("middle", 1)])
    );
}

#[test]
fn recursion_returns_from_the_innermost_call_on() {
    let found = observe(|guest| {
        guest.run(&[CALLER, FUNCTION, RECURSE, FUNCTION, RECURSE, FUNCTION]);
        guest.run(&[INNER, INNER, INNER, AFTER]);
    });
    let begins = [("begin", 0), ("begin", 1), ("begin", 2)];
    let ends = [
        ("begin.return", 2),
        ("begin.return", 1),
        ("begin.return", 0),
    ];
    assert_eq!(of(&found, &CALL), passes(&[begins, ends].concat()));
}

#[test]
fn a_handler_that_calls_the_function_has_a_stack_of_its_own() {
    let found = observe(|guest| {
        guest.run(&[CALLER, FUNCTION, PENDSV, FUNCTION, INNER, HANDLER_AFTER]);
        guest.run(&[RECURSE, FUNCTION, INNER, INNER, AFTER]);
    });
    let calls = of(&found, &CALL);
    assert_eq!(
        calls,
        passes(&[
            ("begin", 0),
            ("begin", 2),
            ("begin.return", 2),
            ("begin", 3),
            ("begin.return", 3),
            ("begin.return", 0)
        ])
    );
    let stacks: Vec<_> = found.iter().map(|&(_, _, stack)| stack).collect();
    assert!(stacks.starts_with(&[0, 0, 1, 1]), "{stacks:?}");
    assert_eq!(found.last().unwrap().2, 0);
}

#[test]
fn a_handler_returns_where_its_exception_is_left() {
    let found = observe(|guest| {
        guest.run(&[
            CALLER,
            FUNCTION,
            PENDSV,
            FUNCTION,
            INNER,
            HANDLER_AFTER,
            INNER,
        ]);
    });
    let handler = of(&found, &["pendsv", "pendsv.return"]);
    assert_eq!(handler, passes(&[("pendsv", 1), ("pendsv.return", 1)]));
}

#[test]
fn an_interrupt_between_a_return_and_its_arrival_loses_no_frame() {
    let found = observe(|guest| {
        guest.run(&[CALLER, FUNCTION, INNER, EXTERNAL, AFTER]);
        guest.run(&[CALLER, EXTERNAL, FUNCTION, INNER, AFTER]);
    });
    assert_eq!(
        of(&found, &CALL),
        passes(&[
            ("begin", 0),
            ("begin.return", 0),
            ("begin", 1),
            ("begin.return", 1)
        ])
    );
}

#[test]
fn tasks_return_from_their_own_calls() {
    let found = observe(|guest| {
        // Task A calls the function, then task B calls it from another place. A returns first, then
        // B.
        guest.run(&[CALLER, FUNCTION]).switch(0x2000, 0x3000);
        guest.run(&[OTHER, FUNCTION]).switch(0x3100, 0x2000);
        guest.run(&[INNER, AFTER]).switch(0x2100, 0x3100);
        guest.run(&[INNER, AFTER_OTHER]);
    });
    let thread: Vec<_> = found
        .iter()
        .filter(|(name, ..)| CALL.contains(&&**name))
        .collect();
    let first = thread[0];
    let of_a: Vec<_> = thread.iter().filter(|pass| pass.1 == first.1).collect();
    assert_eq!(of_a.len(), 2, "{thread:?}");
    assert!(of_a.iter().all(|pass| pass.2 == first.2));
    let last = thread.last().unwrap();
    assert_eq!(last.0, "begin.return");
    let of_b: Vec<_> = thread.iter().filter(|pass| pass.1 == last.1).collect();
    assert_eq!(of_b.len(), 2, "{thread:?}");
    assert_ne!(first.2, last.2, "two tasks");
}

#[test]
fn a_switch_in_thread_mode_keeps_the_calls_of_tasks_apart() {
    const SWITCHES: [u32; 2] = [FUNCTION, INNER];
    let found = observe(|guest| {
        guest.run(&[CALLER]).run(&SWITCHES);
        guest.switch_in_thread_mode(0x2000, 0x3000);
        guest.run(&[OTHER]).run(&SWITCHES);
        guest.switch_in_thread_mode(0x3000, 0x2000);
        guest.run(&[AFTER, CALLER]).run(&SWITCHES);
        guest.switch_in_thread_mode(0x2000, 0x3000);
        guest.run(&[AFTER_OTHER]);
    });
    let expected = [
        ("begin", 0),
        ("begin", 1),
        ("begin.return", 0),
        ("begin", 0),
        ("begin.return", 1),
    ];
    let calls: Vec<_> = found
        .iter()
        .filter(|(name, ..)| CALL.contains(&&**name))
        .collect();
    let stacks: Vec<_> = calls.iter().map(|pass| (&*pass.0, pass.2)).collect();
    assert_eq!(stacks, expected);
    let same = |one: usize, other: usize| calls[one].1 == calls[other].1;
    assert!(same(0, 2) && same(1, 4) && !same(0, 1) && !same(0, 3));
}

#[test]
fn a_tail_call_returns_with_the_function_that_jumped() {
    let found = observe(|guest| {
        guest.run(&[CALLER, TAIL, FUNCTION, INNER, AFTER]);
    });
    let expected = passes(&[("begin", 0), ("begin.return", 0)]);
    assert_eq!(of(&found, &CALL), expected);
}

#[test]
fn a_long_jump_leaves_the_calls_since() {
    let log = logged(|guest| {
        guest.run(&[BEFORE_OTHER, INNER, OTHER, FUNCTION, RECURSE, FUNCTION]);
        guest.run(&[INNER, OTHER, FUNCTION, INNER, AFTER_OTHER]);
    });
    let frames = log.records.iter();
    let frames = frames.filter(|record| record.kind == LogRecordKind::Frame);
    let depths: Vec<_> = frames.map(|record| record.exception).collect();
    // The depths at `begin` and `middle` of three calls, and at the return of the last.
    assert_eq!(depths, [1, 1, 2, 2, 1, 1, 1]);
}

#[test]
fn a_task_is_named_after_the_function_in_which_it_began() {
    let log = logged(|guest| {
        guest.run(&[CALLER, FUNCTION]).switch(0x2000, 0x3000);
        guest.run(&[OTHER, FUNCTION]).switch(0x3100, 0x4000);
        guest.run(&[TRAMPOLINE, FUNCTION]).switch(0x4100, 0x2000);
        guest.run(&[INNER, AFTER]);
    });
    let tasks = log.trailer.unwrap().tasks;
    let (numbers, began): (Vec<_>, Vec<_>) = tasks.into_iter().unzip();
    assert_eq!(began, [CALLER, OTHER, FUNCTION]);
    let stacks = log.records.iter();
    let stacks = stacks.filter(|record| record.kind == LogRecordKind::Stack);
    let threads = stacks
        .map(|record| record.id)
        .filter(|id| numbers.contains(id));
    let expected = [0, 0, 1, 1, 2, 2, 0].map(|task| numbers[task]);
    assert_eq!(threads.collect::<Vec<_>>(), expected);
}

#[test]
fn a_plan_that_follows_no_calls_logs_marks_alone() {
    let plan = PLAN.replace(
        r#""calls": {"begin": "begin.return", "pendsv": "pendsv.return"},"#,
        r#""calls": null,"#,
    );
    let mut bytes = Vec::new();
    let core = Core::new(&Plan::parse(&plan).unwrap(), image(), &mut bytes).unwrap();
    let mut guest = Guest {
        core,
        running: None,
    };
    guest.run(&[CALLER, FUNCTION, INNER, AFTER]);
    guest.core.finish(Ending::Exit, None).unwrap();
    drop(guest);
    let log = Reader::parse(&bytes).unwrap();
    assert!(log
        .records
        .iter()
        .all(|record| record.kind == LogRecordKind::Mark));
    assert_eq!(log.header.marks, ["begin", "middle", "pendsv"]);
}

#[test]
fn a_call_of_a_mark_that_there_is_not_is_refused() {
    let plan = Plan::parse(&PLAN.replace(r#""pendsv": "pendsv.return""#, r#""x": "y""#)).unwrap();
    let said = Core::new(&plan, image(), Vec::new())
        .err()
        .unwrap()
        .to_string();
    assert_eq!(said, "calls: there is no mark 'x'");
}
