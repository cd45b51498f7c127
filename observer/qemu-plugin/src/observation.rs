// SPDX-License-Identifier: GPL-2.0-or-later
//! Runs one observation from its plan to its event log: opens the files, reports events to the
//! replay core, and ends the run. If requested, also explains the run.
//!
//! The log is written to a file NAME.part, which is renamed at the end, so a log is complete or
//! absent.

use crate::api::Counter;
use crate::confine::OWN_RENAME_FLAGS;
use crate::explaining::Explaining;
use std::ffi::CString;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use ticklab_replay::{BlockId, Ending, Image, Plan};

pub type Core = ticklab_replay::Core<'static>;

pub struct Observation {
    pub core: Core,
    pub counter: Counter,
    pub explaining: Option<Explaining>,
    /// The address of the instruction that saved or restored a task last, and the address after the
    /// last word that it accessed.
    next_word: (u32, u32),
    log: PathBuf,
}

impl Observation {
    /// `request` is the file that says what to explain of a second run.
    pub fn begin(plan: &Path, request: Option<&Path>) -> Result<Observation, String> {
        let plan = Plan::read(plan).map_err(|e| e.to_string())?;
        let image = Image::read(&plan.image).map_err(|e| e.to_string())?;
        let partial = partial_file(&plan.log);
        // An error before the run leaves nothing worth keeping in the log, so the log is removed
        // and only the error reported.
        let without_log = |said: String| {
            let _ = std::fs::remove_file(&partial);
            said
        };
        let file = create(&plan.log)
            .map_err(|e| format!("event log {}: {e}; give a writable path", partial.display()))?;
        let core = Core::new(&plan, image, file)
            .map_err(|e| without_log(format!("image {}: {e}", plan.image.display())))?;
        let explaining = request.map(|request| Explaining::begin(request, &plan, &core));
        let explaining = explaining.transpose();
        Ok(Observation {
            explaining: explaining.map_err(|e| without_log(e.to_string()))?,
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
        let status = self.close(ending, detail);
        // SAFETY: always sound; QEMU has nothing left to write.
        unsafe { libc::_exit(status) }
    }

    /// Ends the observation at a store to the exit register in the running block.
    pub fn finish_at_store(&mut self) -> ! {
        let reached = self.counter.advance();
        self.core.stop(reached);
        let status = self.close(Ending::Exit, None);
        // SAFETY: as in `finish`.
        unsafe { libc::_exit(status) }
    }

    /// Ends the observation because the guest attempted a forbidden operation.
    pub fn refuse(&mut self, detail: String) -> ! {
        let reached = self.counter.advance();
        self.core.stop(reached);
        let status = self.close(Ending::Refused, Some(detail));
        // SAFETY: as in `finish`.
        unsafe { libc::_exit(status) }
    }

    /// Ends the observation because QEMU exits.
    pub fn exit(&mut self) {
        let reached = self.counter.advance();
        self.core.stop(reached);
        let status = if self.core.is_at_end() {
            self.close(Ending::Exit, None)
        } else {
            self.close(
                Ending::Aborted,
                Some("QEMU was terminated from outside".to_owned()),
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
        );
    }

    /// Passes `mark` at instruction `index` of the running block, which is about to execute.
    pub fn pass(&mut self, mark: usize, index: usize) {
        let ending = self.core.mark(mark, index);
        if let Some(explaining) = &mut self.explaining {
            explaining.explainer.mark(&self.core, mark, index);
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

    /// Returns whether QEMU's callbacks must call [`Observation::device_written`].
    pub fn derives_writes(&self) -> bool {
        self.explaining
            .as_ref()
            .is_some_and(|one| one.derives_writes)
    }

    /// Reports a write of `bytes` bytes to a device at `address` by the store at `store`.
    pub fn device_written(&mut self, store: u32, address: u32, bytes: u32) {
        if let Some(explaining) = &mut self.explaining {
            explaining.written(store, address, bytes);
        }
    }

    /// Returns whether QEMU's callbacks must call [`Observation::context`].
    pub fn follows_tasks(&self) -> bool {
        self.explaining.is_some() || self.core.follows_calls()
    }

    /// Reports that an instruction that saves or restores a task's registers accesses `address`.
    /// The first word identifies the task.
    pub fn context(&mut self, block: BlockId, index: usize, address: u32) {
        let instruction = &self.core.code(block).instructions()[index];
        let begins = self.next_word != (instruction.address, address);
        self.next_word = (instruction.address, address.wrapping_add(4));
        if !begins {
            return;
        }
        let Some(context) = self.core.instruction_set().context(instruction, address) else {
            return;
        };
        self.core.context(context);
        if let Some(explaining) = &mut self.explaining {
            explaining.explainer.context(context);
        }
    }

    /// Writes the explanation, if there is one, and closes the log. Returns the exit status.
    fn close(&mut self, end: Ending, detail: Option<String>) -> i32 {
        let written = self
            .core
            .finish(end, detail)
            .map_err(|e| self.unwritable(&e));
        let explained = written.and_then(|()| self.explain());
        let published =
            explained.and_then(|()| publish(&self.log).map_err(|e| self.unwritable(&e)));
        match published {
            Ok(()) => 0,
            Err(message) => {
                eprintln!("ticklab: {message}");
                1
            }
        }
    }

    fn unwritable(&self, error: &io::Error) -> String {
        format!("event log {}: {error}; free some space", self.log.display())
    }

    fn explain(&mut self) -> Result<(), String> {
        let finished = self.explaining.as_mut().map(|one| one.finish(&self.core));
        finished.transpose().map_err(|e| e.to_string()).map(drop)
    }
}

/// Creates the file NAME.part for `file`. Removes an older `file`, because [`publish`] does not
/// replace files.
fn create(file: &Path) -> io::Result<File> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => File::create(partial_file(file)),
    }
}

/// Renames NAME.part to `file`, which must not exist. confine.rs recognises this rename by its
/// flags.
fn publish(file: &Path) -> io::Result<()> {
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

fn partial_file(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
