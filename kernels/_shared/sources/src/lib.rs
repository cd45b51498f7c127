// SPDX-License-Identifier: MIT
//! Empty: the package exists for its lock file (see Cargo.toml).
