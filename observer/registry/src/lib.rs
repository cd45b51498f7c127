// SPDX-License-Identifier: MIT
//! Lists the instruction sets that the observer knows, and finds the one of an image and a core.
//!
//! A new instruction set is a crate, a dependency of this one and a row of [`INSTRUCTION_SETS`].
#![forbid(unsafe_code)]

use ticklab_image::Error;
use ticklab_processor::{Core, InstructionSet};

/// The instruction sets of each crate. The first one for a machine is used for cores that none of
/// them lists.
const INSTRUCTION_SETS: &[&[&dyn InstructionSet]] = &[
    &ticklab_armv7m::SETS,
    &ticklab_armv7a::SETS,
    &ticklab_rv32::SETS,
];

/// Returns the instruction sets of a machine.
fn fitting(machine: u16) -> impl Iterator<Item = &'static dyn InstructionSet> {
    let sets = INSTRUCTION_SETS.iter().copied().flatten().copied();
    sets.filter(move |set| set.machine() == machine)
}

/// Returns the instruction set of `core`, for an image that is built for `machine` (`e_machine` of
/// its ELF header). A core that no instruction set lists can be counted, but not modelled.
///
/// # Errors
/// There is no instruction set for the machine.
pub fn instruction_set(machine: u16, core: &str) -> Result<&'static dyn InstructionSet, Error> {
    let listed = fitting(machine).find(|set| find(*set, core).is_some());
    listed.or_else(|| fitting(machine).next()).ok_or_else(|| {
        Error::new(format!(
            "the image is built for machine {machine} of ELF; build it for the board's core"
        ))
    })
}

/// Returns the core of a plan that requests a cycle model.
///
/// # Errors
/// The core has no cycle model.
pub fn modelled_core(machine: u16, name: &str) -> Result<&'static Core, Error> {
    let cores: Vec<&Core> = fitting(machine)
        .flat_map(|set| set.cores())
        .filter(|core| core.has_model)
        .collect();
    let core = cores.iter().find(|core| core.name == name).copied();
    core.ok_or_else(|| {
        let names: Vec<_> = cores.iter().map(|core| core.name).collect();
        Error::new(format!(
            "core {name} has no cycle model; take a core with one ({}), or count without a profile",
            names.join(", ")
        ))
    })
}

fn find(set: &dyn InstructionSet, core: &str) -> Option<&'static Core> {
    set.cores().iter().find(|known| known.name == core)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARM: u16 = 40;
    const RISCV: u16 = 243;
    const MIPS: u16 = 8;

    fn lists(machine: u16, core: &str) -> bool {
        find(instruction_set(machine, core).unwrap(), core).is_some()
    }

    #[test]
    fn a_core_belongs_to_the_instruction_set_that_lists_it() {
        for core in ["cortex-m3", "cortex-m7f", "cortex-m33", "cortex-a7"] {
            assert!(lists(ARM, core), "{core}");
        }
        assert!(lists(RISCV, "ibex"));
        assert!(!lists(ARM, "ibex"));
    }

    #[test]
    fn a_core_that_is_not_listed_is_counted_but_not_modelled() {
        assert!(instruction_set(ARM, "mine").is_ok());
        assert_unmodelled("mine");
    }

    #[test]
    fn a_core_without_a_model_can_only_be_counted() {
        assert_unmodelled("cortex-m7");
        assert_unmodelled("cortex-m33");
    }

    /// The error names the core and the cores of the same machine that have a model.
    fn assert_unmodelled(core: &str) {
        let error = modelled_core(ARM, core).unwrap_err().to_string();
        assert!(
            error.contains(core) && error.contains("cortex-m3"),
            "{error}"
        );
        assert!(
            !error.contains("ibex") && error.lines().count() == 1,
            "{error}"
        );
    }

    #[test]
    fn an_image_for_another_machine_is_refused() {
        let error = instruction_set(MIPS, "cortex-m3")
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains("machine 8") && error.contains("build it"),
            "{error}"
        );
    }
}
