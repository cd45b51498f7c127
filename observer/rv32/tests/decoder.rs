// SPDX-License-Identifier: MIT
//! Tests the decoder against objdump: every compressed instruction and a sample of the others.

use std::path::PathBuf;
use std::process::{Command, Output};
use ticklab_isa::{Class, Flow, Instruction};
use ticklab_rv32::decode_block;

fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}; install it"));
    assert!(output.status.success(), "{command:?}");
    output
}

/// Returns objdump's text for each instruction of `code`, which is at address 0. Each instruction
/// has `size` bytes.
fn objdump(name: &str, code: &[u8], size: usize) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (binary, count) = (folder.join(format!("{name}.bin")), code.len() / size);
    std::fs::write(&binary, code).unwrap();
    let output = run(Command::new("riscv64-unknown-elf-objdump")
        .args([
            "-D",
            "-b",
            "binary",
            "-m",
            "riscv:rv32",
            "-M",
            "no-aliases,numeric",
        ])
        .arg(&binary));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text
        .lines()
        .filter_map(|line| line.split_once(":\t"))
        .map(|(_, rest)| {
            rest.split_once('\t')
                .map_or("", |(_, text)| text)
                .replace('\t', " ")
        })
        .collect();
    assert_eq!(lines.len(), count);
    lines
}

/// Returns the class, reads and writes that objdump's text implies, or `None` if the instruction is
/// outside RV32IMC.
fn expected(text: &str) -> Option<(Class, u8, u8)> {
    let name = text.split(' ').next().unwrap_or("");
    let name = name.strip_prefix("c.").unwrap_or(name);
    Some(match name {
        "lw" | "lh" | "lhu" | "lb" | "lbu" | "lwsp" => (Class::Load, 1, 0),
        "sw" | "sh" | "sb" | "swsp" => (Class::Store, 0, 1),
        "mul" => (Class::Multiply, 0, 0),
        "mulh" | "mulhu" | "mulhsu" => (Class::MultiplyLong, 0, 0),
        "div" | "divu" | "rem" | "remu" => (Class::Divide, 0, 0),
        "beq" | "bne" | "blt" | "bltu" | "bge" | "bgeu" | "beqz" | "bnez" | "j" | "jal" | "jr"
        | "jalr" => (Class::Branch, 0, 0),
        "ebreak" | "ecall" | "mret" | "wfi" => (Class::System, 0, 0),
        "nop" | "li" | "lui" | "auipc" | "mv" | "addi" | "addi4spn" | "addi16sp" | "add"
        | "sub" | "sll" | "slt" | "sltu" | "xor" | "srl" | "sra" | "or" | "and" | "slti"
        | "sltiu" | "xori" | "ori" | "andi" | "slli" | "srli" | "srai" => (Class::Alu, 0, 0),
        _ => return None,
    })
}

fn check(instruction: &Instruction, text: &str) -> bool {
    let Some(expected) = expected(text) else {
        return false;
    };
    // Reserved on RV32 (16.5), but named by objdump: shifts by 32 and more, and C.ADDI16SP of 0.
    if instruction.flow == Flow::Undefined {
        assert!(text.contains(",0x") || text.ends_with(",0"), "{text}");
        return false;
    }
    let decoded = (instruction.class, instruction.reads, instruction.writes);
    assert_eq!(decoded, expected, "{text}");
    let target = match instruction.flow {
        Flow::Branch { target } | Flow::Call { target } | Flow::CondBranch { target } => target,
        _ => return true,
    };
    let named = text.rsplit([',', ' ']).next().unwrap();
    let named = u32::from_str_radix(named.trim_start_matches("0x"), 16).unwrap();
    assert_eq!(target, named, "{text} at {:#x}", instruction.address);
    true
}

#[test]
fn every_compressed_instruction() {
    let halves = (0..=u16::MAX).filter(|half| half & 3 != 3);
    let code: Vec<u8> = halves.flat_map(u16::to_le_bytes).collect();
    let texts = objdump("compressed", &code, 2);
    let decoded = decode_block(0, &code);
    assert_eq!(decoded.len(), texts.len());
    let known = decoded
        .iter()
        .zip(&texts)
        .filter(|(i, text)| check(i, text))
        .count();
    assert!(known > 28_000, "{known}");
}

#[test]
fn words_of_every_major_opcode() {
    let mut word = 0x1234_5677_u32;
    let mut next = || {
        word ^= word << 13;
        word ^= word >> 17;
        word ^= word << 5;
        word
    };
    let opcodes = [0x03, 0x13, 0x17, 0x23, 0x33, 0x37, 0x63, 0x67, 0x6F];
    let words = (0..40_000).map(|index| next() & !0x7F | opcodes[index % opcodes.len()]);
    // Few random words have the upper bits of a valid arithmetic instruction.
    let words = words.map(|word| {
        if word & 0x7F == 0x33 {
            word & !0xBC00_0000
        } else {
            word
        }
    });
    let code: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let texts = objdump("words", &code, 4);
    let known = decode_block(0, &code)
        .iter()
        .zip(&texts)
        .filter(|(i, text)| check(i, text))
        .count();
    assert!(known > 25_000, "{known}");
}

#[test]
fn links_tell_calls_from_returns() {
    let flow = |word: u32| decode_block(0, &word.to_le_bytes())[0].flow;
    assert_eq!(flow(0x0000_8067), Flow::Return); // jalr x0, 0(ra)
    assert_eq!(flow(0x0002_8067), Flow::Return); // jalr x0, 0(t0)
    assert_eq!(flow(0x0007_8067), Flow::IndirectBranch); // jalr x0, 0(a5)
    assert_eq!(flow(0x0007_80E7), Flow::IndirectCall); // jalr ra, 0(a5)
    assert_eq!(flow(0x0080_00EF), Flow::Call { target: 8 }); // jal ra, 8
    assert_eq!(flow(0x3020_0073), Flow::ExceptionReturn);
}
