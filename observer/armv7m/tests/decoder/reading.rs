// SPDX-License-Identifier: MIT
//! Derives from the text of an instruction the facts that the decoder must report.

use crate::objdump::ListingLine;
use ticklab_isa::{Flow, Instruction, Register, Registers};

/// The facts about an instruction that objdump's listing shows.
#[derive(Debug, PartialEq, Eq)]
pub struct Reading {
    pub flow: Flow,
    pub reads: u8,
    pub writes: u8,
    /// Registers of the address, if the text has brackets or a list.
    pub base: Option<Registers>,
    /// Core registers that change, if the rules of this file determine them.
    pub results: Option<Registers>,
    pub is_float: bool,
}

const CONDITIONS: [&str; 14] = [
    "eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le",
];

/// Instructions of other architectures.
const FOREIGN: [&str; 55] = [
    "hlt", "bxns", "blxns", "setpan", "setend", "sg", "tt", "ttt", "tta", "ttat", "lda", "ldab",
    "ldah", "ldaex", "ldaexb", "ldaexh", "ldaexd", "stl", "stlb", "stlh", "stlex", "stlexb",
    "stlexh", "stlexd", "ldrexd", "strexd", "smc", "hvc", "eret", "bxj", "esb", "csdb", "clrm",
    "autg", "pacg", "bxaut", "bf", "bfcsel", "bfl", "bflx", "bfx", "le", "letp", "cinc", "cinv",
    "cneg", "cset", "csetm", "csel", "csinc", "csinv", "csneg", "vscclrm", "ssbb", "pssbb",
];

/// The prefixes of other families of foreign instructions.
const FOREIGN_FAMILIES: [&str; 17] = [
    "crc32", "srs", "rfe", "dcps", "cps", "pldw", "fldm", "fstm", "dls", "wls", "lctp", "vctp",
    "asrl", "lsll", "lsrl", "sqrshr", "uqrshl",
];

/// Instructions that change no core register.
const WITHOUT_RESULT: [&str; 30] = [
    "cmp", "cmn", "tst", "teq", "nop", "yield", "sev", "sevl", "dbg", "dsb", "dmb", "isb", "clrex",
    "pld", "pli", "b", "bx", "cbz", "cbnz", "tbb", "tbh", "svc", "bkpt", "wfi", "wfe", "msr",
    "cpsie", "cpsid", "vmsr", "udf",
];

impl Reading {
    /// Returns the facts of the text, or `None` if the text is no instruction of Armv7E-M.
    pub fn from_text(line: &ListingLine) -> Option<Reading> {
        let name = line.mnemonic.trim_end_matches(".n").trim_end_matches(".w");
        let operands = line.operands.split('@').next().unwrap_or("").trim();
        if is_foreign(name, operands) || is_unpredictable(name, line) || is_read_loosely(name, line)
        {
            return None;
        }
        if is_undefined(name, line) {
            return Some(Reading::undefined());
        }
        let (reads, writes) = accesses(name, operands);
        Some(Reading {
            flow: flow(name, operands)?,
            reads,
            writes,
            base: (reads + writes > 0).then(|| base(name, operands)),
            results: results(name, operands),
            is_float: name.starts_with('v') || is_float_stack(name, operands),
        })
    }

    /// Returns the facts of a decoded instruction, restricted to those that `expected` has.
    pub fn from_instruction(instruction: &Instruction, expected: &Reading) -> Reading {
        Reading {
            flow: instruction.flow,
            reads: instruction.reads,
            writes: instruction.writes,
            base: expected.base.map(|_| instruction.base),
            results: expected.results.map(|_| instruction.results),
            is_float: instruction.class.is_float(),
        }
    }

    fn undefined() -> Reading {
        Reading {
            flow: Flow::Undefined,
            reads: 0,
            writes: 0,
            base: None,
            results: Some(Registers::NONE),
            is_float: false,
        }
    }
}

fn is_foreign(name: &str, operands: &str) -> bool {
    let state_change = matches!(name, "cpsie" | "cpsid") && !operands.contains('#');
    let family = FOREIGN_FAMILIES
        .iter()
        .any(|family| name.starts_with(family));
    FOREIGN.contains(&name) || (family && !state_change)
}

/// Returns whether the architecture leaves the behaviour of the instruction open: encodings that
/// objdump marks as such, empty lists, lists with registers that do not exist, and PC where Armv7-M
/// does not allow it.
fn is_unpredictable(name: &str, line: &ListingLine) -> bool {
    const MARKS: [&str; 4] = ["<UN", "<undefined>", "<overflow", "{}"];
    let operands = &line.operands;
    let marked = MARKS.iter().any(|mark| operands.contains(mark));
    marked
        || name.contains(['?', '<'])
        || name.starts_with("undefined")
        || has_no_such_register(name, line)
        || misuses_pc(name, line)
}

/// The floating-point unit has D0 … D15, and a list contains at most those 16 doubles.
fn has_no_such_register(name: &str, line: &ListingLine) -> bool {
    let floats = ["vldm", "vstm", "vpush", "vpop"]
        .iter()
        .any(|start| name.starts_with(start));
    let mut words = line.operands.split([',', ' ', '{', '}', '[', '-']);
    let beyond = words.any(|word| {
        let number = word
            .strip_prefix('d')
            .and_then(|number| number.parse::<u8>().ok());
        number.is_some_and(|number| number > 15)
    });
    beyond || (floats && line.encoding & 0xFF > 32)
}

fn misuses_pc(name: &str, line: &ListingLine) -> bool {
    let operands = &line.operands;
    let (data, address) = operands.split_once('[').unwrap_or((operands, ""));
    let jumps = matches!(name, "ldr" | "pop" | "pld" | "pli") || name.starts_with("ldm");
    let short = line.encoding <= 0xFFFF && matches!(name, "mov" | "add");
    let stores = name.starts_with("st");
    let hint_writes_back =
        name.starts_with("pl") && (address.contains('!') || address.contains("],"));
    (operands.starts_with("pc,") && !jumps && !short)
        || (data.contains("pc") && (stores || name == "ldrd"))
        || (stores && address.starts_with("pc"))
        || hint_writes_back
}

/// Returns whether objdump names an encoding that the architecture does not define. objdump ignores
/// bits that must be 0 in a register offset and in transfers to the floating-point unit, and does
/// not show a write-back by 0.
fn is_read_loosely(name: &str, line: &ListingLine) -> bool {
    let (first, second) = (line.encoding >> 16, line.encoding);
    let register_offset = first & 0xFE80 == 0xF800 && second & 0x0800 == 0;
    let pair = matches!(name, "ldrd" | "strd") && first & 0x20 != 0;
    let transfer = ["mcr", "mrc", "mrr", "cdp"]
        .iter()
        .any(|start| name.starts_with(start));
    (register_offset && second & 0x07C0 != 0 && first & 0xF != 0xF)
        || (pair && !line.operands.contains('!') && !line.operands.contains("],"))
        || (transfer && matches!(second >> 8 & 0xF, 10 | 11))
        || (name == "vmov.32" && first & 0x80 != 0)
        || line.encoding == 0x46C0 // MOV R8, R8, which objdump shows as NOP
}

/// Returns whether the instruction is undefined: UDF, BLX to Arm code, an absent coprocessor,
/// double-precision and vector operations, and instructions of later floating-point units.
fn is_undefined(name: &str, line: &ListingLine) -> bool {
    const SCALARS: [&str; 7] = [
        "vdup", "vmov.8", "vmov.s8", "vmov.u8", "vmov.16", "vmov.s16", "vmov.u16",
    ];
    let prefix = line.encoding >> 24;
    let coprocessor = matches!(prefix, 0xEC..=0xEE | 0xFC..=0xFE);
    let absent = coprocessor && !matches!(line.encoding >> 8 & 0xF, 10 | 11);
    let later = matches!(prefix, 0xFC..=0xFE);
    let vector = matches!(prefix, 0xEF | 0xFF) || line.encoding >> 16 & 0xFF10 == 0xF900;
    let scalar = SCALARS.iter().any(|start| name.starts_with(start));
    let to_arm = name == "blx" && line.encoding > 0xFFFF;
    absent || later || vector || scalar || to_arm || name.contains("f64") || name == "udf"
}

fn is_float_stack(name: &str, operands: &str) -> bool {
    matches!(name, "vpush" | "vpop") || operands.starts_with("{s") && name.starts_with('v')
}

fn flow(name: &str, operands: &str) -> Option<Flow> {
    let target = || branch_target(operands);
    let conditional = name
        .strip_prefix('b')
        .is_some_and(|rest| CONDITIONS.contains(&rest));
    let into_pc = match name {
        "mov" | "add" => operands.starts_with("pc,"),
        _ => false,
    };
    let loads_pc = (name == "ldr" && operands.starts_with("pc,"))
        || ((name.starts_with("ldm") || name == "pop") && list(operands).contains(&"pc"));
    Some(match name {
        "b" => Flow::Branch { target: target()? },
        "bl" => Flow::Call { target: target()? },
        "cbz" | "cbnz" => Flow::CondBranch { target: target()? },
        "blx" => Flow::IndirectCall,
        "bx" => Flow::Return,
        "tbb" | "tbh" => Flow::IndirectBranch,
        "svc" => Flow::SupervisorCall,
        "bkpt" => Flow::Breakpoint,
        "wfi" | "wfe" => Flow::Wait,
        _ if conditional => Flow::CondBranch { target: target()? },
        _ if into_pc => Flow::IndirectBranch,
        _ if loads_pc => Flow::Return,
        _ => Flow::Next,
    })
}

/// Returns the last operand, a hexadecimal number before any symbol.
fn branch_target(operands: &str) -> Option<u32> {
    let last = operands.rsplit(", ").next()?.split(' ').next()?;
    u32::from_str_radix(last.trim_start_matches("0x"), 16).ok()
}

/// Returns the elements of a register list. A range is one element.
fn list(operands: &str) -> Vec<&str> {
    let inside = operands
        .split('{')
        .nth(1)
        .and_then(|rest| rest.split('}').next());
    inside.map_or(Vec::new(), |inside| inside.split(", ").collect())
}

/// Returns the number of words in a list: "s0-s3" is four, "d0-d3" is eight.
fn words(operands: &str) -> u8 {
    let element = |element: &str| {
        let number = |name: &str| name[1..].parse::<u8>().ok();
        let each = if element.starts_with('d') { 2 } else { 1 };
        match element.split_once('-') {
            Some((first, last)) => match (number(first), number(last)) {
                (Some(first), Some(last)) => {
                    last.wrapping_sub(first).wrapping_add(1).wrapping_mul(each)
                }
                _ => 0,
            },
            None => each,
        }
    };
    list(operands).into_iter().map(element).sum()
}

fn accesses(name: &str, operands: &str) -> (u8, u8) {
    let one = if operands.starts_with('d') { 2 } else { 1 };
    match name {
        "ldrd" => (2, 0),
        "strd" => (0, 2),
        "vldr" => (one, 0),
        "vstr" => (0, one),
        "tbb" | "tbh" => (1, 0),
        "pop" | "vpop" => (words(operands), 0),
        "push" | "vpush" => (0, words(operands)),
        _ if name.starts_with("ldm") || name.starts_with("vldm") => (words(operands), 0),
        _ if name.starts_with("stm") || name.starts_with("vstm") => (0, words(operands)),
        _ if name.starts_with("ldr") => (1, 0),
        _ if name.starts_with("str") => (0, 1),
        _ => (0, 0),
    }
}

/// Returns the registers in brackets, or the one before the braces, or SP.
fn base(name: &str, operands: &str) -> Registers {
    if name.ends_with("push") || name.ends_with("pop") {
        return set(&["sp"]);
    }
    let brackets = operands
        .split('[')
        .nth(1)
        .and_then(|rest| rest.split(']').next());
    match brackets {
        Some(inside) => set(&inside.split(", ").collect::<Vec<_>>()),
        None => set(&[operands.split(['!', ',']).next().unwrap_or("")]),
    }
}

/// Returns the core registers that change: the first operand, and those implied by the mnemonic.
fn results(name: &str, operands: &str) -> Option<Registers> {
    let first: Vec<&str> = operands.split(", ").collect();
    let conditional = name
        .strip_prefix('b')
        .is_some_and(|rest| CONDITIONS.contains(&rest));
    let loads = name.starts_with("ldr");
    let stores = name.starts_with("str") && !name.starts_with("strex");
    let long = ["smlal", "umlal", "umaal", "smull", "umull", "smlsld"];
    if name.starts_with('v') || name.starts_with("ldm") || name.starts_with("stm") {
        None // lists and floating-point registers: the test compares the counts instead
    } else if conditional || WITHOUT_RESULT.contains(&name) {
        Some(Registers::NONE)
    } else if matches!(name, "push" | "pop") {
        None
    } else if matches!(name, "bl" | "blx") {
        Some(set(&["lr"]))
    } else if loads || stores {
        Some(transfer_results(name, operands, &first))
    } else if long.iter().any(|start| name.starts_with(start)) {
        Some(set(&first[..2]))
    } else {
        Some(set(&first[..1]))
    }
}

/// Returns the registers that a load or store changes: a load's data, and a base that is written
/// back.
fn transfer_results(name: &str, operands: &str, first: &[&str]) -> Registers {
    let data = match name {
        "ldrd" => &first[..2],
        _ if name.starts_with("ldr") => &first[..1],
        _ => &[],
    };
    let mut changed = data.to_vec();
    if operands.contains('!') || operands.contains("],") {
        let inside = operands.split('[').nth(1).unwrap_or("");
        changed.push(inside.split([',', ']']).next().unwrap_or(""));
    }
    set(&changed)
}

/// Returns the core registers in `names`.
fn set(names: &[&str]) -> Registers {
    names
        .iter()
        .fold(Registers::NONE, |registers, name| match number(name) {
            Some(number) => registers | Register(number),
            None => registers,
        })
}

fn number(name: &str) -> Option<u8> {
    match name {
        "sl" => Some(10),
        "fp" => Some(11),
        "ip" => Some(12),
        "sp" => Some(13),
        "lr" => Some(14),
        "pc" => Some(15),
        _ => name
            .strip_prefix('r')?
            .parse()
            .ok()
            .filter(|number| *number < 16),
    }
}
