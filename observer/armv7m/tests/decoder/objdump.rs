// SPDX-License-Identifier: MIT
//! Assembles raw encodings and reads objdump's listing of them.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// One line of the listing. The encoding of a 32-bit instruction has its first half in the upper
/// bits.
pub struct ListingLine {
    pub address: u32,
    pub encoding: u32,
    pub mnemonic: String,
    pub operands: String,
}

/// Returns the bytes of `encodings` in memory.
pub fn bytes(encodings: &[u32]) -> Vec<u8> {
    let halves = encodings.iter().flat_map(|&encoding| {
        let wide = encoding > 0xFFFF;
        wide.then_some((encoding >> 16) as u16)
            .into_iter()
            .chain([encoding as u16])
    });
    halves.flat_map(u16::to_le_bytes).collect()
}

/// Returns the listing of `encodings`, which begin at address 0.
pub fn disassemble(encodings: &[u32]) -> Vec<ListingLine> {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let stem = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("encodings-{run}"));
    let (source, object) = (stem.with_extension("s"), stem.with_extension("o"));
    std::fs::write(&source, listing(encodings)).expect("cannot write the assembler's input");
    let (source, object) = (source.display().to_string(), object.display().to_string());
    run_tool("arm-none-eabi-as", &["-o", &object, &source]);
    let text = run_tool("arm-none-eabi-objdump", &["-d", "--show-raw-insn", &object]);
    let lines: Vec<ListingLine> = text.lines().filter_map(line).collect();
    assert_eq!(
        lines.len(),
        encodings.len(),
        "objdump divided the encodings into other instructions"
    );
    lines
}

fn listing(encodings: &[u32]) -> String {
    let mut text = ".syntax unified\n.thumb\n.cpu cortex-m4\n.fpu fpv4-sp-d16\n".to_owned();
    for encoding in encodings {
        let width = if *encoding > 0xFFFF { "w" } else { "n" };
        writeln!(text, ".inst.{width} {encoding:#x}").expect("writing to a string cannot fail");
    }
    text
}

fn run_tool(tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("cannot run {tool}: {error}"));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} failed: {complaint}");
    String::from_utf8(output.stdout).expect("the listing is ASCII")
}

/// Parses "  4c:\tea40 ff00 \tmnemonic\toperands\t@ comment".
fn line(text: &str) -> Option<ListingLine> {
    let mut columns = text.split('\t');
    let address = columns.next()?.trim().strip_suffix(':')?;
    let encoding = columns.next()?.replace(' ', "");
    Some(ListingLine {
        address: u32::from_str_radix(address, 16).ok()?,
        encoding: u32::from_str_radix(&encoding, 16).ok()?,
        mnemonic: columns.next()?.to_owned(),
        operands: columns.collect::<Vec<_>>().join(" "),
    })
}
