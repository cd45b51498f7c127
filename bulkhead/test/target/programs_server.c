// SPDX-License-Identifier: MIT
//
// The server of programs.c: a process that the hostile process calls, and that calls the hostile
// process back.
#include "programs.h"
#include "handles.h"
#include <bulkhead/bulkhead.h>

void server_main_entry(void);

void server_main_entry(void) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        if (bulkhead_gate_receive(GATE_SERVICE, words, &caller, BULKHEAD_FOREVER) != BULKHEAD_OK) {
            continue;
        }
        uint32_t others[4] = {0};
        if (words[0] == CALL_BACK) {
            (void)bulkhead_gate_call(GATE_TRAP, others, 1);
        }
        words[0]++;
    }
}
