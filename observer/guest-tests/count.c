// SPDX-License-Identifier: GPL-2.0-or-later
//
// An independent QEMU plugin that counts instructions and accesses for the tests. It counts every
// instruction and every access in a callback, and appends one line "instructions reads writes" to a
// file whenever a given address is passed. It is slow, infers nothing and shares no code with the
// observer. QEMU's header is not installed on every machine, so this file declares what it uses of
// it (include/qemu/qemu-plugin.h).
//
// Arguments: out=FILE and any number of at=ADDRESS.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*executed)(unsigned cpu, void *data);
typedef void (*accessed)(unsigned cpu, uint32_t access, uint64_t address, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
                                           void (*translated)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, executed, int, void *);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, accessed, int, int, void *);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*exits)(uint64_t, void *), void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
bool qemu_plugin_mem_is_store(uint32_t access);
unsigned qemu_plugin_mem_size_shift(uint32_t access);

EXPORTED int qemu_plugin_version = INTERFACE;

static FILE *out;
static uint64_t marks[64], instructions, reads, writes;
static size_t mark_count;

static void execute(unsigned cpu, void *data) {
    (void)cpu;
    for (size_t i = 0; i < mark_count; i++) {
        if (marks[i] == (uintptr_t)data) {
            fprintf(out, "%lu %lu %lu\n", instructions, reads, writes);
        }
    }
    instructions++;
}

// A register is at most one word. A wider access moves several registers.
static void access_memory(unsigned cpu, uint32_t access, uint64_t address, void *data) {
    (void)cpu, (void)address, (void)data;
    unsigned shift = qemu_plugin_mem_size_shift(access);
    *(qemu_plugin_mem_is_store(access) ? &writes : &reads) += shift > 2 ? 1u << (shift - 2) : 1;
}

static void translate(uint64_t id, struct qemu_plugin_tb *block) {
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
        void *address = (void *)(uintptr_t)qemu_plugin_insn_vaddr(instruction);
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, execute, 0, address);
        qemu_plugin_register_vcpu_mem_cb(instruction, access_memory, 0, 3, NULL);
    }
}

static void finish(uint64_t id, void *data) {
    (void)id, (void)data;
    fclose(out);
}

EXPORTED int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv) {
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "out=", 4) == 0) {
            out = fopen(argv[i] + 4, "w");
        } else {
            marks[mark_count++] = strtoul(argv[i] + 3, NULL, 0);
        }
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_atexit_cb(id, finish, NULL);
    return out ? 0 : -1;
}
