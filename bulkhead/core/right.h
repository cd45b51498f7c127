// SPDX-License-Identifier: MIT
//
// A right is a pair: what may be done, and to what.
//
// Each process has a table of rights, and a handle is an index into it. All tables of a system have
// the same length, a power of two, and are filled with the right to nothing. So one masked look-up
// checks the handle, the right and the kind of the object. A right names the methods that the
// process may call; the other methods refuse.
#ifndef KERNEL_RIGHT_H
#define KERNEL_RIGHT_H

// Tables that the architecture makes: its entries of the functions in methods.h, by the numbers of
// bulkhead/methods.h.
struct methods;

struct right {
    const struct methods *methods;
    void *object;
};

extern const struct methods no_methods; // each refuses
extern const struct methods boot_methods, tickless_boot_methods, self_methods;
extern const struct methods notified_thread_methods, controlled_thread_methods, thread_methods;
extern const struct methods semaphore_methods, local_semaphore_methods;
extern const struct methods mutex_methods, local_mutex_methods;
extern const struct methods queue_methods, four_word_queue_methods, local_queue_methods;
extern const struct methods interrupt_methods;                     // request it
extern const struct methods edge_methods, level_methods;           // drive it
extern const struct methods edge_loop_methods, level_loop_methods; // both
extern const struct methods flags_methods;
extern const struct methods gate_methods, called_gate_methods;
extern const struct methods pool_methods, alarm_methods, process_methods;

#endif
