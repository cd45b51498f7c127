// SPDX-License-Identifier: MIT
//
// There is no kernel and nothing to configure.
