// SPDX-License-Identifier: GPL-2.0-or-later
//! Keeps a guest from the host's files and programs.
//!
//! Semihosting lets a guest open, remove and rename files of the host and run commands there, and
//! QEMU does so on the thread that runs the guest. That thread needs none of this, so a seccomp
//! filter traps it, before the guest's first instruction and for this thread alone. What the guest
//! writes to its console and how it exits need no file. This covers what semihosting does, not
//! faults of QEMU itself. QEMU must have no network (`-nic none`): the timers of its own one read
//! files on this thread, and a guest would reach other machines.

use crate::state;
use libc::{c_int, c_long, c_void, siginfo_t, sock_filter, sock_fprog};
use std::ffi::CStr;

/// What the observer itself does on this thread: it renames a file that does not replace another.
pub const OWN_RENAME_FLAGS: u32 = libc::RENAME_NOREPLACE;

/// Calls of the system that the guest may cause, and the argument that points to a path.
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

/// Confines this thread. Every system call of [`CALLS`] ends the observation, and so does a new
/// process, which [`refused`] cannot report: libc blocks signals around it, so that the trap kills
/// QEMU with SIGSYS.
///
/// # Errors
/// The system has no seccomp.
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
        // QEMU blocks all signals in its threads, and a blocked trap would kill it without a word.
        let mut trap: libc::sigset_t = std::mem::zeroed();
        libc::sigaddset(&mut trap, libc::SIGSYS);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &trap, std::ptr::null_mut());
        libc::sigaction(libc::SIGSYS, &action, std::ptr::null_mut()) == 0
            && libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &filter) == 0
    };
    done.then_some(()).ok_or_else(|| {
        let error = std::io::Error::last_os_error();
        format!("the guest cannot be confined: seccomp: {error}; allow it here")
    })
}

fn filter() -> Vec<sock_filter> {
    let mut program = vec![load(NUMBER)];
    for &(number, ..) in OLD_CALLS.iter().chain(CALLS) {
        program.extend([skip_unless(number as u32, 1), give(libc::SECCOMP_RET_TRAP)]);
    }
    #[cfg(target_arch = "x86_64")]
    for number in [libc::SYS_fork, libc::SYS_vfork] {
        program.extend([skip_unless(number as u32, 1), give(libc::SECCOMP_RET_TRAP)]);
    }
    program.extend([
        // The flags of a rename tell the observer's own.
        skip_unless(libc::SYS_renameat2 as u32, 4),
        load(argument(4)),
        skip_unless(OWN_RENAME_FLAGS, 1),
        give(libc::SECCOMP_RET_ALLOW),
        give(libc::SECCOMP_RET_TRAP),
        // A new thread is none of the guest's doing. libc tries clone3 first, whose flags a filter
        // cannot see, and clone if there is no clone3.
        skip_unless(libc::SYS_clone3 as u32, 1),
        give(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        skip_unless(libc::SYS_clone as u32, 4),
        load(argument(0)),
        skip_unless_set(libc::CLONE_THREAD as u32, 1),
        give(libc::SECCOMP_RET_ALLOW),
        give(libc::SECCOMP_RET_TRAP),
        give(libc::SECCOMP_RET_ALLOW),
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

fn give(result: u32) -> sock_filter {
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

/// SIGSYS: the thread that runs the guest made one of the refused calls.
extern "C" fn refused(_: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes both, and the field belongs to SIGSYS. In siginfo_t the number of
    // the call follows three ints, padding and an address.
    let number = unsafe { *info.cast::<c_int>().add(6) };
    let mut calls = OLD_CALLS.iter().chain(CALLS);
    let known = calls.find(|&&(known, ..)| known == c_long::from(number));
    // SAFETY: the argument is a path that QEMU passed to the system.
    let detail = match known {
        Some(&(_, place, what)) => unsafe { format!("{what} {}", path(context, place)) },
        None if c_long::from(number) == libc::SYS_renameat2 => {
            // SAFETY: as above.
            unsafe { format!("rename {}", path(context, 1)) }
        }
        None => format!("make system call {number}"),
    };
    let detail = format!("the guest tried to {detail} on the host, by semihosting");
    state::with(|observation| observation.refuse(detail.clone()));
    // Without an observation.
    eprintln!("ticklab: {detail}");
    // SAFETY: always sound.
    unsafe { libc::_exit(1) }
}

/// The path that argument `place` of a system call points to.
///
/// # Safety
/// It points to one.
#[cfg(target_arch = "x86_64")]
unsafe fn path(context: *mut c_void, place: usize) -> String {
    let registers = [libc::REG_RDI, libc::REG_RSI];
    let context = &*context.cast::<libc::ucontext_t>();
    let pointer = context.uc_mcontext.gregs[registers[place] as usize] as *const libc::c_char;
    format!("'{}'", CStr::from_ptr(pointer).to_string_lossy())
}

/// See above.
#[cfg(target_arch = "aarch64")]
unsafe fn path(context: *mut c_void, place: usize) -> String {
    let context = &*context.cast::<libc::ucontext_t>();
    let pointer = context.uc_mcontext.regs[place] as *const libc::c_char;
    format!("'{}'", CStr::from_ptr(pointer).to_string_lossy())
}
