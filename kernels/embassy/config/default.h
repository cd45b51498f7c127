// SPDX-License-Identifier: MIT
//
// Nothing: Embassy's configuration is in Cargo.toml, as features of its crates.
