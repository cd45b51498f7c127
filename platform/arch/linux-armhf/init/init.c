// SPDX-License-Identifier: MIT
//
// The first process of a booted Linux: prepares the system, waits until the laboratory provides a
// program, and executes it in its own place.
//
// The laboratory boots each kernel once and saves the state of the machine at `init_booted`
// (lab/src/ticklab/targets/booted.py). Each run continues from there, with its program as a file of
// QEMU's firmware configuration device (fw_cfg), whose registers are read by /dev/mem, without a
// driver. Source of the registers: docs/specs/fw_cfg.rst of QEMU, hw/arm/virt.c.
#define _GNU_SOURCE
#include <arch/console.h>

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { FW_CFG = 0x09020000, FW_CFG_BYTES = 4096, SELECTOR = 8, FILE_DIRECTORY = 0x19 };
enum { STATUS_FAILED = 1, MEMORY_MAJOR = 1, MEMORY_MINOR = 1 };

static const char program[] = "/program";

// An entry of the device's directory of files; numbers are big-endian.
struct entry {
    uint32_t bytes;
    uint16_t key;
    uint16_t reserved;
    char name[56];
};

static volatile uint8_t *device;

_Noreturn static void fail(const char *reason) {
    arch_console_write("\nticklab: fail: init: ");
    arch_console_write(reason);
    arch_console_write("\n");
    arch_exit(STATUS_FAILED);
}

static void require(int done, const char *reason) {
    if (!done) {
        fail(reason);
    }
}

// Lets real-time threads use the whole processor. Linux otherwise reserves 5 % for other threads.
static void end_throttling(void) {
    static const char unlimited[] = "-1\n";
    require(mkdir("/proc", 0755) == 0 && mount("proc", "/proc", "proc", 0, "") == 0,
            "cannot mount /proc");
    const int file = open("/proc/sys/kernel/sched_rt_runtime_us", O_WRONLY);
    require(write(file, unlimited, sizeof unlimited - 1) == sizeof unlimited - 1,
            "cannot end the throttling of real-time threads");
    close(file);
}

static void map_device(void) {
    require(mknod("/memory", S_IFCHR | 0600, makedev(MEMORY_MAJOR, MEMORY_MINOR)) == 0,
            "cannot make the device of the memory");
    const int memory = open("/memory", O_RDWR | O_SYNC);
    void *found = mmap(NULL, FW_CFG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory, FW_CFG);
    require(found != MAP_FAILED, "cannot map the firmware's configuration");
    device = found;
    close(memory);
}

static void select_file(uint16_t key) {
    *(volatile uint16_t *)(device + SELECTOR) = __builtin_bswap16(key);
}

// Reads the next words of the selected file; each read of the device returns further bytes.
static void read_words(uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        words[i] = *(volatile uint32_t *)device;
    }
}

static struct entry find_program(void) {
    uint32_t files;
    select_file(FILE_DIRECTORY);
    read_words(&files, 1);
    for (uint32_t i = 0; i < __builtin_bswap32(files); i++) {
        union {
            struct entry entry;
            uint32_t words[sizeof(struct entry) / sizeof(uint32_t)];
        } found;
        read_words(found.words, sizeof found / sizeof(uint32_t));
        if (strcmp(found.entry.name, "opt/ticklab/program") == 0) {
            return found.entry;
        }
    }
    fail("was given no program");
}

static void copy_program(uint32_t bytes, int file) {
    static uint32_t block[1 << 14];
    while (bytes != 0) {
        const uint32_t part = bytes < sizeof block ? bytes : sizeof block;
        read_words(block, (part + sizeof(uint32_t) - 1) / sizeof(uint32_t));
        require(write(file, block, part) == (ssize_t)part, "no memory for the program");
        bytes -= part;
    }
}

// The laboratory stops the machine at the first instruction, saves its state, and continues from
// there.
__attribute__((noinline)) void init_booted(void);
void init_booted(void) {
    __asm__ volatile("" ::: "memory");
}

int main(void) {
    end_throttling();
    map_device();
    init_booted();
    const struct entry found = find_program();
    select_file(__builtin_bswap16(found.key));
    const int file = open(program, O_CREAT | O_WRONLY, 0700);
    copy_program(__builtin_bswap32(found.bytes), file);
    close(file);
    char *const arguments[] = {(char *)(uintptr_t)program, NULL};
    execve(program, arguments, (char *[]){NULL});
    fail("the system cannot start the program");
}
