// SPDX-License-Identifier: MIT
//! Reads the timing of the memories around a core, which platform/profiles/<name>.toml describes.
//!
//! Only code, constants and devices may be slow. Data memory has no wait states in any profile.

use serde::Deserialize;
use std::fmt;

/// A timing profile. Without `flash`, no memory has wait states. Without `devices`, no device has
/// any.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub title: String,
    #[serde(default)]
    pub flash: Option<Flash>,
    #[serde(default)]
    pub devices: Option<Devices>,
}

/// Devices that are slower than memory.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Devices {
    /// By how many cycles a store to a device takes longer than a store to memory.
    pub store_cycles: u32,
    /// The address ranges of the devices, as pairs of the first address and the size in bytes.
    pub places: Vec<(u32, u32)>,
}

impl Devices {
    /// Returns whether a device is at `address`.
    #[must_use]
    pub fn has(&self, address: u32) -> bool {
        let is_in = |&(origin, bytes): &(u32, u32)| address.wrapping_sub(origin) < bytes;
        self.places.iter().any(is_in)
    }
}

/// A flash memory with an accelerator (prefetch buffer and caches).
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Flash {
    /// The first address.
    pub origin: u32,
    pub bytes: u32,
    /// The cycles that a read takes in addition to one without wait states.
    pub wait_states: u32,
    /// The bytes that one read of the array yields; a power of two.
    pub line_bytes: u32,
    /// Whether the line after the one in use is prefetched.
    pub prefetch: bool,
    #[serde(default = "Cache::none")]
    pub instruction_cache: Cache,
    #[serde(default = "Cache::none")]
    pub data_cache: Cache,
}

/// A fully associative cache that replaces the least recently used row. Without rows there is no
/// cache, and only the line in use is held.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Cache {
    /// The number of rows. Each row holds adjacent lines of the memory, at any address.
    pub rows: u32,
    pub lines_per_row: u32,
}

impl Profile {
    /// # Errors
    /// A number is outside the range that the memory model supports.
    pub fn check(&self) -> Result<(), ProfileError> {
        self.flash.as_ref().map_or(Ok(()), Flash::check)
    }
}

/// The greatest size of a flash memory, because the model has a table entry for each row of it.
const MOST_BYTES: u32 = 256 << 20;

impl Flash {
    fn check(&self) -> Result<(), ProfileError> {
        require(
            self.line_bytes.is_power_of_two() && (4..=64).contains(&self.line_bytes),
            "flash.line_bytes",
            self.line_bytes,
            "a power of two from 4 to 64",
        )?;
        require(
            (1..=MOST_BYTES).contains(&self.bytes),
            "flash.bytes",
            self.bytes,
            "1 to 256 MiB",
        )?;
        require(
            self.wait_states <= 64,
            "flash.wait_states",
            self.wait_states,
            "64 or less",
        )?;
        self.instruction_cache.check("flash.instruction_cache")?;
        self.data_cache.check("flash.data_cache")
    }
}

impl Cache {
    fn none() -> Cache {
        Cache {
            rows: 0,
            lines_per_row: 1,
        }
    }

    fn check(self, name: &str) -> Result<(), ProfileError> {
        let lines = self.lines_per_row;
        require(
            self.rows <= 254,
            &format!("{name}.rows"),
            self.rows,
            "254 or less",
        )?;
        require(
            lines.is_power_of_two() && lines <= 8,
            &format!("{name}.lines_per_row"),
            lines,
            "1, 2, 4 or 8",
        )
    }
}

fn require(holds: bool, key: &str, value: u32, wanted: &str) -> Result<(), ProfileError> {
    if holds {
        Ok(())
    } else {
        Err(ProfileError(format!(
            "timing profile: {key} = {value}; it must be {wanted}"
        )))
    }
}

/// The reason why a profile or a core cannot be modelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError(pub String);

impl fmt::Display for ProfileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for ProfileError {}
