// SPDX-License-Identifier: MIT
//
// The header that the kernel's sources include by this name. The build has already included the
// configuration itself, which is a file of config/.
