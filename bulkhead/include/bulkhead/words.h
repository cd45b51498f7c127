// SPDX-License-Identifier: MIT
//
// The words of state that user space and the kernel share.
//
// Semaphore: the count. A negative count means that threads may wait; then only the kernel changes
// it. Mutex: 0 if free, otherwise the identity of the holder, with bit 0 set if threads may wait. A
// holder that finds any other word than its identity calls the kernel to unlock.
//
// Event flags: bits 0 to 30. Bit 31 means that threads may wait; then only the kernel sets and
// clears flags.
#ifndef BULKHEAD_WORDS_H
#define BULKHEAD_WORDS_H

#define BULKHEAD_SEMAPHORE_WAITED (-1)
#define BULKHEAD_MUTEX_FREE 0u
#define BULKHEAD_MUTEX_WAITED 1u
#define BULKHEAD_FLAGS_WAITED 0x80000000u

#endif
