// SPDX-License-Identifier: MIT
//! Derives the lanes and marks of an observation from its plan and image.

use crate::log::Lane;
use crate::plan::Plan;
use crate::Error;
use std::collections::{BTreeMap, HashMap};
use ticklab_isa::{counted, COUNTED};

pub(crate) fn lanes(modelled: &[ticklab_isa::Lane]) -> Vec<Lane> {
    let counted = counted::NAMES.iter().map(|name| Lane {
        name: (*name).into(),
        low: None,
        high: None,
        source: "counted".into(),
    });
    let modelled = modelled.iter().map(|lane| Lane {
        name: lane.name.into(),
        low: Some(lane.low.0),
        high: Some(lane.high.0),
        source: lane.source.into(),
    });
    counted.chain(modelled).collect()
}

/// The marks of an observation: their names, in the order of first appearance, and their addresses.
pub(crate) struct Marks {
    pub names: Vec<String>,
    /// Indices of the marks, by the address of their instruction.
    pub at: HashMap<u32, Vec<usize>>,
    /// The address of a byte, and the mark that a write to it passes.
    pub writes: Vec<(u32, usize)>,
    /// The mark of an exception's entry, by the lane that counts such entries.
    pub entries: [Option<usize>; COUNTED],
    /// For a mark at the start of a function, the mark where its call returns. `None` if calls are
    /// not followed.
    pub calls: Option<BTreeMap<usize, usize>>,
}

/// # Errors
/// There is no mark, or the plan names an unknown kind of exceptions.
pub(crate) fn marks(plan: &Plan) -> Result<Marks, Error> {
    if plan.marks.is_empty() && plan.entries.is_empty() {
        return Err(Error::new(
            "the plan has no marks; use BENCH_MARK in the image, or name addresses",
        ));
    }
    let (written, executed): (Vec<_>, Vec<_>) = plan.marks.iter().partition(|mark| mark.is_write);
    let mut names: Vec<String> = Vec::new();
    let mut at: HashMap<u32, Vec<usize>> = HashMap::new();
    for mark in executed {
        let of_address = at.entry(mark.address & !1).or_default();
        of_address.push(index_of(&mut names, &mark.name));
    }
    let writes = written
        .iter()
        .map(|mark| (mark.address, index_of(&mut names, &mark.name)))
        .collect();
    let mut entries = [None; COUNTED];
    for (kind, name) in &plan.entries {
        entries[lane(kind)?] = Some(index_of(&mut names, name));
    }
    let calls = calls(plan, &mut names)?;
    Ok(Marks {
        names,
        at,
        writes,
        entries,
        calls,
    })
}

fn calls(plan: &Plan, names: &mut Vec<String>) -> Result<Option<BTreeMap<usize, usize>>, Error> {
    let Some(calls) = &plan.calls else {
        return Ok(None);
    };
    let mut pairs = BTreeMap::new();
    for (begin, end) in calls {
        let place = names.iter().position(|name| name == begin);
        let place =
            place.ok_or_else(|| Error::new(format!("calls: there is no mark '{begin}'")))?;
        pairs.insert(place, index_of(names, end));
    }
    Ok(Some(pairs))
}

/// Returns the index of `name` in `names`, where it is appended if it is new.
fn index_of(names: &mut Vec<String>, name: &str) -> usize {
    let known = names.iter().position(|known| known == name);
    known.unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// Returns the lane that counts entries of exceptions of this kind.
fn lane(kind: &str) -> Result<usize, Error> {
    let mut kinds = counted::KINDS;
    kinds
        .find(|&lane| counted::NAMES[lane] == kind)
        .ok_or_else(|| {
            let known = counted::NAMES[counted::KINDS].join(", ");
            Error::new(format!(
                "unknown kind of exceptions {kind}; use one of {known}"
            ))
        })
}
