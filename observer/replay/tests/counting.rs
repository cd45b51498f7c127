// SPDX-License-Identifier: MIT
//! Tests the replay core with blocks that are "executed" by hand.

use object::write::{Object, StandardSection};
use object::{Architecture, BinaryFormat, Endianness};
use ticklab_isa::counted;
use ticklab_replay::{BlockId, Core, Ending, Image, LogRecordKind, Plan, Reader};

const HARD_FAULT: u32 = 0x200;
const PENDSV: u32 = 0x300;
const MARK: u32 = 0x104;

/// STR R0, [R1]; NOP; NOP; B 0x100.
const STORE: &[u8] = &[0x08, 0x60, 0x00, 0xBF, 0x00, 0xBF, 0xFB, 0xE7];
/// NOP; BNE to the NOP.
const LOOP: &[u8] = &[0x00, 0xBF, 0xFD, 0xD1];
const BX_LR: &[u8] = &[0x70, 0x47];
/// IT EQ; LDREQ R0, [R1]; NOP.
const MAYBE_LOAD: &[u8] = &[0x08, 0xBF, 0x08, 0x68, 0x00, 0xBF];

fn image() -> Image {
    let mut elf = Object::new(BinaryFormat::Elf, Architecture::Arm, Endianness::Little);
    let text = elf.section_id(StandardSection::Text);
    let mut table = [0_u32; 16];
    (table[1], table[3], table[14]) = (0x101, HARD_FAULT + 1, PENDSV + 1);
    let bytes: Vec<_> = table.iter().flat_map(|word| word.to_le_bytes()).collect();
    elf.append_section_data(text, &bytes, 4);
    Image::parse(&elf.write().unwrap()).unwrap()
}

fn plan(entries: &str) -> Result<Plan, String> {
    let text = r#"{"version": 3, "image": "", "log": "",
        "marks": [{"name": "m", "address": 260, "is_write": false}],
        "calls": null, "port": [[258, 260]], "exit_register": null, "bus_latency": 0,
        "until": {"marks": {"name": "m", "passes": 3}, "instructions": 1000},
        "stall_instructions": 100, "core": "cortex-m4f", "vectors": 0, "model": null,
        "entries": ENTRIES}"#;
    Plan::parse(&text.replace("ENTRIES", entries)).map_err(|e| e.to_string())
}

/// Runs `act` on a new core and returns the log.
fn observe(act: impl FnOnce(&mut Core)) -> Reader {
    observe_with("{}", act)
}

/// Runs `act` on a new core with marks at these entries of exceptions, and returns the log.
fn observe_with(entries: &str, act: impl FnOnce(&mut Core)) -> Reader {
    let mut bytes = Vec::new();
    let mut core = Core::new(&plan(entries).unwrap(), image(), &mut bytes).unwrap();
    act(&mut core);
    core.finish(Ending::Exit, None).unwrap();
    drop(core);
    Reader::parse(&bytes).unwrap()
}

fn rest(log: &Reader, lane: usize) -> u32 {
    log.rest.unwrap()[lane]
}

#[test]
fn a_block_that_ran_to_its_end_counts_as_a_whole() {
    let log = observe(|core| {
        let block = core.block(0x100, STORE);
        core.enter(block, 0);
        core.enter(block, 1);
        core.enter(block, 1);
    });
    assert_eq!(rest(&log, counted::INSTRUCTIONS), 8);
    assert_eq!(rest(&log, counted::WRITES), 2);
    assert_eq!(rest(&log, counted::PORT), 2, "one instruction of each pass");
}

#[test]
fn a_mark_inside_a_block_that_repeats_divides_its_tally() {
    let log = observe(|core| {
        let block = core.block(0x100, STORE);
        core.enter(block, 0);
        for _ in 0..2 {
            core.enter(block, 1);
            core.mark(0, 3);
        }
        core.enter(block, 1);
        assert!(!core.was_plain(), "a mark divided the block");
        core.enter(block, 1);
        assert!(core.was_plain());
    });
    let instructions = |record: usize| log.records[record].tally[counted::INSTRUCTIONS];
    assert_eq!([instructions(0), instructions(1)], [4 + 3, 1 + 3]);
    assert_eq!(rest(&log, counted::INSTRUCTIONS), 1 + 4);
    assert_eq!(
        [
            log.records[1].tally[counted::PORT],
            rest(&log, counted::PORT)
        ],
        [1, 1]
    );
}

#[test]
fn a_device_access_that_the_target_repeats_counts_once() {
    let log = observe(|core| {
        let (block, after) = (core.block(0x100, STORE), core.block(0x102, &STORE[2..]));
        core.enter(block, 0);
        core.enter(after, 0);
        core.stop(0);
    });
    assert_eq!(rest(&log, counted::INSTRUCTIONS), 4);
    assert_eq!(rest(&log, counted::WRITES), 1);
}

#[test]
fn an_access_that_faults_does_not_count() {
    let log = observe(|core| {
        let (block, handler) = (core.block(0x100, STORE), core.block(HARD_FAULT, BX_LR));
        core.enter(block, 0);
        core.enter(handler, 0);
    });
    let fault = log.records[0];
    assert_eq!(
        (fault.kind, fault.id, fault.exception),
        (LogRecordKind::Fault, 3, 0)
    );
    assert_eq!(fault.tally[counted::INSTRUCTIONS], 0);
    assert_eq!(rest(&log, counted::FAULTS), 1);
}

#[test]
fn an_access_that_an_interrupt_follows_counts() {
    let log = observe(|core| {
        let (block, handler) = (core.block(0x100, STORE), core.block(PENDSV, BX_LR));
        core.enter(block, 0);
        core.enter(handler, 0);
    });
    assert_eq!(rest(&log, counted::INSTRUCTIONS), 1);
    assert_eq!(
        [rest(&log, counted::ENTERED), rest(&log, counted::PENDSV)],
        [1, 1]
    );
}

#[test]
fn an_entry_passes_the_mark_of_its_kind() {
    let log = observe_with(r#"{"pendsv": "entry", "svcall": "call"}"#, |core| {
        let (block, handler) = (core.block(0x100, STORE), core.block(PENDSV, STORE));
        let after = core.block(PENDSV + 2, &STORE[2..]);
        core.enter(block, 0);
        assert_eq!(core.entered(), None);
        core.enter(handler, 1);
        let mark = core.entered().unwrap();
        core.mark(mark, 0);
        core.enter(after, 0);
        assert_eq!(core.entered(), None, "a device access of the handler");
    });
    let [entry] = log.records[..] else {
        panic!("{:?}", log.records);
    };
    assert_eq!(log.header.marks[entry.id as usize], "entry");
    assert_eq!(entry.exception, 14);
    let lanes = [counted::INSTRUCTIONS, counted::ENTERED, counted::PENDSV];
    assert_eq!(lanes.map(|lane| entry.tally[lane]), [4, 1, 1]);
}

#[test]
fn a_handler_that_loops_to_its_beginning_is_entered_once() {
    observe_with(r#"{"pendsv": "entry"}"#, |core| {
        let handler = core.block(PENDSV, LOOP);
        let after = core.block(PENDSV + 4, STORE);
        core.enter(handler, 0);
        for _ in 0..2 {
            core.enter(handler, 0);
            assert_eq!(core.entered(), None, "a branch leads there");
        }
        core.enter(after, 0);
        core.enter(handler, 1);
        assert!(core.entered().is_some());
        core.enter(handler, 0);
        assert_eq!(core.entered(), None, "a known edge");
    });
}

#[test]
fn an_entry_of_another_kind_passes_none() {
    observe_with(r#"{"systick": "entry"}"#, |core| {
        let (block, handler) = (core.block(0x100, STORE), core.block(PENDSV, BX_LR));
        core.enter(block, 0);
        core.enter(handler, 1);
        assert_eq!(core.entered(), None);
    });
}

#[test]
fn an_unknown_kind_of_exceptions_is_refused() {
    let plan = plan(r#"{"instructions": "entry"}"#).unwrap();
    let Err(error) = Core::new(&plan, image(), Vec::new()) else {
        panic!("taken");
    };
    let error = error.to_string();
    for named in ["instructions", "svcall", "faults"] {
        assert!(error.contains(named), "{error}");
    }
}

#[test]
fn a_mark_divides_its_block() {
    let log = observe(|core| {
        let block = core.block(0x100, STORE);
        let mark = core.marks_at(MARK)[0];
        core.enter(block, 0);
        assert_eq!(core.mark(mark, 2), None);
        core.enter(block, 1);
        assert_eq!(core.mark(mark, 2), None);
        core.enter(block, 1);
        assert_eq!(core.mark(mark, 2), Some(Ending::Marks));
    });
    let instructions: Vec<_> = log
        .records
        .iter()
        .map(|r| r.tally[counted::INSTRUCTIONS])
        .collect();
    assert_eq!(instructions, [2, 4, 4]);
    assert_eq!(log.trailer.unwrap().pc, Some(MARK));
}

#[test]
fn a_conditional_access_counts_if_it_was_made() {
    let reads = |made: bool| {
        let log = observe(|core| {
            let block = core.block(0x100, MAYBE_LOAD);
            core.enter(block, 0);
            if made {
                core.accessed(0x102);
            }
            core.enter(block, 2);
        });
        rest(&log, counted::READS)
    };
    assert_eq!((reads(true), reads(false)), (1, 0));
}

#[test]
fn the_budget_ends_a_guest_without_marks() {
    let mut ending = None;
    let log = observe(|core| {
        let block = core.block(0x100, STORE);
        core.enter(block, 0);
        ending = (0..1000).find_map(|_| core.enter(block, 1));
    });
    assert_eq!(ending, Some(Ending::Stalled));
    assert_eq!(rest(&log, counted::INSTRUCTIONS), 100);
}

#[test]
fn the_same_code_is_one_block() {
    observe(|core| {
        let first: BlockId = core.block(0x100, STORE);
        assert_eq!(core.block(0x100, STORE), first);
        assert_ne!(core.block(0x100, &STORE[..4]), first);
    });
}
