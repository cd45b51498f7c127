// SPDX-License-Identifier: MIT
//! Lists the instruction sets that the observer knows, and finds the one of an image and a core.
//!
//! A new instruction set is a crate, a member of the workspace and a row of [`INSTRUCTION_SETS`].
#![forbid(unsafe_code)]

use ticklab_image::Error;
use ticklab_processor::{Core, InstructionSet};

/// For a machine with several instruction sets, the first is that of unknown cores.
const INSTRUCTION_SETS: [&dyn InstructionSet; 2] = [&ticklab_armv7m::Armv7M, &ticklab_rv32::Rv32];

/// Returns the instruction set of `core`, for an image that is built for `machine` (`e_machine` of
/// its ELF header). A core that no instruction set lists can be counted, but not modelled.
///
/// # Errors
/// There is no instruction set for the machine.
pub fn instruction_set(machine: u16, core: &str) -> Result<&'static dyn InstructionSet, Error> {
    let fitting = || {
        INSTRUCTION_SETS
            .into_iter()
            .filter(|set| set.machine() == machine)
    };
    let listed = fitting().find(|set| find(*set, core).is_some());
    listed.or_else(|| fitting().next()).ok_or_else(|| {
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
    let fitting = INSTRUCTION_SETS
        .into_iter()
        .filter(|set| set.machine() == machine);
    let cores: Vec<&Core> = fitting
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
        assert!(lists(ARM, "cortex-m3") && lists(RISCV, "ibex"));
        assert!(!lists(ARM, "ibex"));
    }

    #[test]
    fn a_core_that_is_not_listed_is_counted_but_not_modelled() {
        assert!(instruction_set(ARM, "mine").is_ok());
        let error = modelled_core(ARM, "mine").unwrap_err().to_string();
        assert!(
            error.contains("mine") && error.contains("cortex-m3"),
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
