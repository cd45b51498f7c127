// SPDX-License-Identifier: MIT
//! What a plan and an image make of an observation before it begins: its lanes and marks.

use crate::image::Image;
use crate::log::Lane;
use crate::plan::Plan;
use crate::Error;
use std::collections::HashMap;
use ticklab_isa::counted;

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

pub(crate) type Marks = (Vec<String>, HashMap<u32, Vec<usize>>);

/// Names in the order of their first appearance, and which of them are at an address.
pub(crate) fn marks(plan: &Plan, image: &Image) -> Result<Marks, Error> {
    let planned = plan
        .marks
        .iter()
        .map(|mark| (&mark.name, mark.address & !1));
    let all: Vec<_> = image
        .marks
        .iter()
        .map(|m| (&m.name, m.address))
        .chain(planned)
        .collect();
    if all.is_empty() {
        return Err(Error::new(
            "the image has no marks; use BENCH_MARK in it, or name addresses in the plan",
        ));
    }
    let mut names: Vec<String> = Vec::new();
    let mut at: HashMap<u32, Vec<usize>> = HashMap::new();
    for (name, address) in all {
        let index = names
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
        at.entry(address).or_default().push(index);
    }
    Ok((names, at))
}
