// SPDX-License-Identifier: GPL-2.0-or-later
//! Builds the guests of observer/guest-tests and observes them in QEMU. A tool that is missing
//! fails the test.
#![allow(dead_code)] // Each test program uses a part.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use ticklab_replay::Reader;

/// One guest, built into a folder of its own.
pub struct Guest {
    folder: PathBuf,
    image: PathBuf,
    /// The plan's; `null` counts only.
    pub model: &'static str,
}

impl Guest {
    /// Builds `<name>.c` or `<name>.S`. `test` keeps tests that use the same guest apart.
    pub fn build(name: &str, test: &str) -> Guest {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        let image = folder.join("guest.elf");
        let sources = observer().join("guest-tests");
        let repository = observer().join("..");
        run(Command::new("arm-none-eabi-gcc")
            .args([
                "-mcpu=cortex-m4",
                "-mthumb",
                "-mfloat-abi=hard",
                "-mfpu=fpv4-sp-d16",
            ])
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
            .arg(repository.join("platform/arch/armv7-m/include"))
            .arg("-T")
            .arg(sources.join("guest.ld"))
            .arg(sources.join("start.c"))
            .arg(source(&sources.join(name)))
            .arg("-o")
            .arg(&image));
        Guest {
            folder,
            image,
            model: "null",
        }
    }

    /// A plan for this guest, as the laboratory writes it.
    pub fn plan(&self, until: &str) -> String {
        let (image, log, model) = (&self.image, self.path("events.log"), self.model);
        format!(
            r#"{{"schema": 1, "image": {image:?}, "log": {log:?}, "marks": [], "until": {until},
                "stall_instructions": 1000000, "core": "cortex-m4f", "vectors": 0,
                "model": {model}, "record": null}}"#
        )
    }

    /// Writes the plan, removes an older log and returns QEMU ready to run.
    fn prepare(&self, until: &str) -> Command {
        let plan = self.path("plan.json");
        let _ = std::fs::remove_file(self.path("events.log"));
        std::fs::write(&plan, self.plan(until)).unwrap();
        self.qemu(&plan)
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

    /// QEMU as the laboratory starts it.
    pub fn qemu(&self, plan: &Path) -> Command {
        let mut command = self.bare_qemu();
        command
            .arg("-plugin")
            .arg(format!("{},plan={}", plugin().display(), plan.display()));
        command
    }

    pub fn bare_qemu(&self) -> Command {
        let mut command = Command::new("qemu-system-arm");
        command
            .args([
                "-M",
                "mps2-an386",
                "-nographic",
                "-monitor",
                "none",
                "-serial",
                "none",
            ])
            .args(["-semihosting-config", "enable=on,target=native"])
            .args(["-icount", "shift=0,align=off,sleep=off"])
            .arg("-kernel")
            .arg(&self.image);
        command
    }
}

pub const TO_THE_END: &str = r#"{"marks": null, "instructions": 10000000}"#;

pub fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}; install it"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {errors}");
    output
}

/// The guest in C, or else in assembler.
fn source(stem: &Path) -> PathBuf {
    let c = stem.with_extension("c");
    if c.exists() {
        c
    } else {
        stem.with_extension("S")
    }
}

fn observer() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The plugin as QEMU loads it. Cargo builds no shared library for tests, so that the first test
/// does.
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

/// The interface that the plugin is built for.
pub fn plugin_interface() -> u32 {
    match cfg!(feature = "plugin-api-v1") {
        true => 1,
        false if cfg!(feature = "plugin-api-v2") => 2,
        false => 3,
    }
}
