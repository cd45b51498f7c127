// SPDX-License-Identifier: MIT
//
// Runs a program of the system as a process of its own, alone or beside a load, and prints the
// results that the program writes as JSON. The program is unmodified; it and its libraries are part
// of this image (files.S).
//
// Addresses in the program are the same in each run, because marks are at some of them
// (suite.toml). The load is a process without real-time priority, which makes
// the calls that delay a kernel longest: it maps memory, makes processes, writes and removes files.
#define _GNU_SOURCE
#include <bench/port.h>

#include <arch/console.h>
#include <bench/mark.h>

#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { none, memory };
enum { MAPPED_BYTES = 8 << 20, WRITTEN_BYTES = 256 << 10, MOST_RESULT_BYTES = 192 << 10 };

// A file of files.S; the list ends with a name of NULL.
struct file {
    const char *name;
    const uint8_t *begin, *end;
};
extern const struct file program_files[];

static void write_whole(int file, const uint8_t *begin, const uint8_t *end) {
    while (begin != end) {
        const ssize_t written = write(file, begin, (size_t)(end - begin));
        BENCH_REQUIRE(written > 0, "program: no memory for its files");
        begin += written;
    }
}

static void unpack(void) {
    (void)mkdir("/lib", 0755);
    (void)mkdir("/dev", 0755);
    (void)mkdir("/tmp", 0777);
    (void)mount("devtmpfs", "/dev", "devtmpfs", 0, "");
    (void)mkdir("/dev/shm", 0777);
    (void)mount("tmpfs", "/dev/shm", "tmpfs", 0, "");
    (void)mount("sysfs", "/sys", "sysfs", 0, "");
    for (const struct file *each = program_files; each->name != NULL; each++) {
        const int file = open(each->name, O_CREAT | O_WRONLY | O_TRUNC, 0755);
        BENCH_REQUIRE(file >= 0, "program: cannot make its files");
        write_whole(file, each->begin, each->end);
        (void)close(file);
    }
}

// Children have no real-time priority until they ask for one.
static void become_ordinary(void) {
    const struct sched_param lowest = {.sched_priority = 0};
    BENCH_REQUIRE(sched_setscheduler(0, SCHED_OTHER, &lowest) == 0, "program: refused SCHED_OTHER");
}

static void write_and_remove(void) {
    static uint8_t bytes[WRITTEN_BYTES];
    const int file = open("/tmp/load", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    write_whole(file, bytes, bytes + sizeof bytes);
    (void)close(file);
    (void)unlink("/tmp/load");
}

static void map_and_fork(void) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
    void *mapped = mmap(NULL, MAPPED_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
    const pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    (void)waitpid(child, NULL, 0);
    (void)munmap(mapped, MAPPED_BYTES);
}

_Noreturn static void be_load(void) {
    become_ordinary();
    for (;;) {
        map_and_fork();
        write_and_remove();
    }
}

_Noreturn static void become_program(void) {
    static char *const arguments[] = {"/program-under-test", PROGRAM_ARGUMENTS, NULL};
    static char *const environment[] = {"LD_LIBRARY_PATH=/lib", NULL};
    become_ordinary();
    const int quiet = open("/tmp/output", O_CREAT | O_WRONLY | O_TRUNC, 0600);
    (void)dup2(quiet, STDOUT_FILENO);
    (void)dup2(quiet, STDERR_FILENO);
    (void)personality(ADDR_NO_RANDOMIZE);
    (void)execve(arguments[0], arguments, environment);
    _exit(127);
}

static void print_file(const char *name) {
    static char text[MOST_RESULT_BYTES + 1];
    const int file = open(name, O_RDONLY);
    const ssize_t length = file < 0 ? 0 : read(file, text, MOST_RESULT_BYTES);
    text[length > 0 ? length : 0] = '\0';
    arch_console_write(text);
}

static void run(void) {
    unpack();
    const pid_t load = PARAM_LOAD == memory ? fork() : -1;
    if (load == 0) {
        be_load();
    }
    const pid_t program = fork();
    if (program == 0) {
        become_program();
    }
    int status = -1;
    (void)waitpid(program, &status, 0);
    arch_console_write("\nticklab: results\n");
    print_file("/results");
    if (status != 0) {
        print_file("/tmp/output");
    }
    BENCH_REQUIRE(status == 0, "program: it failed; its last words are on the console");
    bench_finish();
}

static const struct bench_task_declaration tasks[] = {
    {.name = "run", .entry = run, .priority = 1, .initially = BENCH_READY, .stack_bytes = 8192},
};

const struct bench_scenario bench_scenario = {
    .name = "run-program", .tasks = tasks, .task_count = sizeof tasks / sizeof tasks[0]};
