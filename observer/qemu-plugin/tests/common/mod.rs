// SPDX-License-Identifier: GPL-2.0-or-later
//! Builds the guests of observer/guest-tests and observes them in QEMU. A missing tool fails the
//! test.
#![allow(dead_code)] // Each test program uses only a part.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use ticklab_replay::{Ending, Image, LogRecord, LogRecordKind, Mark, Reader};

/// The core of a guest, and the emulator's machine that has this core.
struct Machine {
    /// The name in platform/cores, whose compiler and flags build the guest.
    core: &'static str,
    /// Further options of the compiler.
    more: &'static [&'static str],
    /// The folder in observer/guest-tests.
    folder: &'static str,
    linker_script: &'static str,
    /// The address of the vector table.
    vectors: u32,
    start: &'static str,
    emulator: &'static [&'static str],
    exit_register: &'static str,
}

const ARMV7M: Machine = Machine {
    core: "cortex-m4f",
    more: &[],
    folder: "",
    linker_script: "guest.ld",
    vectors: 0,
    start: "start.c",
    emulator: &[
        "-M",
        "mps2-an386",
        "-semihosting-config",
        "enable=on,target=native",
    ],
    exit_register: "null",
};

const CORTEX_M7: Machine = Machine {
    core: "cortex-m7f",
    emulator: &[
        "-M",
        "mps2-an500",
        "-semihosting-config",
        "enable=on,target=native",
    ],
    ..ARMV7M
};

/// The processor begins in the Secure state, and the guests stay there.
const CORTEX_M33: Machine = Machine {
    core: "cortex-m33f",
    linker_script: "an505.ld",
    vectors: 0x1000_0000,
    emulator: &[
        "-M",
        "mps2-an505",
        "-semihosting-config",
        "enable=on,target=native",
    ],
    ..ARMV7M
};

const RV32: Machine = Machine {
    core: "ibex",
    more: &["-ffreestanding", "-Wl,--no-warn-rwx-segments"],
    folder: "rv32",
    linker_script: "guest.ld",
    vectors: 0,
    start: "start.S",
    emulator: &["-M", "virt", "-bios", "none"],
    exit_register: "1048576",
};

const ARMV7A: Machine = Machine {
    core: "cortex-a7",
    more: &["-ffreestanding", "-Wl,--no-warn-rwx-segments"],
    folder: "armv7a",
    linker_script: "guest.ld",
    vectors: 0,
    start: "start.S",
    emulator: &[
        "-M",
        "virt,gic-version=2",
        "-cpu",
        "cortex-a7",
        "-semihosting-config",
        "enable=on,target=native",
    ],
    exit_register: "null",
};

/// A core as described by platform/cores/<core>.toml and platform/arch/<arch>/arch.toml.
struct Described {
    arch: String,
    compiler: String,
    flags: Vec<String>,
    emulator: String,
}

impl Described {
    fn read(core: &str) -> Described {
        let table = described(&format!("cores/{core}.toml"));
        let core = &table["core"];
        let arch = text(&core["arch"]);
        let table = described(&format!("arch/{arch}/arch.toml"));
        let described = &table["arch"];
        Described {
            compiler: format!("{}-gcc", text(&described["compiler"]["triple"])),
            flags: core["flags"].as_array().unwrap().iter().map(text).collect(),
            emulator: text(&described["emulator"]["program"]),
            arch,
        }
    }
}

/// Reads one description of platform/.
fn described(name: &str) -> Value {
    let file = observer().join("../platform").join(name);
    basic_toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// One guest, built in a folder of its own.
pub struct Guest {
    machine: &'static Machine,
    folder: PathBuf,
    image: PathBuf,
    /// The plan's `model`; `null` only counts.
    pub model: &'static str,
    /// The plan's `entries`.
    pub entries: &'static str,
}

/// A mark at the entries of each kind of exception, for [`Guest::entries`].
pub const ENTRIES: &str = r#"{"svcall": "entry.svcall", "pendsv": "entry.pendsv",
    "systick": "entry.systick", "external": "entry.external", "faults": "entry.faults"}"#;

impl Guest {
    /// Builds `<name>.c` or `<name>.S`. `test` separates tests that use the same guest.
    pub fn build(name: &str, test: &str) -> Guest {
        Guest::build_for(&ARMV7M, name, test)
    }

    /// Builds a guest for the Cortex-M7 in the same way.
    pub fn build_m7(name: &str, test: &str) -> Guest {
        Guest::build_for(&CORTEX_M7, name, &format!("{test}-m7"))
    }

    /// Builds a guest for the Cortex-M33 in the same way.
    pub fn build_m33(name: &str, test: &str) -> Guest {
        Guest::build_for(&CORTEX_M33, name, &format!("{test}-m33"))
    }

    /// Builds a guest of `rv32/` in the same way.
    pub fn build_rv32(name: &str, test: &str) -> Guest {
        Guest::build_for(&RV32, name, test)
    }

    /// Builds a guest of `armv7a/` in the same way.
    pub fn build_armv7a(name: &str, test: &str) -> Guest {
        Guest::build_for(&ARMV7A, name, test)
    }

    fn build_for(machine: &'static Machine, name: &str, test: &str) -> Guest {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}{name}", machine.folder));
        std::fs::create_dir_all(&folder).unwrap();
        let image = folder.join("guest.elf");
        let sources = observer().join("guest-tests").join(machine.folder);
        let repository = observer().join("..");
        let core = Described::read(machine.core);
        let headers = format!("platform/arch/{}/include", core.arch);
        run(Command::new(core.compiler)
            .args(core.flags)
            .args(machine.more)
            .args([
                "-std=gnu11",
                "-O2",
                "-g",
                "-nostdlib",
                "-Wall",
                "-Wextra",
                "-Werror",
            ])
            .arg("-I")
            .arg(repository.join("bench/include"))
            .arg("-I")
            .arg(repository.join(headers))
            .arg("-I")
            .arg(&sources)
            .arg("-T")
            .arg(sources.join(machine.linker_script))
            .arg(sources.join(machine.start))
            .arg(source(&sources.join(name)))
            .arg("-o")
            .arg(&image));
        Guest {
            machine,
            folder,
            image,
            model: "null",
            entries: "{}",
        }
    }

    /// Returns a plan for this guest, as the lab writes it.
    pub fn plan(&self, until: &str) -> String {
        let (image, log, model) = (&self.image, self.path("events.log"), self.model);
        let (core, exit_register) = (self.machine.core, self.machine.exit_register);
        let (entries, vectors) = (self.entries, self.machine.vectors);
        let marks = self.marks();
        format!(
            r#"{{"version": 3, "image": {image:?}, "log": {log:?}, "marks": {marks},
                "entries": {entries}, "calls": null, "until": {until},
                "stall_instructions": 1000000, "core": {core:?}, "vectors": {vectors},
                "port": [], "exit_register": {exit_register}, "bus_latency": 0, "model": {model}}}"#
        )
    }

    /// Returns the marks that the image declares, as JSON for the plan.
    fn marks(&self) -> String {
        let marks = Image::read(&self.image).unwrap().marks.into_iter();
        let one = |Mark { name, address }| {
            format!(r#"{{"name": {name:?}, "address": {address}, "is_write": false}}"#)
        };
        format!("[{}]", marks.map(one).collect::<Vec<_>>().join(", "))
    }

    /// Writes the plan, removes an older log and returns QEMU ready to run.
    fn prepare(&self, until: &str) -> Command {
        let plan = self.path("plan.json");
        let _ = std::fs::remove_file(self.path("events.log"));
        std::fs::write(&plan, self.plan(until)).unwrap();
        self.qemu(&plan)
    }

    /// Returns QEMU ready to run and explain the guest, as `request.json` says.
    pub fn prepare_explained(&self, until: &str) -> Command {
        self.prepare(until);
        let (plan, request) = (self.path("plan.json"), self.path("request.json"));
        self.qemu_with(&format!(
            "plan={},explain={}",
            plan.display(),
            request.display()
        ))
    }

    /// Observes the guest and returns the bytes of its log. `more` goes to QEMU.
    pub fn observe_bytes(&self, until: &str, more: &[&str]) -> Vec<u8> {
        run(self.prepare(until).args(more));
        std::fs::read(self.path("events.log")).unwrap()
    }

    /// Observes a guest whose QEMU aborts.
    pub fn observe_dying(&self, until: &str) -> Reader {
        let output = self.prepare(until).output().unwrap();
        assert!(!output.status.success());
        Reader::parse(&std::fs::read(self.path("events.log")).unwrap()).unwrap()
    }

    pub fn observe(&self, until: &str, more: &[&str]) -> Reader {
        Reader::parse(&self.observe_bytes(until, more)).unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns QEMU's command as the lab starts it.
    pub fn qemu(&self, plan: &Path) -> Command {
        self.qemu_with(&format!("plan={}", plan.display()))
    }

    fn qemu_with(&self, arguments: &str) -> Command {
        let mut command = self.bare_qemu();
        command
            .arg("-plugin")
            .arg(format!("{},{arguments}", plugin().display()));
        command
    }

    pub fn bare_qemu(&self) -> Command {
        let mut command = Command::new(Described::read(self.machine.core).emulator);
        command
            .args(self.machine.emulator)
            .args(["-nographic", "-monitor", "none", "-serial", "none"])
            .args(["-nic", "none"])
            .args(["-icount", "shift=0,align=off,sleep=off"])
            .arg("-kernel")
            .arg(&self.image);
        command
    }
}

/// A plan's cycle model for Ibex, with a timer as slow device.
pub const NODE: &str = r#"{"profile": {"title": "node", "devices": {"store_cycles": 1,
    "places": [[33554432, 65536]]}}}"#;

pub const TO_THE_END: &str = r#"{"marks": null, "instructions": 10000000}"#;

pub fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}; install it"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {errors}");
    output
}

/// Returns the guest's source in C, if it exists, or in assembler.
fn source(stem: &Path) -> PathBuf {
    let c = stem.with_extension("c");
    if c.exists() {
        c
    } else {
        stem.with_extension("S")
    }
}

/// Returns number and kind of the exceptions at whose entries a mark of [`ENTRIES`] was passed. The
/// record of such a mark contains only that entry, and the handler has executed nothing.
pub fn entries(log: &Reader) -> Vec<(u16, &str)> {
    let kind = |record: &LogRecord| {
        let is_mark = record.kind == LogRecordKind::Mark;
        let name = is_mark.then(|| log.header.marks[record.id as usize].strip_prefix("entry."))?;
        Some((record.exception, name?))
    };
    let entered = log.records.iter().filter_map(|record| {
        let (number, kind) = kind(record)?;
        for lane in ["entered", kind] {
            let index = log.header.lanes.iter().position(|known| known.name == lane);
            assert_eq!(record.tally[index.unwrap()], 1, "{record:?}");
        }
        Some((number, kind))
    });
    entered.collect()
}

/// Checks the exceptions in the log of a guest that ended in `finish` against `truth`, which is
/// derived from QEMU's own log. The log must have the same exceptions, by number and in the same
/// order; each must be counted in one lane and left again. Each handler passes the mark `trapped`.
pub fn check_exceptions(log: &Reader, truth: &[u16]) {
    let trailer = log.trailer.as_ref().unwrap();
    assert_eq!(trailer.end, Ending::Exit);
    assert_eq!(trailer.symbol.as_deref().map(|s| &s[..6]), Some("finish"));
    assert!(truth.len() >= 20, "the guest took {}", truth.len());
    let handler = log.header.marks.iter().position(|name| name == "trapped");
    let inferred: Vec<_> = of_kind(log, LogRecordKind::Mark)
        .filter(|record| Some(record.id as usize) == handler)
        .map(|record| record.exception)
        .collect();
    assert_eq!(inferred, truth);
    let sum = |lane: usize| log.records.iter().map(|one| one.tally[lane]).sum::<u32>();
    let (count, kinds) = (truth.len() as u32, BY_KIND.map(sum).sum());
    assert_eq!((sum(ENTERED), kinds, sum(LEFT)), (count, count, count));
}

const ENTERED: usize = 4;
const LEFT: usize = 5;
const BY_KIND: std::ops::RangeInclusive<usize> = 7..=11;

/// Returns the numbers of the faults in a log.
pub fn faults(log: &Reader) -> Vec<u32> {
    of_kind(log, LogRecordKind::Fault)
        .map(|record| record.id)
        .collect()
}

fn of_kind(log: &Reader, kind: LogRecordKind) -> impl Iterator<Item = &LogRecord> {
    log.records.iter().filter(move |record| record.kind == kind)
}

fn observer() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the plugin as QEMU loads it. Cargo builds no shared library for tests, so the first test
/// builds it.
fn plugin() -> &'static Path {
    static PLUGIN: OnceLock<PathBuf> = OnceLock::new();
    PLUGIN.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let target = test.ancestors().nth(3).unwrap();
        run(Command::new(env!("CARGO"))
            .args([
                "build",
                "--lib",
                "--locked",
                "--no-default-features",
                "--features",
            ])
            .arg(format!("plugin-api-v{}", plugin_interface()))
            .arg("--manifest-path")
            .arg(observer().join("qemu-plugin/Cargo.toml"))
            .arg("--target-dir")
            .arg(target));
        target.join("debug/libticklab_qemu_plugin.so")
    })
}

/// Returns the version of the interface that the plugin is built for.
pub fn plugin_interface() -> u32 {
    match cfg!(feature = "plugin-api-v1") {
        true => 1,
        false if cfg!(feature = "plugin-api-v2") => 2,
        false => 3,
    }
}
