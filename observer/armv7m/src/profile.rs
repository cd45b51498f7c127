// SPDX-License-Identifier: MIT
//! The timing of the memories around a core, as platform/profiles/<name>.toml describes it.

use serde::Deserialize;
use std::fmt;

/// A timing profile. No `flash` means memory without wait states everywhere.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub name: String,
    pub title: String,
}

/// Why a profile cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError(pub String);

impl fmt::Display for ProfileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for ProfileError {}
