// SPDX-License-Identifier: MIT
//
// A program that prints the layout of the booted kernel's trace: of a page of the buffer, and of
// each event that the kernel's command line enables (Documentation/trace/{ftrace,events}.rst of
// Linux).
#include <arch/console.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STATUS_DONE = 0, STATUS_FAILED = 1, MOST_BYTES = 1 << 14 };

#define TRACING "/tracing/"

// Returns the text of a file of the tracing file system, or "" if the file does not exist.
static const char *text_of(const char *name) {
    static char text[MOST_BYTES + 1];
    const int file = open(name, O_RDONLY);
    size_t length = 0;
    ssize_t part = 0;
    do {
        length += (size_t)part;
        part = read(file, text + length, MOST_BYTES - length);
    } while (part > 0);
    (void)close(file);
    text[length] = '\0';
    return text;
}

// Prints the layout of an event, which is named as the kernel does: the system, a colon, the name.
static void print_format(char *event) {
    char name[256];
    *strchr(event, ':') = '/';
    (void)snprintf(name, sizeof name, TRACING "events/%s/format", event);
    arch_console_write(text_of(name));
}

int main(void) {
    char events[MOST_BYTES + 1];
    if (mkdir(TRACING, 0755) != 0 || mount("tracefs", TRACING, "tracefs", 0, "") != 0) {
        arch_exit(STATUS_FAILED);
    }
    arch_console_write(text_of(TRACING "events/header_page"));
    (void)strcpy(events, text_of(TRACING "set_event"));
    for (char *event = strtok(events, "\n"); event != NULL; event = strtok(NULL, "\n")) {
        print_format(event);
    }
    arch_exit(STATUS_DONE);
}
