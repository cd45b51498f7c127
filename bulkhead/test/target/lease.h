// SPDX-License-Identifier: MIT
//
// Functions and memory that the parts of the test of leases (lease.c) share.
#ifndef LEASE_TEST_H
#define LEASE_TEST_H

#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>
#include <stdbool.h>

enum {
    READ = BULKHEAD_LEND_READ,
    WRITE = BULKHEAD_LEND_WRITE,
    COMMON_BYTES = 1536,
    LONG_BYTES = COMMON_BYTES - 1,
    CLIENT_DATA_BYTES = 2048,
    FIRST_BYTE = 0x5A, // of client_buffer in the image
};

// Threads that execute a function for the judge.
enum party { CLIENT, OTHER, HELPER, PARTIES };

typedef void work(void);
typedef void service(uint32_t words[4]);

// Lets a thread execute `what`. Returns when the thread has done so or waits.
void let(enum party party, work *what);
bool is_done(enum party party);
void require_done(enum party party, const char *what);
void kill(uint32_t thread); // a thread that faults when it is notified

extern service *volatile serving; // what the server does in each call
extern service *volatile serving_in_the_middle;
extern volatile uint32_t served;              // calls of the server
extern work *volatile at_tick;                // what high_main does after each tick
extern volatile uint8_t common[COMMON_BYTES]; // every process reaches it
void wait_until_told(void);

// A function for `at_tick`, which calls it once.
void kill_client(void);
void kill_server(void);

// Memory that only the client can write, and that some other threads may read.
extern uint8_t client_buffer[COMMON_BYTES];
extern char client_data_start[];

// Memory of the client whose distance to the next word differs from that of `common`, so that a
// copy between them takes longest.
extern uint8_t *const lent_buffer; // LONG_BYTES

// Make a call that lends memory, and a call that lends none.
enum bulkhead_result lend_for(const volatile void *memory, uint32_t bytes, uint32_t access,
                              uint32_t timeout_ticks);
enum bulkhead_result lend(const volatile void *memory, uint32_t bytes, uint32_t access);
extern volatile enum bulkhead_result result; // of a client's call
void lend_for_ever(void);                    // lends `lent_buffer` for writing
void call_plainly(void);
void serve_nothing(uint32_t words[4]);
void require_denied_copies(uint32_t words[4]); // a service

void fill(volatile uint8_t *memory, uint32_t bytes, uint8_t value);
bool is_filled(const volatile uint8_t *memory, uint32_t bytes, uint8_t value);

// The address at which the bus refuses the accesses of a copy. 0: it refuses none. KERNEL_ERRS: it
// refuses an access of the kernel that does not belong to a copy.
extern volatile uint32_t bus_refuses;
enum { KERNEL_ERRS = 1 };

void test_copies(void); // lease_cases.c
void test_lives(void);  // lease_lives.c
void test_bus(void);    // lease_bus.c
void test_panic(void);  // ends the run where the linker can see that the kernel stops

#endif
