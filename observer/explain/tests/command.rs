// SPDX-License-Identifier: MIT
//! Tests the command `ticklab-explain` as the lab calls it: outputs, exit status and errors.

mod common;

use common::{image, recording};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with an image, its recording and spans.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let (folder, elf) = (Folder(folder), image(true));
        folder.write("image.elf", &elf);
        folder.write("blocks", &recording(&elf));
        folder.write("spans.json", br#"[{"name": "pass", "each": ["m"]}]"#);
        folder
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    fn explain(&self, more: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ticklab-explain"));
        command.current_dir(&self.0).args(["image.elf", "blocks"]);
        command.args(more).output().unwrap()
    }

    /// Runs the command, which must fail, and returns its one line of error.
    fn error(&self) -> String {
        let output = self.explain(&["--spans", "spans.json"]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    }
}

#[test]
fn a_whole_recording_has_an_answer() {
    let folder = Folder::new("whole");
    let output = folder.explain(&["--spans", "spans.json"]);
    assert!(output.status.success());
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // Four rounds of nine instructions, and one tick.
    assert_eq!(answer["instructions"], 37);
    assert!(answer["notes"].to_string().contains("no debug information"));
}

#[test]
fn a_log_alone_needs_no_spans() {
    let folder = Folder::new("log");
    assert!(folder.explain(&["--log", "events.log"]).status.success());
    assert!(std::fs::read(folder.0.join("events.log"))
        .unwrap()
        .starts_with(br#"{"version":2,"#));
    assert_eq!(folder.explain(&[]).status.code(), Some(2));
    assert_eq!(
        folder.explain(&["--log", "x", "--json", "y"]).status.code(),
        Some(2)
    );
}

#[test]
fn a_recording_that_is_cut_short_is_refused() {
    let folder = Folder::new("short");
    let blocks = std::fs::read(folder.0.join("blocks")).unwrap();
    folder.write("blocks", &blocks[..blocks.len() - 5]);
    assert!(folder.error().contains("record again"));
}

#[test]
fn a_file_that_is_no_recording_is_refused() {
    let folder = Folder::new("foreign");
    folder.write("blocks", b"something else");
    assert!(folder
        .error()
        .contains("recording: does not begin with TICKREC1"));
}

#[test]
fn an_image_that_changed_is_refused() {
    let folder = Folder::new("changed");
    folder.write("image.elf", &image(false));
    assert!(folder
        .error()
        .contains("the image is not the one that was recorded"));
}
