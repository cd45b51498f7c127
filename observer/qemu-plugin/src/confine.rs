// SPDX-License-Identifier: GPL-2.0-or-later
//! Prevents a guest from using the host's files and programs.
//!
//! Semihosting lets a guest open, remove and rename files of the host and run commands there. QEMU
//! does so on the thread that runs the guest. That thread needs none of these system calls itself,
//! so a seccomp filter traps them, for this thread only and before the guest's first instruction.
//! The guest's console and exit need no file. The filter covers semihosting, not faults of QEMU
//! itself. QEMU must have no network (`-nic none`): the timers of its user-mode network read files
//! on this thread, and a guest could reach other machines.

use crate::state;
use libc::{c_int, c_long, c_void, siginfo_t, sock_filter, sock_fprog};
use std::ffi::CStr;

/// The flags of the observer's own rename on this thread: it never replaces a file.
pub const OWN_RENAME_FLAGS: u32 = libc::RENAME_NOREPLACE;

/// System calls that the guest may cause, with the index of the argument that points to a path.
#[cfg(target_arch = "x86_64")]
const OLD_CALLS: &[(c_long, usize, &str)] = &[
    (libc::SYS_open, 0, "open"),
    (libc::SYS_creat, 0, "create"),
    (libc::SYS_unlink, 0, "remove"),
    (libc::SYS_rmdir, 0, "remove"),
    (libc::SYS_rename, 0, "rename"),
    (libc::SYS_mkdir, 0, "create"),
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_CALLS: &[(c_long, usize, &str)] = &[];

const CALLS: &[(c_long, usize, &str)] = &[
    (libc::SYS_openat, 1, "open"),
    (libc::SYS_openat2, 1, "open"),
    (libc::SYS_unlinkat, 1, "remove"),
    (libc::SYS_renameat, 1, "rename"),
    (libc::SYS_mkdirat, 1, "create"),
    (libc::SYS_truncate, 0, "truncate"),
    (libc::SYS_execve, 0, "run"),
    (libc::SYS_execveat, 1, "run"),
];

/// Files that the C library itself reads, some while it holds the allocator's lock: to find out
/// whether the heap may shrink, and how many processors there are (glibc: malloc-sysdep.h and
/// getsysinfo.c, both for Linux). The library works without these files. [`refused`] must not
/// report such a call as the guest's: it allocates memory, and would wait for ever for the lock
/// that its own thread holds.
const OF_THE_LIBRARY: [&CStr; 3] = [
    c"/proc/sys/vm/overcommit_memory",
    c"/sys/devices/system/cpu/online",
    c"/proc/stat",
];

/// Confines the calling thread. Each system call of [`CALLS`] ends the observation, except that the
/// files of [`OF_THE_LIBRARY`] are only reported as not found. The creation of a process kills QEMU
/// with SIGSYS, because libc blocks signals then, so that [`refused`] cannot report it.
///
/// # Errors
/// The system does not support or permit seccomp.
pub fn confine() -> Result<(), String> {
    let mut program = filter();
    let filter = sock_fprog {
        len: program.len() as u16,
        filter: program.as_mut_ptr(),
    };
    // SAFETY: plain data that lives until the calls return; the handler is a function of this
    // library, which is never unloaded.
    let done = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = refused as extern "C" fn(_, _, _) as libc::sighandler_t;
        action.sa_flags = libc::SA_SIGINFO;
        // QEMU blocks all signals in its threads. A blocked trap would kill QEMU without a message.
        let mut trap: libc::sigset_t = std::mem::zeroed();
        libc::sigaddset(&mut trap, libc::SIGSYS);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &trap, std::ptr::null_mut());
        libc::sigaction(libc::SIGSYS, &action, std::ptr::null_mut()) == 0
            && libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &filter) == 0
    };
    done.then_some(()).ok_or_else(|| {
        let error = std::io::Error::last_os_error();
        format!("the guest cannot be confined: seccomp: {error}; permit seccomp for this process")
    })
}

fn filter() -> Vec<sock_filter> {
    let mut program = vec![load(NUMBER)];
    for &(number, ..) in OLD_CALLS.iter().chain(CALLS) {
        program.extend([
            skip_unless(number as u32, 1),
            verdict(libc::SECCOMP_RET_TRAP),
        ]);
    }
    #[cfg(target_arch = "x86_64")]
    for number in [libc::SYS_fork, libc::SYS_vfork] {
        program.extend([
            skip_unless(number as u32, 1),
            verdict(libc::SECCOMP_RET_TRAP),
        ]);
    }
    program.extend([
        // The flags of a rename show whether it is the observer's own.
        skip_unless(libc::SYS_renameat2 as u32, 4),
        load(argument(4)),
        skip_unless(OWN_RENAME_FLAGS, 1),
        verdict(libc::SECCOMP_RET_ALLOW),
        verdict(libc::SECCOMP_RET_TRAP),
        // The guest cannot cause a new thread. libc tries clone3 first, whose flags a filter cannot
        // read, and uses clone if clone3 does not exist.
        skip_unless(libc::SYS_clone3 as u32, 1),
        verdict(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        skip_unless(libc::SYS_clone as u32, 4),
        load(argument(0)),
        skip_unless_set(libc::CLONE_THREAD as u32, 1),
        verdict(libc::SECCOMP_RET_ALLOW),
        verdict(libc::SECCOMP_RET_TRAP),
        verdict(libc::SECCOMP_RET_ALLOW),
    ]);
    program
}

/// Offsets in seccomp_data: the call's number, and the low word of an argument.
const NUMBER: u32 = 0;

const fn argument(index: u32) -> u32 {
    16 + 8 * index
}

fn load(offset: u32) -> sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0)
}

/// Skips `count` statements unless the loaded word is `value`.
fn skip_unless(value: u32, count: u8) -> sock_filter {
    statement(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, value, count)
}

/// Skips `count` statements unless the loaded word has one of `bits`.
fn skip_unless_set(bits: u32, count: u8) -> sock_filter {
    statement(libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K, bits, count)
}

fn verdict(result: u32) -> sock_filter {
    statement(libc::BPF_RET | libc::BPF_K, result, 0)
}

fn statement(code: u32, k: u32, jf: u8) -> sock_filter {
    sock_filter {
        code: code as u16,
        jt: 0,
        jf,
        k,
    }
}

/// Handles SIGSYS: the thread that runs the guest made a refused system call.
extern "C" fn refused(_: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes `info`, and a siginfo_t of SIGSYS has the number of the call, after
    // three ints, padding and an address.
    let number = c_long::from(unsafe { *info.cast::<c_int>().add(6) });
    // SAFETY: the system passes the thread's own context, which nothing else uses meanwhile.
    let registers = unsafe { Registers::of(context) };
    let mut calls = OLD_CALLS.iter().chain(CALLS);
    let detail = match calls.find(|&&(known, ..)| known == number) {
        // SAFETY: the argument is a path that QEMU or the library passed to the system.
        Some(&(_, argument, verb)) => match unsafe { registers.path(argument) } {
            path if OF_THE_LIBRARY.contains(&path) => return registers.answer(-libc::ENOENT),
            path => format!("{verb} '{}'", path.to_string_lossy()),
        },
        None if number == libc::SYS_renameat2 => {
            // SAFETY: as above.
            let path = unsafe { registers.path(1) };
            format!("rename '{}'", path.to_string_lossy())
        }
        None => format!("make system call {number}"),
    };
    let detail = format!("the guest tried to {detail} on the host, by semihosting");
    state::with(|observation| observation.refuse(detail.clone()));
    // The code comes here only if no observation is running.
    eprintln!("ticklab: {detail}");
    // SAFETY: always sound.
    unsafe { libc::_exit(1) }
}

/// The registers of a thread at a trapped system call.
struct Registers<'a>(&'a mut libc::mcontext_t);

#[cfg(target_arch = "x86_64")]
impl Registers<'_> {
    const ARGUMENTS: [libc::c_int; 2] = [libc::REG_RDI, libc::REG_RSI];

    fn argument(&self, index: usize) -> u64 {
        self.0.gregs[Self::ARGUMENTS[index] as usize] as u64
    }

    /// Lets the call return `result` when the handler has returned.
    fn answer(self, result: c_int) {
        self.0.gregs[libc::REG_RAX as usize] = result.into();
    }
}

#[cfg(target_arch = "aarch64")]
impl Registers<'_> {
    fn argument(&self, index: usize) -> u64 {
        self.0.regs[index]
    }

    /// Lets the call return `result` when the handler has returned.
    fn answer(self, result: c_int) {
        self.0.regs[0] = i64::from(result) as u64;
    }
}

impl Registers<'_> {
    /// # Safety
    /// `context` is the third argument of a signal handler that is still running.
    unsafe fn of(context: *mut c_void) -> Self {
        Self(&mut (*context.cast::<libc::ucontext_t>()).uc_mcontext)
    }

    /// Returns the path that an argument of the call points to.
    ///
    /// # Safety
    /// The argument points to a path, which stays as it is during the handler.
    unsafe fn path(&self, argument: usize) -> &'static CStr {
        CStr::from_ptr(self.argument(argument) as *const libc::c_char)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If an allocator returns memory to the system, it asks whether its heap may shrink; only
    /// threads other than the first do so. QEMU's thread once waited for ever in this call.
    #[test]
    fn a_confined_thread_may_shrink_its_heap() {
        let shrunk = std::thread::spawn(|| {
            confine().expect("a filter");
            let blocks: Vec<_> = (0..100).map(|_| vec![1u8; 60_000]).collect();
            blocks.iter().map(Vec::len).sum::<usize>()
        });
        assert_eq!(shrunk.join().unwrap(), 6_000_000);
    }

    #[test]
    fn a_file_of_the_library_does_not_exist_for_a_confined_thread() {
        let opened = std::thread::spawn(|| {
            confine().expect("a filter");
            // SAFETY: a valid path.
            let file = unsafe { libc::open(OF_THE_LIBRARY[0].as_ptr(), libc::O_RDONLY) };
            (file, std::io::Error::last_os_error().raw_os_error())
        });
        assert_eq!(opened.join().unwrap(), (-1, Some(libc::ENOENT)));
    }
}
