// SPDX-License-Identifier: MIT
//! Tests the decoder of A32 against GNU objdump: a sample of all encodings, of those that software
//! uses most, and of the floating-point unit. Objdump names instructions of other architectures
//! too; those are excluded by name, and the tests check how many remain.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use ticklab_armv7a::decode_arm;
use ticklab_isa::{Flow, Instruction};

const CONDITIONS: [&str; 16] = [
    "eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "hs", "lo",
];

/// Mnemonics of other architectures and of absent coprocessors, and of unallocated encodings.
const FOREIGN: [&str; 38] = [
    "hlt", "lda", "stl", "crc32", "tst", "teq", "cmp", "cmn", "cdp", "ldc", "stc", "setpan", "esb",
    "csdb", "cx", "vcx", "vsel", "vmaxnm", "vminnm", "vrint", "vcvta", "vcvtn", "vcvtp", "vcvtm",
    "vseleq", "aes", "sha", "vjcvt", "vins", "vmovx", "vfm", "vcmla", "vcadd", "vdot", "vudot",
    "vsdot", "fldm", "fstm",
];

/// The facts about an instruction that both objdump's text and the decoder show.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    flow: &'static str,
    target: Option<u32>,
    reads: u8,
    writes: u8,
}

fn run(tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; install it"));
    assert!(output.status.success(), "{tool} {arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns mnemonic and operands of each word, by objdump, from address 0.
fn listing(name: &str, words: &[u32]) -> Vec<(String, String)> {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&file, code).unwrap();
    let binary = ["-D", "-b", "binary", "-m", "armv7", file.to_str().unwrap()];
    let text = run("arm-none-eabi-objdump", &binary);
    let lines = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once(":\t")?;
        let (_, text) = rest.split_once('\t')?;
        let text = text.split(['@', ';']).next()?.trim();
        let (name, operands) = text.split_once('\t').unwrap_or((text, ""));
        Some((name.trim().to_owned(), operands.trim().to_owned()))
    });
    let lines: Vec<_> = lines.collect();
    assert_eq!(lines.len(), words.len());
    lines
}

/// Returns the mnemonic without its condition.
fn stem(name: &str) -> &str {
    let plain = name.split('.').next().unwrap_or(name);
    const WHOLE: [&str; 6] = ["svc", "teq", "mls", "smmls", "umlals", "smlals"];
    let condition = CONDITIONS.iter().find(|c| plain.ends_with(*c));
    match condition {
        Some(c) if plain.len() > c.len() && !WHOLE.contains(&plain) => {
            &plain[..plain.len() - c.len()]
        }
        _ => plain,
    }
}

/// Returns whether the behaviour of the instruction is not defined by Armv7-A, or the instruction
/// belongs to another architecture.
fn is_foreign(word: u32, name: &str, operands: &str) -> bool {
    let text = format!("{name} {operands}");
    let marked = ["<", "?", "{}", "undefined", "UNPREDICTABLE", "_usr"];
    FOREIGN.iter().any(|foreign| name.starts_with(foreign))
        || marked.iter().any(|mark| text.contains(mark))
        || name.is_empty()
        || name.starts_with('.')
        || (name.starts_with("msr") && word >> 25 & 7 == 0 && word & 0x70 != 0)
        || is_of_absent_coprocessor(word)
        || misuses_pc(word, name, operands)
}

/// Returns whether the instruction is one of a coprocessor other than VFP and CP15, for which
/// objdump knows old floating-point units, or a list of more registers than VFP has.
fn is_of_absent_coprocessor(word: u32) -> bool {
    let is_coprocessor = matches!(word >> 24 & 0xF, 0b1100..=0b1110);
    let is_float = word >> 9 & 7 == 0b101;
    let is_list = is_float && word >> 25 & 7 == 0b110;
    let is_system = word >> 8 & 0xF == 15 && word >> 24 & 0xF == 0b1110 && word >> 4 & 1 == 1;
    (is_coprocessor && !is_float && !is_system) || (is_list && word & 0xFF > 32)
}

/// Returns whether the instruction uses PC as an operand where the decoder need not support it: PC
/// may be the result of data processing and of loads of words, and the address of loads.
fn misuses_pc(word: u32, name: &str, operands: &str) -> bool {
    let is_multiply_or_extra = word >> 25 & 7 == 0 && word & 0x90 == 0x90;
    let is_multiple = ["ldm", "stm", "vldm", "vstm"]
        .iter()
        .any(|start| name.starts_with(start));
    let is_first = operands.starts_with("pc");
    let loads_word = stem(name) == "ldr";
    let may_be_first = loads_word || OPERATIONS.iter().any(|o| name.starts_with(o));
    let writes_back = operands.contains("[pc],") || operands.ends_with('!');
    let is_base = operands.contains("[pc") && (!name.starts_with("ldr") || writes_back);
    (is_multiply_or_extra && operands.contains("pc"))
        || (is_multiple && is_first)
        || (is_first && (!may_be_first || name.starts_with("movt") || name.starts_with("movw")))
        || is_base
}

/// Mnemonics of data processing that writes a result.
const OPERATIONS: [&str; 17] = [
    "and", "eor", "sub", "rsb", "add", "adc", "sbc", "rsc", "orr", "mov", "lsl", "lsr", "asr",
    "ror", "rrx", "bic", "mvn",
];

/// Returns the number of words in a register list.
fn words(operands: &str) -> u8 {
    let inside = operands.split(['{', '}']).nth(1).unwrap_or("");
    let number = |name: &str| match name {
        "sl" => 10,
        "fp" => 11,
        "ip" => 12,
        "sp" => 13,
        "lr" => 14,
        "pc" => 15,
        _ => name
            .get(1..)
            .and_then(|n| n.parse::<u8>().ok())
            .unwrap_or(0),
    };
    let each = |part: &str| {
        let width = if part.starts_with('d') { 2 } else { 1 };
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        (number(last).wrapping_sub(number(first)).wrapping_add(1)) * width
    };
    inside.split(", ").map(each).sum()
}

fn accesses(name: &str, operands: &str) -> (u8, u8) {
    let one = if operands.starts_with('d') { 2 } else { 1 };
    match name {
        "srsia" | "srsib" | "srsda" | "srsdb" => (0, 2),
        "rfeia" | "rfeib" | "rfeda" | "rfedb" => (2, 0),
        "swp" | "swpb" => (1, 1),
        "ldrd" | "ldrexd" => (2, 0),
        "strd" | "strexd" => (0, 2),
        "vldr" => (one, 0),
        "vstr" => (0, one),
        _ if name.starts_with("ldm") || name.starts_with("vldm") => (words(operands), 0),
        "pop" | "vpop" => (words(operands), 0),
        _ if name.starts_with("stm") || name.starts_with("vstm") => (0, words(operands)),
        "push" | "vpush" => (0, words(operands)),
        _ if name.starts_with("ldr") => (1, 0),
        _ if name.starts_with("str") => (0, 1),
        _ => (0, 0),
    }
}

/// Returns the kind of flow. Data processing with PC as result and S returns from an exception.
fn flow(name: &str, full: &str, operands: &str) -> &'static str {
    let to_pc = operands.starts_with("pc,");
    let loads = name.starts_with("ldm") || name == "pop";
    let has_pc = operands.contains("pc}") || operands.contains("pc, ");
    match name {
        "b" => "branch",
        "bl" => "call",
        "blx" if operands.starts_with("0x") => "call",
        "blx" => "indirect call",
        "bx" | "bxj" if operands == "lr" => "return",
        "bx" | "bxj" => "indirect",
        "svc" => "supervisor call",
        "bkpt" => "breakpoint",
        "wfi" | "wfe" => "wait",
        "udf" => "undefined",
        "rfeia" | "rfeib" | "rfeda" | "rfedb" | "eret" => "exception return",
        _ if loads && has_pc && operands.ends_with('^') => "exception return",
        _ if loads && operands.contains("pc}") => "return",
        "ldr" if to_pc && operands.contains("[sp") => "return",
        "ldr" if to_pc => "indirect",
        "mov" if operands == "pc, lr" => "return",
        "ldr" | "str" | "mrc" | "vmrs" => "next",
        _ if to_pc && is_flag_setting(full) => "exception return",
        _ if to_pc => "indirect",
        _ => "next",
    }
}

/// Returns whether the mnemonic of data processing has an S before its condition.
fn is_flag_setting(full: &str) -> bool {
    let rest = OPERATIONS.iter().find_map(|name| full.strip_prefix(name));
    let rest = rest.unwrap_or("");
    rest.starts_with('s') && (rest.len() == 1 || rest.len() == 3)
}

fn of_text(name: &str, operands: &str) -> Facts {
    let plain = stem(name);
    let (reads, writes) = accesses(plain, operands);
    let flow = flow(plain, name.split('.').next().unwrap_or(name), operands);
    let target = || u32::from_str_radix(operands.trim_start_matches("0x"), 16).ok();
    Facts {
        flow,
        target: matches!(flow, "branch" | "call").then(target).flatten(),
        reads,
        writes,
    }
}

fn of_instruction(instruction: &Instruction) -> Facts {
    let (flow, target) = match instruction.flow {
        Flow::Next => ("next", None),
        Flow::Branch { target } | Flow::CondBranch { target } => ("branch", Some(target)),
        Flow::Call { target } => ("call", Some(target)),
        Flow::IndirectCall => ("indirect call", None),
        Flow::IndirectBranch => ("indirect", None),
        Flow::Return => ("return", None),
        Flow::ExceptionReturn => ("exception return", None),
        Flow::SupervisorCall => ("supervisor call", None),
        Flow::Breakpoint => ("breakpoint", None),
        Flow::Wait => ("wait", None),
        Flow::Undefined => ("undefined", None),
    };
    Facts {
        flow,
        target,
        reads: instruction.reads,
        writes: instruction.writes,
    }
}

/// Checks all `encodings` that objdump reads as Armv7-A. At least the fraction `least` of the
/// encodings must be such.
fn assert_agreement(name: &str, encodings: &[u32], least: f64) {
    let code: Vec<u8> = encodings.iter().flat_map(|w| w.to_le_bytes()).collect();
    let block = decode_arm(0, &code);
    let (mut checked, mut wrong) = (0, BTreeMap::new());
    for (index, (mnemonic, operands)) in listing(name, encodings).iter().enumerate() {
        if is_foreign(encodings[index], mnemonic, operands) {
            continue;
        }
        checked += 1;
        let (expected, decoded) = (of_text(mnemonic, operands), of_instruction(&block[index]));
        let word = encodings[index];
        if expected != decoded {
            let text = format!("{word:08x} {mnemonic} {operands}: {expected:?} {decoded:?}");
            wrong.entry(stem(mnemonic).to_owned()).or_insert(text);
        }
    }
    let shown: Vec<_> = wrong.into_values().collect();
    assert!(shown.is_empty(), "the first of each:\n{}", shown.join("\n"));
    let fraction = f64::from(checked) / encodings.len() as f64;
    assert!(fraction >= least, "only {fraction:.3} were checked");
}

/// Returns `count` random words, the same in every run. The bits in `mask` have the value that they
/// have in `fixed`.
fn sample(count: usize, fixed: u32, mask: u32) -> Vec<u32> {
    let mut state = 1u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 32) as u32
    };
    (0..count).map(|_| next() & !mask | fixed & mask).collect()
}

#[test]
fn a_sample_of_all_encodings() {
    assert_agreement("all", &sample(40_000, 0xE000_0000, 0xF000_0000), 0.3);
    assert_agreement("conditional", &sample(10_000, 0, 0x8000_0000), 0.3);
}

#[test]
fn instructions_without_a_condition() {
    for (name, fixed, mask) in [
        ("blx", 0xFA00_0000, 0xFE00_0000),
        ("rfe", 0xF810_0A00, 0xFE50_FFFF),
        ("srs", 0xF84D_0500, 0xFE5F_FFE0),
        ("cps", 0xF100_0000, 0xFFF1_FE20),
    ] {
        assert_agreement(name, &sample(500, fixed, mask), 0.2);
    }
}

#[test]
fn moves_of_many_registers() {
    assert_agreement("multiple", &sample(5_000, 0xE800_0000, 0xFE00_0000), 0.4);
    for (name, fixed) in [("vldm", 0xEC90_0B00), ("vstm-single", 0xEC80_0A00)] {
        let lists: Vec<u32> = (1..=8).map(|count| fixed | (2 * count)).collect();
        assert_agreement(name, &lists, 0.9);
    }
}

#[test]
fn jumps_to_a_computed_address() {
    let words: Vec<u32> = sample(8_000, 0xE000_F000, 0xFC00_F000);
    assert_agreement("pc", &words, 0.3);
    assert_agreement("bx", &sample(300, 0xE12F_FF10, 0xFFFF_FFD0), 0.3);
}
