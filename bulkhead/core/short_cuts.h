// SPDX-License-Identifier: MIT
//
// Whether the kernel has short cuts: paths that do the same as others in fewer steps, and that a
// kernel which is compiled for size can do without.
#ifndef KERNEL_SHORT_CUTS_H
#define KERNEL_SHORT_CUTS_H

#ifdef __OPTIMIZE_SIZE__
#define HAS_SHORT_CUTS 0
#else
#define HAS_SHORT_CUTS 1
#endif

#endif
