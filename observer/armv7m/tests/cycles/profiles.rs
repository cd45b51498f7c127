// SPDX-License-Identifier: MIT
//! Reads the profiles of this repository, and checks the errors of invalid profiles.

use std::path::Path;
use ticklab_armv7m::{Core, Model};
use ticklab_isa::Profile;
use ticklab_processor::CycleModel;

/// Returns platform/profiles/`name`.toml.
pub fn read(name: &str) -> Profile {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../platform/profiles");
    let text = std::fs::read_to_string(folder.join(format!("{name}.toml")));
    parse(&text.expect("the profile can be read")).expect("the profile is valid")
}

pub fn parse(text: &str) -> Result<Profile, String> {
    let profile: Profile = basic_toml::from_str(text).map_err(|error| error.to_string())?;
    profile.check().map_err(|error| error.to_string())?;
    Ok(profile)
}

pub const FLASH: &str = "title = \"t\"
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
fn an_error_names_the_key_and_its_range() {
    let error = |from, to| parse(&FLASH.replace(from, to)).expect_err("the profile is invalid");
    assert!(parse(FLASH).is_ok());
    for (from, to, named) in [
        (
            "line_bytes = 8",
            "line_bytes = 12",
            ["flash.line_bytes = 12", "from 4 to 64"],
        ),
        (
            "rows = 32",
            "rows = 255",
            ["flash.instruction_cache.rows = 255", "254 or less"],
        ),
        (
            "bytes = 1024",
            "bytes = 0",
            ["flash.bytes = 0", "1 to 256 MiB"],
        ),
        ("wait_states", "waitstates", ["waitstates", "wait_states"]),
    ] {
        let error = error(from, to);
        assert!(named.iter().all(|name| error.contains(name)), "{error}");
    }
}
