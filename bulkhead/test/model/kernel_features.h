// SPDX-License-Identifier: MIT
//
// The optional parts that the model has: core/optional.h.
#define KERNEL_HAS_RESTARTS 1
#define KERNEL_HAS_LEASES 1
