// SPDX-License-Identifier: GPL-2.0-or-later
//! The QEMU plugin: reports the guest's execution to the replay core.
//!
//! It translates QEMU's callbacks and knows nothing of exceptions, marks or cycles. The guest
//! executes the instructions of its image and no others. QEMU loads it with `-plugin
//! LIBRARY,plan=FILE` (docs/reference/formats.md describes the plan), and a second run that is
//! explained with `-plugin LIBRARY,plan=FILE,explain=FILE` (docs/reference/explain-format.md). It
//! requires one processor and QEMU's `-icount`, so that one thread runs the guest.

mod aclint;
mod api;
mod confine;
mod explaining;
mod gic;
mod interrupts;
mod nvic;
mod observation;
mod state;

use observation::Observation;
use qemu_plugin_sys::*;
use std::ffi::{c_char, c_int, c_uint, c_void, CStr};
use std::path::Path;
use std::sync::Once;
use ticklab_replay::{BlockId, CodeState, Ending, Instruction};

#[no_mangle]
pub static qemu_plugin_version: c_int = QEMU_PLUGIN_VERSION as c_int;

const NO_REGISTERS: qemu_plugin_cb_flags = qemu_plugin_cb_flags::QEMU_PLUGIN_CB_NO_REGS;

/// # Safety
/// QEMU calls it once, with `argc` strings in `argv`.
#[no_mangle]
pub unsafe extern "C" fn qemu_plugin_install(
    id: qemu_plugin_id_t,
    _info: *const qemu_info_t,
    argc: c_int,
    argv: *const *const c_char,
) -> c_int {
    // SAFETY: QEMU passes `argc` valid strings.
    let arguments = (0..argc as usize).map(|i| unsafe { CStr::from_ptr(*argv.add(i)) });
    let arguments: Vec<_> = arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    match begin(&arguments) {
        Ok(Some(observation)) => {
            state::set(observation);
            // SAFETY: `id` is ours and the callbacks live as long as the library, which is never
            // unloaded.
            unsafe { register(id) };
            0
        }
        Ok(None) => {
            // SAFETY: as above.
            unsafe { qemu_plugin_register_vcpu_tb_trans_cb(id, Some(confines)) };
            0
        }
        Err(message) => {
            eprintln!("ticklab: {message}");
            -1
        }
    }
}

/// Returns `None` if the plugin only confines the guest and observes nothing.
fn begin(arguments: &[String]) -> Result<Option<Observation>, String> {
    if arguments == ["confine=on"] {
        return Ok(None);
    }
    let (plan, request) = files(arguments).ok_or_else(|| {
        "unknown arguments; give plan=FILE, or plan=FILE and explain=FILE, or confine=on".to_owned()
    })?;
    Observation::begin(plan, request).map(Some)
}

/// Returns the files of the plan and of the request for an explanation.
fn files(arguments: &[String]) -> Option<(&Path, Option<&Path>)> {
    let (plan, rest) = arguments.split_first()?;
    let request = match rest {
        [] => None,
        [request] => Some(Path::new(request.strip_prefix("explain=")?)),
        _ => return None,
    };
    Some((Path::new(plan.strip_prefix("plan=")?), request))
}

/// Confines this thread, which runs the guest. QEMU translates the first block on it before the
/// guest executes anything.
fn confine_once() -> Result<(), String> {
    static CONFINED: Once = Once::new();
    let mut done = Ok(());
    CONFINED.call_once(|| done = confine::confine());
    done
}

/// Handles a translated block when nothing is observed.
unsafe extern "C" fn confines(_: qemu_plugin_id_t, _: *mut qemu_plugin_tb) {
    if let Err(message) = confine_once() {
        eprintln!("ticklab: {message}");
        libc::_exit(1);
    }
}

/// # Safety
/// `id` is this plugin's, and it is being installed.
unsafe fn register(id: qemu_plugin_id_t) {
    qemu_plugin_register_vcpu_tb_trans_cb(id, Some(translated));
    qemu_plugin_register_atexit_cb(id, Some(exits), std::ptr::null_mut());
    // QEMU calls abort() for fatal errors, for example a lockup, and then runs no exit callback.
    libc::signal(
        libc::SIGABRT,
        aborts as extern "C" fn(c_int) as libc::sighandler_t,
    );
}

/// Handles a translated block: asks QEMU to report its execution.
unsafe extern "C" fn translated(_: qemu_plugin_id_t, tb: *mut qemu_plugin_tb) {
    state::with(|observation| {
        if let Err(message) = confine_once() {
            observation.finish(Ending::Aborted, Some(message));
        }
        // SAFETY: QEMU's handles are valid until this callback returns.
        let (start, instructions, code, state) = unsafe { contents(tb, &observation.core) };
        let id = observation.core.block_in(start, &code, state);
        if let Some(explaining) = &mut observation.explaining {
            if let Err(message) = explaining.block(&observation.core, id, &code) {
                observation.finish(Ending::Aborted, Some(message));
            }
        }
        let enters = match observation.explaining {
            Some(_) => enters_explaining,
            None => enters,
        };
        // SAFETY: as above.
        unsafe {
            let userdata = id.0 as *mut c_void;
            qemu_plugin_register_vcpu_tb_exec_cb(tb, Some(enters), NO_REGISTERS, userdata);
            if !watch(observation, id, &instructions) {
                let detail = format!("QEMU and the decoder disagree on the code at {start:#x}");
                observation.finish(Ending::Aborted, Some(detail));
            }
        }
    });
}

/// Returns the start address of a block, QEMU's handles of its instructions, its bytes and its
/// state. The core determines the size of each instruction, because at the end of a page QEMU also
/// reads the next instruction and counts its bytes as part of this one.
///
/// # Safety
/// `tb` is the handle of the running translation callback.
unsafe fn contents(
    tb: *const qemu_plugin_tb,
    core: &observation::Core,
) -> (u32, Vec<*mut qemu_plugin_insn>, Vec<u8>, CodeState) {
    let count = qemu_plugin_tb_n_insns(tb);
    let instructions: Vec<_> = (0..count)
        .map(|index| qemu_plugin_tb_get_insn(tb, index))
        .collect();
    let start = qemu_plugin_tb_vaddr(tb) as u32;
    let (mut fetched, mut ends) = (Vec::with_capacity(4 * count), Vec::with_capacity(count));
    for &instruction in &instructions {
        api::append_code(instruction, &mut fetched);
        ends.push(fetched.len());
    }
    let begins = std::iter::once(0).chain(ends.iter().copied());
    let pieces: Vec<&[u8]> = begins
        .zip(&ends)
        .map(|(from, &to)| &fetched[from..to])
        .collect();
    let state = core.state(start, pieces.clone());
    let own = |piece: &&[u8]| core.size([piece[0], piece[1]], state);
    let code = pieces.iter().flat_map(|piece| &piece[..own(piece)]);
    let code = code.copied().collect();
    (start, instructions, code, state)
}

/// Registers the callbacks that the core needs for each instruction. Returns false if QEMU divides
/// the block into other instructions than the core.
///
/// # Safety
///
/// `instructions` are handles of the running translation callback.
unsafe fn watch(
    observation: &Observation,
    id: BlockId,
    instructions: &[*mut qemu_plugin_insn],
) -> bool {
    let (core, block) = (&observation.core, observation.core.code(id));
    for checkpoint in block
        .checkpoints()
        .filter(|c| c.before < instructions.len())
    {
        let instruction = instructions[checkpoint.before];
        observation
            .counter
            .add_before(instruction, checkpoint.advance.into());
    }
    for (index, (decoded, &instruction)) in
        block.instructions().iter().zip(instructions).enumerate()
    {
        for &mark in core.marks_at(decoded.address) {
            let userdata = (mark << MARK_SHIFT | index) as *mut c_void;
            qemu_plugin_register_vcpu_insn_exec_cb(
                instruction,
                Some(passes),
                NO_REGISTERS,
                userdata,
            );
        }
        for (callback, kinds, userdata) in memory_callbacks(observation, id, index, decoded) {
            qemu_plugin_register_vcpu_mem_cb(instruction, callback, NO_REGISTERS, kinds, userdata);
        }
    }
    block.instructions().len() == instructions.len()
}

/// A block has at most 512 instructions (TCG_MAX_INSNS).
const MARK_SHIFT: u32 = 16;

/// A callback for memory accesses of an instruction, the accesses, and the callback's argument.
type MemoryCallback = (qemu_plugin_vcpu_mem_cb_t, qemu_plugin_mem_rw, *mut c_void);

const STORES: qemu_plugin_mem_rw = qemu_plugin_mem_rw::QEMU_PLUGIN_MEM_W;
const ALL: qemu_plugin_mem_rw = qemu_plugin_mem_rw::QEMU_PLUGIN_MEM_RW;

/// Returns the callbacks that the core needs for the accesses of instruction `index` of a block.
fn memory_callbacks(
    observation: &Observation,
    id: BlockId,
    index: usize,
    instruction: &Instruction,
) -> impl Iterator<Item = MemoryCallback> {
    let (core, nothing) = (&observation.core, std::ptr::null_mut());
    let address = instruction.address as usize as *mut c_void;
    let place = (id.0 << MARK_SHIFT | index) as *mut c_void;
    let may_switch = || core.instruction_set().context(instruction, 0).is_some();
    let found: [Option<MemoryCallback>; 7] = [
        core.completes(id)
            .then_some((Some(completes), ALL, address)),
        (observation.derives_writes() && ends_with_store(core, id, index)).then_some((
            Some(device_writes),
            STORES,
            address,
        )),
        core.watches(instruction)
            .then_some((Some(writes), STORES, index as *mut c_void)),
        core.finishes(instruction)
            .then_some((Some(finishes), STORES, nothing)),
        core.may_request(instruction)
            .then_some((Some(requests), STORES, nothing)),
        access_callback(core, instruction).map(|callback| (callback, ALL, address)),
        (observation.follows_tasks() && may_switch()).then_some((Some(switches), ALL, place)),
    ];
    found.into_iter().flatten()
}

/// Returns whether instruction `index` is a store at the end of its block: because of `-icount`, a
/// write to a device ends its block.
fn ends_with_store(core: &observation::Core, id: BlockId, index: usize) -> bool {
    let block = core.code(id).instructions();
    index + 1 == block.len() && block[index].writes > 0
}

fn access_callback(
    core: &observation::Core,
    instruction: &Instruction,
) -> Option<qemu_plugin_vcpu_mem_cb_t> {
    if core.needs_access(instruction) {
        return Some(Some(accesses));
    }
    core.needs_address(instruction).then_some(Some(addresses))
}

/// Handles the start of a block.
unsafe extern "C" fn enters(_: c_uint, userdata: *mut c_void) {
    state::with(|observation| {
        let reached = observation.counter.advance();
        let ending = observation.core.enter(BlockId(userdata as usize), reached);
        if let Some(ending) = ending {
            observation.finish(ending, None);
        }
        if let Some(mark) = observation.core.entered() {
            observation.pass(mark, 0);
        }
        while let Some(mark) = observation.core.returned() {
            observation.pass(mark, 0);
        }
    });
}

/// Handles the start of a block in a run that is explained. Separate from [`enters`], which it
/// would slow down.
unsafe extern "C" fn enters_explaining(_: c_uint, userdata: *mut c_void) {
    state::with(|observation| {
        let (id, reached) = (BlockId(userdata as usize), observation.counter.advance());
        if let Some(explaining) = &mut observation.explaining {
            observation.core.take(explaining.taken());
        }
        let ending = observation.core.enter(id, reached);
        let mut is_in_vain = false;
        if let Some(explaining) = &mut observation.explaining {
            explaining.enter(&observation.core, id);
            is_in_vain = explaining.is_in_vain();
        }
        if let Some(ending) = ending.or(is_in_vain.then_some(Ending::Instructions)) {
            observation.finish(ending, None);
        }
        if let Some(mark) = observation.core.entered() {
            observation.pass(mark, 0);
        }
        while let Some(mark) = observation.core.returned() {
            observation.pass(mark, 0);
        }
    });
}

/// Handles a marked instruction that is about to execute.
unsafe extern "C" fn passes(_: c_uint, userdata: *mut c_void) {
    state::with(|observation| {
        let packed = userdata as usize;
        let (mark, index) = (packed >> MARK_SHIFT, packed & ((1 << MARK_SHIFT) - 1));
        observation.pass(mark, index);
    });
}

/// Handles a write of an instruction if there are marks at writes.
unsafe extern "C" fn writes(
    _: c_uint,
    access: qemu_plugin_meminfo_t,
    address: u64,
    userdata: *mut c_void,
) {
    // SAFETY: QEMU's handle is valid until this callback returns.
    let (is_store, shift) = unsafe {
        (
            qemu_plugin_mem_is_store(access),
            qemu_plugin_mem_size_shift(access),
        )
    };
    // QEMU 7.2 also reports reads to a callback for writes.
    if is_store {
        state::with(|observation| {
            observation.written(address as u32, 1 << shift, userdata as usize)
        });
    }
}

/// Handles a memory access of an instruction in an IT block.
unsafe extern "C" fn accesses(
    _: c_uint,
    access: qemu_plugin_meminfo_t,
    address: u64,
    userdata: *mut c_void,
) {
    // SAFETY: QEMU's handle is valid until this callback returns.
    let is_read = !unsafe { qemu_plugin_mem_is_store(access) };
    state::with(|observation| {
        let instruction = userdata as usize as u32;
        observation.core.accessed(instruction);
        if let Some(explaining) = &mut observation.explaining {
            explaining.explainer.accessed(instruction);
        }
        if is_read {
            observation.core.address(address as u32);
        }
    });
}

/// Handles an access that QEMU executes again, in a block of its own.
unsafe extern "C" fn completes(_: c_uint, _: qemu_plugin_meminfo_t, _: u64, userdata: *mut c_void) {
    state::with(|observation| observation.core.completed(userdata as usize as u32));
}

/// Handles the store that ends the machine. QEMU 7.2 exits inside the store. Later versions let the
/// guest continue until their main loop notices, which this callback prevents.
unsafe extern "C" fn finishes(_: c_uint, _: qemu_plugin_meminfo_t, _: u64, _: *mut c_void) {
    state::with(|observation| observation.finish_at_store());
}

/// Returns whether an access is to a device. The address alone does not show it: under an MMU,
/// memory may have the same addresses.
///
/// # Safety
/// `access` is QEMU's handle of the running callback.
unsafe fn is_device(access: qemu_plugin_meminfo_t, address: u64) -> bool {
    // SAFETY: the caller's; QEMU returns null or a handle that is valid until the callback returns.
    unsafe {
        let place = qemu_plugin_get_hwaddr(access, address);
        !place.is_null() && qemu_plugin_hwaddr_is_io(place)
    }
}

/// Handles a store that may request an interrupt.
unsafe extern "C" fn requests(
    _: c_uint,
    access: qemu_plugin_meminfo_t,
    address: u64,
    _: *mut c_void,
) {
    // SAFETY: QEMU's handle is valid until this callback returns.
    if unsafe { qemu_plugin_mem_is_store(access) && is_device(access, address) } {
        state::with(|observation| observation.core.requested(address as u32));
    }
}

/// Handles a write at the end of a block, which may be to a device.
unsafe extern "C" fn device_writes(
    _: c_uint,
    access: qemu_plugin_meminfo_t,
    address: u64,
    userdata: *mut c_void,
) {
    // SAFETY: QEMU's handle is valid until this callback returns.
    let (is_write, shift) = unsafe {
        (
            qemu_plugin_mem_is_store(access) && is_device(access, address),
            qemu_plugin_mem_size_shift(access),
        )
    };
    if is_write {
        state::with(|observation| {
            observation.device_written(userdata as usize as u32, address as u32, 1 << shift)
        });
    }
}

/// Handles an access to memory whose cost depends on the address.
unsafe extern "C" fn addresses(_: c_uint, _: qemu_plugin_meminfo_t, address: u64, _: *mut c_void) {
    state::with(|observation| observation.core.address(address as u32));
}

/// Handles an instruction that saves or restores the registers of a task, word by word from the
/// lowest.
unsafe extern "C" fn switches(
    _: c_uint,
    _: qemu_plugin_meminfo_t,
    address: u64,
    userdata: *mut c_void,
) {
    state::with(|observation| {
        let packed = userdata as usize;
        let (block, index) = (packed >> MARK_SHIFT, packed & ((1 << MARK_SHIFT) - 1));
        observation.context(BlockId(block), index, address as u32);
    });
}

/// Handles QEMU's exit, which the guest or another process requested.
unsafe extern "C" fn exits(_: qemu_plugin_id_t, _: *mut c_void) {
    state::with(Observation::exit);
}

/// Handles QEMU's abort().
extern "C" fn aborts(_: c_int) {
    state::with(Observation::abort);
}
