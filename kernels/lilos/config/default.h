// SPDX-License-Identifier: MIT
//
// Defines nothing: lilos's configuration is in Cargo.toml, as features of the crate.
