// SPDX-License-Identifier: MIT
//
// Says whether the kernel has short cuts: paths that do the same as other code in fewer steps. A
// kernel that is compiled for size leaves them out.
#ifndef KERNEL_SHORT_CUTS_H
#define KERNEL_SHORT_CUTS_H

#ifdef __OPTIMIZE_SIZE__
#define HAS_SHORT_CUTS 0
#else
#define HAS_SHORT_CUTS 1
#endif

#endif
