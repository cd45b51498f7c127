// SPDX-License-Identifier: MIT
//! Checks that docs/explanation/cycle-model.md documents the lanes of the model.

use crate::profiles;
use std::path::Path;
use ticklab_armv7m::{Core, Model};
use ticklab_processor::CycleModel;

/// Returns the name, low, high and source of each row of the documented table.
fn documented() -> Vec<[String; 4]> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/explanation/cycle-model.md");
    let text = std::fs::read_to_string(file).expect("docs/explanation/cycle-model.md can be read");
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        [cells[1].trim_matches('`'), cells[3], cells[4], cells[5]].map(str::to_owned)
    })
    .collect()
}

#[test]
fn the_documented_lanes_are_those_of_the_model() {
    let model = Model::new(Core::CortexM4F, &profiles::read("stm32l4-80mhz"));
    let model = model.expect("the profile is valid");
    let lanes = model.lanes().iter().map(|lane| {
        [
            lane.name.to_owned(),
            lane.low.0.to_string(),
            lane.high.0.to_string(),
            lane.source.to_owned(),
        ]
    });
    assert_eq!(documented(), lanes.collect::<Vec<_>>());
}
