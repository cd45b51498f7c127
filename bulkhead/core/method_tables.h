// SPDX-License-Identifier: MIT
//
// The tables of methods that a right may point to: arch/*/method_tables.inc. Written from
// core/calls by tools/calls.py.
#ifndef KERNEL_METHOD_TABLES_H
#define KERNEL_METHOD_TABLES_H

struct methods;

extern const struct methods no_methods;
extern const struct methods self_methods;
extern const struct methods boot_methods, tickless_boot_methods;
extern const struct methods thread_methods, controlled_thread_methods, notified_thread_methods;
extern const struct methods semaphore_methods, local_semaphore_methods, given_semaphore_methods,
    taken_semaphore_methods;
extern const struct methods mutex_methods, local_mutex_methods;
extern const struct methods queue_methods, four_word_queue_methods, sent_queue_methods,
    received_queue_methods, sent_four_word_queue_methods, received_four_word_queue_methods;
extern const struct methods local_queue_methods;
extern const struct methods flags_methods, local_flags_methods, set_flags_methods,
    awaited_flags_methods;
extern const struct methods gate_methods, called_gate_methods, lending_gate_methods,
    lending_called_gate_methods;
extern const struct methods pool_methods, allocated_pool_methods, freed_pool_methods;
extern const struct methods alarm_methods;
extern const struct methods interrupt_methods, edge_methods, level_methods, edge_loop_methods,
    level_loop_methods;
extern const struct methods process_methods, restarted_process_methods;
extern const struct methods record_methods;
extern const struct methods measured_methods;

#endif
