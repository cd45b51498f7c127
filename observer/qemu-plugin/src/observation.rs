// SPDX-License-Identifier: GPL-2.0-or-later
//! Runs one observation from plan to log: the files of the replay core, and the end of the run.
//!
//! The log is written to a file NAME.part and renamed at the end, so a log is complete or absent.

use crate::api::Counter;
use crate::confine::OWN_RENAME_FLAGS;
use crate::recording::Recording;
use std::ffi::CString;
use std::fs::File;
use std::io::{self, BufWriter};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use ticklab_replay::{BlockId, End, Ending, Image, Plan};

pub type Core = ticklab_replay::Core<BufWriter<File>>;

pub struct Observation {
    pub core: Core,
    pub counter: Counter,
    pub recording: Option<Recording>,
    /// The instruction and the address after the last word that a task switch accessed.
    next_word: (u32, u32),
    log: PathBuf,
}

impl Observation {
    pub fn begin(plan: &Path) -> Result<Observation, String> {
        let plan = Plan::read(plan).map_err(|e| e.to_string())?;
        let image = Image::read(&plan.image).map_err(|e| e.to_string())?;
        let partial = partial_file(&plan.log);
        let file = create(&plan.log)
            .map_err(|e| format!("event log {}: {e}; give a writable path", partial.display()))?;
        let core = Core::new(&plan, image, BufWriter::new(file)).map_err(|e| {
            // Nothing was observed, so only the error is worth keeping.
            let _ = std::fs::remove_file(&partial);
            format!("image {}: {e}", plan.image.display())
        })?;
        Ok(Observation {
            recording: Recording::begin(&plan, &core.header().marks)?,
            core,
            counter: Counter::new(),
            next_word: (0, 0),
            log: plan.log,
        })
    }

    /// Writes the rest of the log and ends QEMU. QEMU's own exit would wait for the thread that
    /// runs this function.
    #[cold]
    #[inline(never)]
    pub fn finish(&mut self, ending: Ending, detail: Option<String>) -> ! {
        let status = self.close(ending, detail, None);
        // SAFETY: always sound; QEMU has nothing left to write.
        unsafe { libc::_exit(status) }
    }

    /// Ends the observation at the running block's store, which ends the machine.
    pub fn finish_at_store(&mut self) -> ! {
        let reached = self.counter.advance();
        self.core.stop(reached);
        let status = self.close(Ending::Exit, None, Some(reached));
        // SAFETY: as in `finish`.
        unsafe { libc::_exit(status) }
    }

    /// Ends the observation because the guest attempted a forbidden operation.
    pub fn refuse(&mut self, detail: String) -> ! {
        let reached = self.counter.advance();
        self.core.stop(reached);
        let status = self.close(Ending::Refused, Some(detail), Some(reached));
        // SAFETY: as in `finish`.
        unsafe { libc::_exit(status) }
    }

    /// Ends the observation because QEMU exits.
    pub fn exit(&mut self) {
        let reached = self.counter.advance();
        self.core.stop(reached);
        let status = if self.core.is_at_end() {
            self.close(Ending::Exit, None, Some(reached))
        } else {
            self.close(
                Ending::Aborted,
                Some("QEMU was terminated from outside".to_owned()),
                Some(reached),
            )
        };
        if status != 0 {
            // SAFETY: as in `finish`.
            unsafe { libc::_exit(status) }
        }
    }

    /// Ends the observation because QEMU aborts. QEMU has reported the reason.
    pub fn abort(&mut self) {
        let reached = self.counter.advance();
        self.core.stop(reached);
        let locked_up = self.core.may_lock_up();
        self.close(
            if locked_up {
                Ending::Lockup
            } else {
                Ending::Aborted
            },
            None,
            Some(reached),
        );
    }

    /// Reports an access of the running block to memory whose cost depends on the address.
    pub fn address(&mut self, address: u32) {
        if !self.core.address(address) {
            return;
        }
        if let Some(recording) = &mut self.recording {
            recording.recorder.address(address);
        }
    }

    /// Passes `mark` at instruction `index` of the running block, which is about to execute.
    pub fn pass(&mut self, mark: usize, index: usize) {
        let ending = self.core.mark(mark, index);
        if let Some(recording) = &mut self.recording {
            if !recording.recorder.mark(mark, index) {
                self.end_recording(None);
            }
        }
        if let Some(ending) = ending {
            self.finish(ending, None);
        }
    }

    /// Passes the marks at a write by instruction `index` of the running block.
    pub fn written(&mut self, address: u32, bytes: u32, index: usize) {
        let marks: Vec<_> = self.core.written(address, bytes).collect();
        for mark in marks {
            self.pass(mark, index);
        }
    }

    /// Returns whether [`Observation::context`] must be called.
    pub fn follows_tasks(&self) -> bool {
        self.recording.is_some() || self.core.follows_calls()
    }

    /// Reports that an instruction that saves or restores a task's registers accesses `address`.
    /// The first word identifies the task.
    pub fn context(&mut self, block: BlockId, index: usize, address: u32) {
        let instruction = &self.core.code(block).instructions()[index];
        let begins = self.next_word != (instruction.address, address);
        self.next_word = (instruction.address, address.wrapping_add(4));
        let context = self.core.instruction_set().context(instruction, address);
        let Some(context) = context.filter(|_| begins) else {
            return;
        };
        self.core.context(context);
        if let Some(recording) = &mut self.recording {
            recording.recorder.context(context);
        }
    }

    /// Ends the recording. An error of the recording does not lose the figures: the lab notices
    /// that the recording is missing.
    fn end_recording(&mut self, end: Option<&End>) {
        if let Some(recording) = self.recording.take() {
            recording.finish(end);
        }
    }

    /// Closes log and recording. `stop` is the sum of the last block's checkpoints, if the target
    /// ended by itself. Returns the exit status.
    fn close(&mut self, end: Ending, detail: Option<String>, stop: Option<u32>) -> i32 {
        self.end_recording(Some(&End {
            stop,
            end,
            detail: detail.clone(),
        }));
        match self.core.finish(end, detail).and_then(|()| self.publish()) {
            Ok(()) => 0,
            Err(error) => {
                let log = self.log.display();
                eprintln!("ticklab: event log {log}: {error}; free some space");
                1
            }
        }
    }

    fn publish(&self) -> io::Result<()> {
        publish(&self.log)
    }
}

/// Creates the partial file of `file`. Removes an older `file`, because [`publish`] does not
/// replace files.
pub fn create(file: &Path) -> io::Result<File> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => File::create(partial_file(file)),
    }
}

/// Renames the partial file of `file` to `file`, which must not exist. confine.rs identifies this
/// rename by its flags.
pub fn publish(file: &Path) -> io::Result<()> {
    let path = |path: &Path| CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other);
    let (from, to) = (path(&partial_file(file))?, path(file)?);
    // SAFETY: two valid strings.
    let status = unsafe {
        libc::syscall(
            libc::SYS_renameat2,
            libc::AT_FDCWD,
            from.as_ptr(),
            libc::AT_FDCWD,
            to.as_ptr(),
            OWN_RENAME_FLAGS,
        )
    };
    if status == 0 {
        return Ok(());
    }
    Err(io::Error::last_os_error())
}

pub fn partial_file(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
