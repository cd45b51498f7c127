// SPDX-License-Identifier: MIT
//
// See image.h.
#include "image.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

[[noreturn]] void refuse(const std::string &path, const char *reason) {
    std::fprintf(stderr, "error: image %s: %s\n", path.c_str(), reason);
    std::exit(2);
}

std::vector<uint8_t> read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        refuse(path, "cannot be read");
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

// Returns a copy of the structure T at `offset` of the file. Fails if T is not inside the file.
template <typename T>
T part(const std::string &path, const std::vector<uint8_t> &file, size_t offset) {
    T value;
    if (offset + sizeof value > file.size()) {
        refuse(path, "is truncated; build it again");
    }
    std::memcpy(&value, &file[offset], sizeof value);
    return value;
}

void load_segment(const std::string &path, const std::vector<uint8_t> &file,
                  const Elf32_Phdr &segment, uint8_t *memory, uint32_t base, uint32_t bytes) {
    const uint64_t offset = uint64_t(segment.p_paddr) - base;
    if (segment.p_paddr < base || offset + segment.p_memsz > bytes) {
        refuse(path, "does not fit into the node's memory; see the address map in rtl/README.md");
    }
    if (uint64_t(segment.p_offset) + segment.p_filesz > file.size()) {
        refuse(path, "is truncated; build it again");
    }
    std::memcpy(memory + offset, file.data() + segment.p_offset, segment.p_filesz);
}

} // namespace

void load_image(const std::string &path, uint8_t *memory, uint32_t base, uint32_t bytes) {
    const auto file = read_file(path);
    const auto header = part<Elf32_Ehdr>(path, file, 0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_machine != EM_RISCV) {
        refuse(path, "is not an ELF file for RV32");
    }
    for (unsigned i = 0; i < header.e_phnum; i++) {
        const auto segment = part<Elf32_Phdr>(path, file, header.e_phoff + i * sizeof(Elf32_Phdr));
        if (segment.p_type == PT_LOAD && segment.p_filesz > 0) {
            load_segment(path, file, segment, memory, base, bytes);
        }
    }
}
