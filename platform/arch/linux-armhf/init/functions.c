// SPDX-License-Identifier: MIT
//
// A program that prints the functions of the booted kernel, one on a line: address and name. They
// come from /proc/kallsyms, because the kernel's file is stripped of its symbols.
#include <arch/console.h>

#include <stdio.h>
#include <string.h>

enum { STATUS_DONE = 0, STATUS_FAILED = 1, BLOCK_BYTES = 1 << 15 };

static char block[BLOCK_BYTES];
static size_t used;

static void flush(void) {
    block[used] = '\0';
    arch_console_write(block);
    used = 0;
}

static void add(const char *address, const char *name) {
    const size_t most = strlen(address) + strlen(name) + sizeof " \n";
    if (used + most > sizeof block) {
        flush();
    }
    used += (size_t)snprintf(block + used, sizeof block - used, "%s %s\n", address, name);
}

// The table lacks the page of the exception vectors, so it is added. No module is loaded.
int main(void) {
    char line[512], address[16], kind, name[256];
    FILE *table = fopen("/proc/kallsyms", "r");
    while (table != NULL && fgets(line, sizeof line, table) != NULL) {
        const int found = sscanf(line, "%15s %c %255s", address, &kind, name);
        if (found == 3 && strchr("tTwW", kind) != NULL && name[0] != '$') {
            add(address, name);
        }
    }
    add("ffff0000", "vectors");
    flush();
    arch_exit(table != NULL ? STATUS_DONE : STATUS_FAILED);
}
