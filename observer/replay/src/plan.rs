// SPDX-License-Identifier: MIT
//! Parses the observation plan, the lab's request for one observation (docs/reference/formats.md).

use crate::Error;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use ticklab_isa::Profile;

/// The version number of the format of plans and event logs.
pub const VERSION: u32 = 3;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// `require_version` checks this member before all others.
    #[serde(rename = "version")]
    _version: u32,
    pub image: PathBuf,
    pub log: PathBuf,
    /// The marks whose passes the log records.
    pub marks: Vec<PlannedMark>,
    /// Marks at the entries of exceptions: for a kind of exception, the name of the mark that each
    /// entry passes. A kind has the name of the lane that counts its entries.
    pub entries: BTreeMap<String, String>,
    /// For a mark at the first instruction of a function, the mark that is passed where a call of
    /// the function returns. If this is null, calls are not followed; otherwise the log records the
    /// frame of each mark, also if the map is empty.
    pub calls: Option<BTreeMap<String, String>>,
    /// The code of the kernel's port, whose instructions lane `port` counts: pairs of the first
    /// address and the address after the last.
    pub port: Vec<[u32; 2]>,
    pub until: Until,
    pub stall_instructions: u64,
    pub core: String,
    /// Address of the vector table at reset.
    pub vectors: u32,
    pub model: Option<Modelling>,
    /// The address of the register in which a store ends the machine, if no instruction ends it.
    pub exit_register: Option<u32>,
    /// The latency of the bus in cycles. QEMU's machines have no bus.
    pub bus_latency: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedMark {
    pub name: String,
    pub address: u32,
    /// Whether the mark is passed by an instruction that writes the byte at `address`, and not by
    /// the instruction at `address`.
    pub is_write: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Until {
    pub marks: Option<Passes>,
    pub instructions: u64,
}

/// Ends the observation after this number of passes of marks with this name. `*` matches any text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passes {
    pub name: String,
    pub passes: u64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Modelling {
    pub profile: Profile,
}

impl Plan {
    /// # Errors
    /// The file cannot be read or is not a plan of this schema.
    pub fn read(path: &Path) -> Result<Plan, Error> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| Error::new(format!("plan {}: {e}; give plan=FILE", path.display())))?;
        Plan::parse(&text).map_err(|e| Error::new(format!("plan {}: {e}", path.display())))
    }

    /// # Errors
    /// The text is not a plan of this schema.
    pub fn parse(text: &str) -> Result<Plan, Error> {
        let unfit = |e| Error::new(format!("{e}; docs/reference/formats.md has the format"));
        let document: serde_json::Value = serde_json::from_str(text).map_err(unfit)?;
        require_version(&document)?;
        let plan: Plan = serde_json::from_str(text).map_err(unfit)?;
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), Error> {
        if self.bus_latency != 0 {
            return Err(Error::new("this machine has no bus; use bus_latency 0"));
        }
        // The tally of a record is 32 bits wide, which limits how many instructions may lie between
        // two records.
        if !(1..=u64::from(u32::MAX / 2)).contains(&self.stall_instructions) {
            return Err(Error::new(
                "stall_instructions is out of range; use 1 to 2000000000",
            ));
        }
        Ok(())
    }
}

fn require_version(document: &serde_json::Value) -> Result<(), Error> {
    let version = &document["version"];
    if version == VERSION {
        return Ok(());
    }
    Err(Error::new(format!(
        "it has version {version}, and this observer reads version {VERSION}; \
         build the observer of this Ticklab again"
    )))
}

impl Passes {
    /// Returns whether a mark's name matches the pattern.
    #[must_use]
    pub fn fits(&self, name: &str) -> bool {
        fits(self.name.as_bytes(), name.as_bytes())
    }
}

fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some((b'*', rest)) => (0..=name.len()).any(|skipped| fits(rest, &name[skipped..])),
        Some((letter, rest)) => name.first() == Some(letter) && fits(rest, &name[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"{"version": 3, "image": "x.elf", "log": "events.log",
        "marks": [{"name": "from", "address": 4660, "is_write": false}], "entries": {},
        "calls": null, "port": [], "exit_register": null, "bus_latency": 0,
        "until": {"marks": {"name": "iteration.*", "passes": 5000}, "instructions": 100000000},
        "stall_instructions": 20000000, "core": "cortex-m4f", "vectors": 0,
        "model": null}"#;

    #[test]
    fn reads_the_documented_plan() {
        let plan = Plan::parse(PLAN).unwrap();
        assert_eq!(plan.marks[0].address, 4660);
        assert_eq!(plan.until.marks.unwrap().passes, 5000);
        assert!(plan.model.is_none());
    }

    #[test]
    fn refuses_invalid_plans() {
        for (from, to, word) in [
            (
                "\"version\": 3",
                "\"version\": 4",
                "it has version 4, and this observer reads version 3",
            ),
            ("\"version\"", "\"schema\"", "it has version null"),
            ("\"bus_latency\": 0", "\"bus_latency\": 8", "bus_latency"),
            ("\"model\"", "\"record\": null, \"model\"", "record"),
            ("\"vectors\"", "\"vector\"", "vector"),
            ("20000000", "0", "stall_instructions"),
        ] {
            let error = Plan::parse(&PLAN.replace(from, to))
                .unwrap_err()
                .to_string();
            assert!(error.contains(word), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }

    #[test]
    fn a_star_matches_any_text() {
        let passes = |name: &str| Passes {
            name: name.into(),
            passes: 1,
        };
        assert!(passes("iteration.*").fits("iteration.12"));
        assert!(passes("iteration.*").fits("iteration."));
        assert!(passes("*").fits(""));
        assert!(passes("a*c").fits("abcc"));
        assert!(!passes("iteration.*").fits("iteration"));
        assert!(!passes("iteration").fits("iteration.1"));
    }
}
