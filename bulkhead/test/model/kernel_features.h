// SPDX-License-Identifier: MIT
//
// Selects the optional parts of the kernel that the model includes (core/optional.h).
#define KERNEL_HAS_RESTARTS 1
#define KERNEL_HAS_LEASES 1
