// SPDX-License-Identifier: GPL-2.0-or-later
//! One observation from plan to log: the files around the replay core, and its ends.
//!
//! The log is written beside its place and renamed into it, so that a log is whole or absent.

use crate::api::Counter;
use crate::confine::OWN_RENAME_FLAGS;
use crate::recording::Recording;
use std::ffi::CString;
use std::fs::File;
use std::io::{self, BufWriter};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use ticklab_replay::{BlockId, Context, End, Ending, Image, Plan};

pub type Core = ticklab_replay::Core<BufWriter<File>>;

pub struct Observation {
    pub core: Core,
    pub counter: Counter,
    pub recording: Option<Recording>,
    /// The word after the one that a switch of tasks accessed last.
    next_word: (u32, u32),
    log: PathBuf,
}

impl Observation {
    pub fn begin(plan: &Path) -> Result<Observation, String> {
        let plan = Plan::read(plan).map_err(|e| e.to_string())?;
        let image = Image::read(&plan.image).map_err(|e| e.to_string())?;
        let beside = beside(&plan.log);
        let file = create(&plan.log)
            .map_err(|e| format!("event log {}: {e}; give a writable place", beside.display()))?;
        let core = Core::new(&plan, image, BufWriter::new(file)).map_err(|e| {
            // Nothing was observed: the reason why is all there is to keep.
            let _ = std::fs::remove_file(&beside);
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

    /// Writes the rest of the log and ends QEMU. Its own exit would wait for the thread that runs
    /// this.
    #[cold]
    #[inline(never)]
    pub fn finish(&mut self, ending: Ending, detail: Option<String>) -> ! {
        let status = self.close(ending, detail, None);
        // SAFETY: always sound; QEMU has nothing left to write.
        unsafe { libc::_exit(status) }
    }

    /// The running block's store ends the machine.
    pub fn finish_at_store(&mut self) -> ! {
        let reached = self.counter.advance();
        self.core.stop(reached);
        let status = self.close(Ending::Exit, None, Some(reached));
        // SAFETY: as in `finish`.
        unsafe { libc::_exit(status) }
    }

    /// The guest asked for what no guest may do.
    pub fn refuse(&mut self, detail: String) -> ! {
        let reached = self.counter.advance();
        self.core.stop(reached);
        let status = self.close(Ending::Refused, Some(detail), Some(reached));
        // SAFETY: as in `finish`.
        unsafe { libc::_exit(status) }
    }

    /// QEMU exits by itself.
    pub fn exit(&mut self) {
        let reached = self.counter.advance();
        self.core.stop(reached);
        let status = if self.core.is_at_end() {
            self.close(Ending::Exit, None, Some(reached))
        } else {
            self.close(
                Ending::Aborted,
                Some("QEMU was ended from outside".to_owned()),
                Some(reached),
            )
        };
        if status != 0 {
            // SAFETY: as in `finish`.
            unsafe { libc::_exit(status) }
        }
    }

    /// QEMU aborts, and will have said why.
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

    /// The running block accessed memory that may take longer than other memory.
    pub fn address(&mut self, address: u32) {
        if !self.core.address(address) {
            return;
        }
        if let Some(recording) = &mut self.recording {
            recording.recorder.address(address);
        }
    }

    /// Instruction `index` of the running block, which has mark `mark`, is about to execute.
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

    /// Whether [`Observation::context`] must be called.
    pub fn follows_tasks(&self) -> bool {
        self.recording.is_some() || self.core.follows_calls()
    }

    /// An instruction that saves or restores a task's registers accesses `address`. Its first word
    /// says which task.
    pub fn context(&mut self, block: BlockId, index: usize, address: u32) {
        let instruction = &self.core.code(block).instructions()[index];
        let begins = self.next_word != (instruction.address, address);
        self.next_word = (instruction.address, address.wrapping_add(4));
        let Some(context) = Context::from_instruction(instruction, address).filter(|_| begins) else {
            return;
        };
        self.core.context(context);
        if let Some(recording) = &mut self.recording {
            recording.recorder.context(context);
        }
    }

    /// A recording that cannot be kept is no reason to lose the figures: the laboratory sees that
    /// there is none.
    fn end_recording(&mut self, end: Option<&End>) {
        if let Some(recording) = self.recording.take() {
            recording.finish(end);
        }
    }

    /// `stop`: what the last block's checkpoints add up to if the target ended by itself.
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

/// Begins to write beside `file`. An older `file` is removed, because [`publish`] replaces none.
pub fn create(file: &Path) -> io::Result<File> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => File::create(beside(file)),
    }
}

/// Renames what was written beside `file` to `file`, which does not exist. confine.rs knows this
/// rename by its flags.
pub fn publish(file: &Path) -> io::Result<()> {
    let path = |path: &Path| CString::new(path.as_os_str().as_bytes()).map_err(io::Error::other);
    let (from, to) = (path(&beside(file))?, path(file)?);
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

pub fn beside(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
