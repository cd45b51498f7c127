// SPDX-License-Identifier: MIT
//! Defines the interface of an instruction set: how code is decoded, what it does to stacks, masks
//! and tasks, and how exceptions are entered and left.

use crate::{
    CodeState, Context, Core, CycleModel, ExceptionChange, ExceptionStack, Fetched, Handlers, Jump,
    MaskEffect, Transition,
};
use ticklab_image::{Error, Image};
use ticklab_isa::{Class, Flow, Instruction, Profile, ProfileError, Register};

/// Returns the instruction that ends at an address, and its bytes, if it is known.
pub type Preceding<'a> = &'a dyn Fn(u32) -> Option<(&'a Instruction, &'a [u8])>;

pub trait InstructionSet: Sync {
    // --- Identity

    /// Returns the machine of its images: `e_machine` of the ELF header.
    fn machine(&self) -> u16;

    /// Returns the cores of the instruction set. A core that no set lists is counted like the first
    /// core.
    fn cores(&self) -> &'static [Core];

    /// Returns the cycle model of `core`, which [`Core::has_model`], with a timing profile.
    ///
    /// # Errors
    /// The profile does not fit the core.
    fn model(&self, core: &Core, profile: &Profile) -> Result<Box<dyn CycleModel>, ProfileError>;

    // --- Code

    /// Returns the state (for example A32 or T32) in which the processor executes the fetched
    /// block. Most instruction sets have one state.
    fn state(&self, _fetched: &Fetched) -> CodeState {
        CodeState::default()
    }

    /// Returns the size in bytes of the instruction that begins with this halfword.
    fn size(&self, first: [u8; 2], state: CodeState) -> usize;

    /// Decodes a block whose first `it_remaining` instructions belong to an IT block before it.
    fn decode(
        &self,
        start: u32,
        code: &[u8],
        it_remaining: u8,
        state: CodeState,
    ) -> Vec<Instruction>;

    /// Returns whether the target may stop executing a block at `instruction`, because the
    /// instruction faults or is executed again alone. At other instructions, translated code does
    /// not check for a stop.
    fn may_stop(&self, instruction: &Instruction) -> bool {
        instruction.accesses_memory() || instruction.class == Class::Divide
    }

    /// Returns the instructions of a block that certainly store to `address`.
    fn stores(&self, _start: u32, _code: &[u8], _address: u32) -> Vec<usize> {
        Vec::new()
    }

    /// Returns the address of each store whose value the block's code determines, and the value.
    fn stored_constants(
        &self,
        _block: &[Instruction],
        _code: &[u8],
        _image: &Image,
    ) -> Vec<(u32, u32)> {
        Vec::new()
    }

    // --- Stacks, tasks and masks

    fn stack_pointer(&self) -> Register;

    /// Returns the bytes by which an instruction grows the stack, if it changes the stack pointer
    /// by a constant; otherwise 0. The result is negative if the stack shrinks.
    fn stack_growth(&self, instruction: &Instruction, bytes: &[u8], state: CodeState) -> i32;

    /// Returns the size of the frame that the processor stacks at an exception. `is_float` says
    /// whether the interrupted code may have floating-point state.
    fn frame_bytes(&self, is_float: bool) -> u32;

    /// Returns which registers of a task `instruction` saves or restores, and where; None if it
    /// does neither. `address` is the lowest address that the instruction accesses, or 0 if
    /// unknown.
    fn context(&self, instruction: &Instruction, address: u32) -> Option<Context>;

    /// Returns the effect of an instruction on the interrupt masks.
    fn mask_effect(
        &self,
        instruction: &Instruction,
        bytes: &[u8],
        state: CodeState,
        preceding: Preceding,
    ) -> Option<MaskEffect>;

    // --- Exceptions

    /// Returns the handlers that are known before execution. `table` is the address of the vector
    /// table in the plan.
    ///
    /// # Errors
    /// The image has no data there.
    fn handlers(&self, image: &Image, table: u32) -> Result<Handlers, Error>;

    /// Returns (address, exception) for each handler that a block of code installs.
    fn installs(&self, _image: &Image, _start: u32, _code: &[u8]) -> Vec<(u32, u16)> {
        Vec::new()
    }

    /// Guesses the exception of an unknown handler that was entered after an instruction with
    /// `flow`.
    fn guess(&self, image: &Image, address: u32, flow: Flow) -> u16;

    /// Chooses among the exceptions that share a handler. `from` is the instruction before the
    /// entry, and `stopped` is true if it certainly did not complete.
    fn choose(&self, exceptions: &[u16], from: &Instruction, stopped: bool) -> Option<u16>;

    /// Returns whether the exception is a fault, for which the log has a record.
    fn is_fault(&self, exception: u16) -> bool;

    /// Returns whether the exception is an interrupt, which no instruction causes. Needed only for
    /// targets that report the states of interrupts.
    fn is_interrupt(&self, _exception: u16) -> bool {
        false
    }

    /// Returns the name of an interrupt that has no exception of its own, as its controller names
    /// it.
    fn interrupt_name(&self, _interrupt: u16) -> Option<String> {
        None
    }

    /// Returns whether `from` did not complete, given that `exception` was taken after it.
    fn stops(&self, exception: u16, _from: &Instruction) -> bool {
        self.is_fault(exception)
    }

    /// Returns the lane that counts entries of the exception.
    fn lane(&self, exception: u16) -> usize;

    /// Returns the name of the exception, if it has one other than the name of its handler.
    fn name(&self, _exception: u16) -> Option<&'static str> {
        None
    }

    /// Returns the architecture's name of the exception, which tells it from others with the same
    /// handler. Only for targets that report which exception was taken.
    fn kind(&self, _exception: u16) -> Option<String> {
        None
    }

    /// Returns the kind of jump of the block's last instruction, if its flow does not determine it.
    fn jump(&self, _block: &[Instruction], _code: &[u8], _image: &Image) -> Option<Jump> {
        None
    }

    /// Returns whether instruction `index` of a block may be a store that requests an interrupt.
    /// The target then reports the address, and [`InstructionSet::is_request`] decides. Sets whose
    /// interrupts have entries of their own need no requests.
    fn may_request(&self, _block: &[Instruction], _index: usize) -> bool {
        false
    }

    fn is_request(&self, _address: u32) -> bool {
        false
    }

    /// Enters the fault `exception` of the instruction `from`, whose handler is at `to`.
    fn enter(
        &self,
        stack: &mut ExceptionStack,
        exception: u16,
        from: &Instruction,
        _to: u32,
    ) -> ExceptionChange {
        stack.enter(exception, Some(from.address))
    }

    /// Follows a transition that the code explains, so that no exception was entered or left.
    fn follow(&self, _stack: &mut ExceptionStack, _from: &Instruction, _to: u32) {}

    /// Applies a transition that the code does not explain, and returns its effect.
    fn apply(&self, stack: &mut ExceptionStack, transition: &Transition) -> ExceptionChange;

    /// Returns whether another fault would lock up the processor.
    fn may_lock_up(&self, _stack: &ExceptionStack) -> bool {
        false
    }
}
