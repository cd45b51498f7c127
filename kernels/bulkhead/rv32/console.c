// SPDX-License-Identifier: MIT
//
// The platform's console and privilege test for threads in user mode. They replace the platform's
// own, which are for machine mode (platform/arch/rv32/machine.c).
//
// The console is a driver in a process of its own. A call passes 16 bytes of text, or, if the first
// word is 0, the status that ends the run. This file is linked with the scenario (the generated
// user_objects.c includes it).
#include <arch/console.h>
#include <arch/interrupt.h>
#include <arch/machine.h>
#include <arch/privilege.h>
#include <bulkhead/bulkhead.h>
#include <string.h>

enum { TEXT_BYTES = 16, FINISHER_PASS = 0x5555, FINISHER_FAIL = 0x3333 };

// Defined by the linker script.
extern char memory_stack_top[];

static void print(const char text[TEXT_BYTES]) {
    for (int i = 0; i < TEXT_BYTES && text[i] != '\0'; i++) {
        ARCH_BYTE(ARCH_UART_THR) = (uint8_t)text[i];
    }
}

static void end_run(uint32_t status) {
    ARCH_WORD(ARCH_FINISHER) =
        status == 0 ? (uint32_t)FINISHER_PASS : status << 16 | (uint32_t)FINISHER_FAIL;
}

void console_main(void);
void console_main(void) {
    uint32_t words[4] = {0}, caller;
    for (;;) {
        BENCH_REQUIRE(bulkhead_gate_receive(CONSOLE_GATE, words, &caller, BULKHEAD_FOREVER) ==
                          BULKHEAD_OK,
                      "the console received no call");
        if (words[0] == 0) {
            end_run(words[1]);
        }
        print((const char *)words);
    }
}

void arch_console_write(const char *text) {
    uint32_t words[4];
    for (; *text != '\0'; text += strnlen(text, TEXT_BYTES)) {
        strncpy((char *)words, text, TEXT_BYTES);
        bulkhead_gate_call(CONSOLE_GATE, words, BULKHEAD_FOREVER);
    }
}

_Noreturn void arch_exit(int status) {
    uint32_t words[4] = {0, (uint32_t)status};
    for (;;) {
        bulkhead_gate_call(CONSOLE_GATE, words, BULKHEAD_FOREVER);
    }
}

// Does nothing: a thread cannot mask interrupts.
void arch_interrupts_off(void) {
}

// The kernel reads a message with the rights of its sender. Its own stack is readable only in
// machine mode.
bool arch_privileged(void) {
    return bulkhead_queue_send(UNUSED_QUEUE, memory_stack_top - 4, BULKHEAD_NO_WAIT) == BULKHEAD_OK;
}
