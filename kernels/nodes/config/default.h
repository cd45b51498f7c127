// SPDX-License-Identifier: MIT
//
// There is nothing to configure: what differs between configurations are files (kernel.toml).
