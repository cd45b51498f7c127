// SPDX-License-Identifier: MIT
//
// The configuration of the kernel is that of its package (/boot/config-… in it), and its command
// line is in kernel.toml. A program has nothing to configure.
