// SPDX-License-Identifier: MIT
//! The profiles of this repository, and what is wrong with others.

use std::path::Path;
use ticklab_armv7m::{Core, Model};
use ticklab_isa::Profile;

/// platform/profiles/`name`.toml.
pub fn read(name: &str) -> Profile {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../platform/profiles");
    let text = std::fs::read_to_string(folder.join(format!("{name}.toml")));
    parse(&text.expect("the profile can be read")).expect("the profile is valid")
}

fn parse(text: &str) -> Result<Profile, String> {
    let profile: Profile = toml::from_str(text).map_err(|error| error.message().to_owned())?;
    profile.check().map_err(|error| error.to_string())?;
    Ok(profile)
}

const FLASH: &str = "title = \"t\"
    [flash]
    origin = 0
    bytes = 1024
    wait_states = 4
    line_bytes = 8
    prefetch = true
    instruction_cache = { rows = 32, lines_per_row = 4 }
    data_cache = { rows = 8, lines_per_row = 4 }";

#[test]
fn a_profile_without_flash_needs_no_memory_system() {
    let model = Model::new(Core::CortexM3, &read("zero-wait")).expect("a valid profile");
    assert!(model.memory().is_none());
    assert!(model
        .lanes()
        .iter()
        .all(|lane| !lane.name.starts_with("flash")));
}

#[test]
fn a_wrong_number_is_named() {
    let wrong = |from, to| parse(&FLASH.replace(from, to)).expect_err("the profile is wrong");
    assert!(parse(FLASH).is_ok());
    assert_eq!(
        wrong("line_bytes = 8", "line_bytes = 12"),
        "timing profile: flash.line_bytes = 12; it must be a power of two from 4 to 64"
    );
    assert_eq!(
        wrong("rows = 32", "rows = 0"),
        "timing profile: flash.instruction_cache.rows = 0; it must be 1 to 254"
    );
    assert!(wrong("bytes = 1024", "bytes = 0").contains("flash.bytes = 0"));
    assert!(wrong("wait_states", "waitstates").contains("waitstates"));
}

#[test]
fn an_unknown_core_is_named() {
    let error = "cortex-m7"
        .parse::<Core>()
        .expect_err("there is no such model");
    assert!(error
        .to_string()
        .contains("\"cortex-m7\" has no cycle model; take cortex-m3"));
}
