// SPDX-License-Identifier: MIT
//
// Defines nothing: Embassy's configuration is in Cargo.toml, as features of its crates.
