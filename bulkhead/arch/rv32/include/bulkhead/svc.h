// SPDX-License-Identifier: MIT
//
// The system call of RV32.
//
// A call is ECALL with the handle in a0, the method in a1 (methods.h), arguments in a2 and a3 and
// four words in a4 to a7. The handle and the method are scaled to offsets in their tables, mostly
// by the compiler. The call returns its result in a0 and another value in a2. Like a function, a
// call preserves only s0 to s11, sp and ra. Threads must not use gp and tp: a switch to another
// process clears them.
#ifndef BULKHEAD_SVC_H
#define BULKHEAD_SVC_H

#include <bulkhead/methods.h>
#include <bulkhead/result.h>
#include <stdint.h>

#define BULKHEAD_INLINE static inline __attribute__((always_inline))

#define BULKHEAD_HANDLE_SCALE BULKHEAD_RIGHT_BYTES
#define BULKHEAD_METHOD_SCALE 4

#define BULKHEAD_CLOBBERED "t0", "t1", "t2", "t3", "t4", "t5", "t6", "memory"
#define BULKHEAD_WORDS_CLOBBERED "a4", "a5", "a6", "a7", BULKHEAD_CLOBBERED

// Tells the compiler that the kernel returns only values of enum bulkhead_result.
BULKHEAD_INLINE enum bulkhead_result bulkhead_result_of(uint32_t a0) {
    if (a0 > BULKHEAD_PEER_LOST) {
        __builtin_unreachable();
    }
    return (enum bulkhead_result)a0;
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_call(uint32_t handle, uint32_t method) {
    register uint32_t a0 __asm__("a0") = handle * BULKHEAD_HANDLE_SCALE;
    register uint32_t a1 __asm__("a1") = method * BULKHEAD_METHOD_SCALE;
    __asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : : "a2", "a3", BULKHEAD_WORDS_CLOBBERED);
    return bulkhead_result_of(a0);
}

// Makes a call that cannot fail, because every thread has the right to itself.
BULKHEAD_INLINE void bulkhead_call_self(uint32_t method) {
    bulkhead_call(BULKHEAD_SELF, method);
}

// The same call as assembler text, for a naked function, which has no stack frame. Handle 0 needs
// no scale.
#define BULKHEAD_CALL_SELF_TEXT(method) \
    "li a0, " BULKHEAD_TEXT(BULKHEAD_SELF) "\n\tli a1, 4 * " BULKHEAD_TEXT(method) "\n\tecall"
_Static_assert(BULKHEAD_SELF == 0 && BULKHEAD_METHOD_SCALE == 4, "in that text");

BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_1(uint32_t handle, uint32_t method,
                                                         uint32_t *value) {
    register uint32_t a0 __asm__("a0") = handle * BULKHEAD_HANDLE_SCALE;
    register uint32_t a1 __asm__("a1") = method * BULKHEAD_METHOD_SCALE;
    register uint32_t a2 __asm__("a2") = *value;
    __asm__ volatile("ecall" : "+r"(a0), "+r"(a1), "+r"(a2) : : "a3", BULKHEAD_WORDS_CLOBBERED);
    *value = a2;
    return bulkhead_result_of(a0);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_2(uint32_t handle, uint32_t method,
                                                         uint32_t *value, uint32_t second) {
    register uint32_t a0 __asm__("a0") = handle * BULKHEAD_HANDLE_SCALE;
    register uint32_t a1 __asm__("a1") = method * BULKHEAD_METHOD_SCALE;
    register uint32_t a2 __asm__("a2") = *value;
    register uint32_t a3 __asm__("a3") = second;
    __asm__ volatile("ecall" : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3) : : BULKHEAD_WORDS_CLOBBERED);
    *value = a2;
    return bulkhead_result_of(a0);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_call_1(uint32_t handle, uint32_t method,
                                                     uint32_t argument) {
    return bulkhead_exchange_1(handle, method, &argument);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_call_2(uint32_t handle, uint32_t method,
                                                     uint32_t argument, uint32_t second) {
    return bulkhead_exchange_2(handle, method, &argument, second);
}

// Makes a call that sends the four words in `words` to another thread, with the arguments `*value`
// and `second`. On return, `words` has the four words that it sent back, and `*value` another value
// that the call returns.
BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_words_2(uint32_t handle, uint32_t method,
                                                               uint32_t words[4], uint32_t *value,
                                                               uint32_t second) {
    register uint32_t a0 __asm__("a0") = handle * BULKHEAD_HANDLE_SCALE;
    register uint32_t a1 __asm__("a1") = method * BULKHEAD_METHOD_SCALE;
    register uint32_t a2 __asm__("a2") = *value;
    register uint32_t a3 __asm__("a3") = second;
    register uint32_t a4 __asm__("a4") = words[0];
    register uint32_t a5 __asm__("a5") = words[1];
    register uint32_t a6 __asm__("a6") = words[2];
    register uint32_t a7 __asm__("a7") = words[3];
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3), "+r"(a4), "+r"(a5), "+r"(a6),
                       "+r"(a7)
                     :
                     : BULKHEAD_CLOBBERED);
    words[0] = a4;
    words[1] = a5;
    words[2] = a6;
    words[3] = a7;
    *value = a2;
    return bulkhead_result_of(a0);
}

// Makes the same call, with `*value` as its only argument.
BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_words_1(uint32_t handle, uint32_t method,
                                                               uint32_t words[4], uint32_t *value) {
    register uint32_t a0 __asm__("a0") = handle * BULKHEAD_HANDLE_SCALE;
    register uint32_t a1 __asm__("a1") = method * BULKHEAD_METHOD_SCALE;
    register uint32_t a2 __asm__("a2") = *value;
    register uint32_t a4 __asm__("a4") = words[0];
    register uint32_t a5 __asm__("a5") = words[1];
    register uint32_t a6 __asm__("a6") = words[2];
    register uint32_t a7 __asm__("a7") = words[3];
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a4), "+r"(a5), "+r"(a6), "+r"(a7)
                     :
                     : "a3", BULKHEAD_CLOBBERED);
    words[0] = a4;
    words[1] = a5;
    words[2] = a6;
    words[3] = a7;
    *value = a2;
    return bulkhead_result_of(a0);
}

// Makes the same call without an argument. `*value` is only returned.
BULKHEAD_INLINE enum bulkhead_result bulkhead_exchange_words(uint32_t handle, uint32_t method,
                                                             uint32_t words[4], uint32_t *value) {
    *value = 0;
    return bulkhead_exchange_words_1(handle, method, words, value);
}

#endif
