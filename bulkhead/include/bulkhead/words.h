// SPDX-License-Identifier: MIT
//
// The words of state that user space and kernel share: what they mean to both.
//
// Semaphore: the count; negative says that threads may wait, and only the kernel goes on from
// there. Mutex: 0 if free, else the holder's identity (bulkhead_self), with bit 0 set if threads
// may wait. A holder finds a word that is not exactly its identity and asks the kernel.
//
// Event flags: bits 0 to 30; bit 31 says that threads may wait, and only the kernel sets and
// clears flags then.
#ifndef BULKHEAD_WORDS_H
#define BULKHEAD_WORDS_H

#define BULKHEAD_SEMAPHORE_WAITED (-1)
#define BULKHEAD_MUTEX_FREE 0u
#define BULKHEAD_MUTEX_WAITED 1u
#define BULKHEAD_FLAGS_WAITED 0x80000000u

#endif
