// SPDX-License-Identifier: MIT
//
// There is nothing to configure: the configurations differ in the files that they build
// (kernel.toml).
