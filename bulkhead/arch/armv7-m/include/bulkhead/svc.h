// SPDX-License-Identifier: MIT
//
// The system call of Armv7-M, and the exclusive accesses that change a word atomically.
//
// A call is SVC with the handle in r1, the method in r2 (methods.h), arguments in r3 and r12, and
// BULKHEAD_OK in r0, which the kernel overwrites with any other result. The processor stacks and
// restores r0 to r3 and r12 itself: a call changes no other register.
#ifndef BULKHEAD_SVC_H
#define BULKHEAD_SVC_H

#include <bulkhead/methods.h>
#include <bulkhead/result.h>
#include <stdint.h>

#define BULKHEAD_INLINE static inline __attribute__((always_inline))

// Tells the compiler that the kernel returns only values of enum bulkhead_result.
BULKHEAD_INLINE enum bulkhead_result bulkhead_result_of(uint32_t r0) {
    if (r0 > BULKHEAD_PEER_LOST) {
        __builtin_unreachable();
    }
    return (enum bulkhead_result)r0;
}

// Makes a call to the calling thread itself. It cannot fail, because every thread has the right to
// itself.
BULKHEAD_INLINE void bulkhead_call_self(uint32_t method) {
    register uint32_t r1 __asm__("r1") = BULKHEAD_SELF;
    register uint32_t r2 __asm__("r2") = method;
    __asm__ volatile("svc 0" : : "r"(r1), "r"(r2) : "memory");
}

// The same call as assembler text, for a naked function, which has no stack frame.
#define BULKHEAD_CALL_SELF_TEXT(method) \
    "movs r1, #" BULKHEAD_TEXT(BULKHEAD_SELF) "\n\tmovs r2, #" BULKHEAD_TEXT(method) "\n\tsvc 0"

// r0 is set last, because a function that passes its own first argument on still has it in r0.
#define BULKHEAD_SVC "movs r0, #0\n\tsvc 0"

BULKHEAD_INLINE enum bulkhead_result bulkhead_call(uint32_t handle, uint32_t method) {
    register uint32_t r1 __asm__("r1") = handle;
    register uint32_t r2 __asm__("r2") = method;
    register uint32_t r0 __asm__("r0");
    __asm__ volatile(BULKHEAD_SVC : "=&r"(r0) : "r"(r1), "r"(r2) : "cc", "memory");
    return bulkhead_result_of(r0);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_call_1(uint32_t handle, uint32_t method,
                                                     uint32_t argument) {
    register uint32_t r3 __asm__("r3") = argument;
    register uint32_t r1 __asm__("r1") = handle;
    register uint32_t r2 __asm__("r2") = method;
    register uint32_t r0 __asm__("r0");
    __asm__ volatile(BULKHEAD_SVC : "=&r"(r0) : "r"(r1), "r"(r2), "r"(r3) : "cc", "memory");
    return bulkhead_result_of(r0);
}

// Makes a call with two arguments. The kernel may change r12 to the remaining ticks of a timeout.
BULKHEAD_INLINE enum bulkhead_result bulkhead_call_2(uint32_t handle, uint32_t method,
                                                     uint32_t argument, uint32_t second) {
    register uint32_t r12 __asm__("r12") = second;
    register uint32_t r3 __asm__("r3") = argument;
    register uint32_t r1 __asm__("r1") = handle;
    register uint32_t r2 __asm__("r2") = method;
    register uint32_t r0 __asm__("r0");
    __asm__ volatile(BULKHEAD_SVC
                     : "=&r"(r0), "+r"(r12)
                     : "r"(r1), "r"(r2), "r"(r3)
                     : "cc", "memory");
    return bulkhead_result_of(r0);
}

// Makes a call with one argument, which the call changes.
BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_1(uint32_t handle, uint32_t method,
                                                         uint32_t *value) {
    register uint32_t r0 __asm__("r0");
    register uint32_t r1 __asm__("r1") = handle;
    register uint32_t r2 __asm__("r2") = method;
    register uint32_t r3 __asm__("r3") = *value;
    __asm__ volatile(BULKHEAD_SVC : "=&r"(r0), "+r"(r3) : "r"(r1), "r"(r2) : "cc", "memory");
    *value = r3;
    return bulkhead_result_of(r0);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_2(uint32_t handle, uint32_t method,
                                                         uint32_t *value, uint32_t second) {
    register uint32_t r0 __asm__("r0");
    register uint32_t r1 __asm__("r1") = handle;
    register uint32_t r2 __asm__("r2") = method;
    register uint32_t r3 __asm__("r3") = *value;
    register uint32_t r12 __asm__("r12") = second;
    __asm__ volatile(BULKHEAD_SVC
                     : "=&r"(r0), "+r"(r3), "+r"(r12)
                     : "r"(r1), "r"(r2)
                     : "cc", "memory");
    *value = r3;
    return bulkhead_result_of(r0);
}

// Makes a call that sends the four words in `words` to another thread. On return, `words` has the
// four words that it sent back, and `*value` another value that the call returns.
BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_words(uint32_t handle, uint32_t method,
                                                             uint32_t words[4], uint32_t *value) {
    register uint32_t r0 __asm__("r0");
    register uint32_t r1 __asm__("r1") = handle;
    register uint32_t r2 __asm__("r2") = method;
    register uint32_t r3 __asm__("r3");
    __asm__ volatile("ldmia %[words], {r8-r11}\n\t" BULKHEAD_SVC "\n\tstmia %[words], {r8-r11}"
                     : "=&r"(r0), "=&r"(r3)
                     : "r"(r1), "r"(r2), [words] "r"(words)
                     : "r8", "r9", "r10", "r11", "cc", "memory");
    *value = r3;
    return bulkhead_result_of(r0);
}

// Makes the same call, with `*value` also as its argument.
BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_words_1(uint32_t handle, uint32_t method,
                                                               uint32_t words[4], uint32_t *value) {
    register uint32_t r0 __asm__("r0");
    register uint32_t r1 __asm__("r1") = handle;
    register uint32_t r2 __asm__("r2") = method;
    register uint32_t r3 __asm__("r3") = *value;
    __asm__ volatile("ldmia %[words], {r8-r11}\n\t" BULKHEAD_SVC "\n\tstmia %[words], {r8-r11}"
                     : "=&r"(r0), "+r"(r3)
                     : "r"(r1), "r"(r2), [words] "r"(words)
                     : "r8", "r9", "r10", "r11", "cc", "memory");
    *value = r3;
    return bulkhead_result_of(r0);
}

// Makes the same call, with `*value` and `second` as its arguments.
BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_words_2(uint32_t handle, uint32_t method,
                                                               uint32_t words[4], uint32_t *value,
                                                               uint32_t second) {
    register uint32_t r0 __asm__("r0");
    register uint32_t r1 __asm__("r1") = handle;
    register uint32_t r2 __asm__("r2") = method;
    register uint32_t r3 __asm__("r3") = *value;
    register uint32_t r12 __asm__("r12") = second;
    __asm__ volatile("ldmia %[words], {r8-r11}\n\t" BULKHEAD_SVC "\n\tstmia %[words], {r8-r11}"
                     : "=&r"(r0), "+r"(r3), "+r"(r12)
                     : "r"(r1), "r"(r2), [words] "r"(words)
                     : "r8", "r9", "r10", "r11", "cc", "memory");
    *value = r3;
    return bulkhead_result_of(r0);
}

BULKHEAD_INLINE uint32_t bulkhead_load_exclusive(volatile uint32_t *word) {
    uint32_t value;
    __asm__ volatile("ldrex %0, %1" : "=r"(value) : "Q"(*word) : "memory");
    return value;
}

// Returns 0 if it stored the word, that is, if no exception came after the exclusive load.
BULKHEAD_INLINE uint32_t bulkhead_store_exclusive(volatile uint32_t *word, uint32_t value) {
    uint32_t failed;
    __asm__ volatile("strex %0, %2, %1" : "=&r"(failed), "=Q"(*word) : "r"(value) : "memory");
    return failed;
}

#endif
