// SPDX-License-Identifier: MIT
//
// Nothing: lilos's configuration is in Cargo.toml, as features of the crate.
