# SPDX-License-Identifier: MIT
"""Tests attacks on the build: application code that tries to become part of the kernel.

Each attack is one more source of the application, or one more option of its link. The build must
refuse the attack with a reason that names it, or the attack must have no effect: the image runs, no
code of the attack runs privileged, and the data of the victim process is unchanged. The kernel is
compiled once for all attacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from build import CORTEX_M4F, BuildError, Image, TestError, Tree, emulator, make, run
from images import TICK

TARGET_TESTS = Path(__file__).resolve().parent / "target"
IMAGE = Image(
    "closed",
    "system.toml",
    ("p.c", "victim.c", "../target/report.c"),
    (*TICK, f"-I{TARGET_TESTS}"),
    package=True,
)
WHOLE = "closed: victim is whole"

# Source text that makes the process p call the attack, which nothing else calls.
_CALLED = "void attack_from_process(void) { attack(); }\n"


_SMALL = "[image]\nkernel_code_bytes = 0x1000\nuser_code_bytes = 0x1000\n"
_WITH_RECORD = (
    '[[thread]]\nname = "p"',
    '[[record]]\nname = "box"\nusers = ["p"]\n\n[[thread]]\nname = "p"',
)


@dataclass(frozen=True)
class Attack:
    name: str
    source: str = ""
    link: tuple[str, ...] = ()
    refused: str = ""  # the build's error; "" if the attack is harmless
    script: str = ""  # one more script for the linker
    lto: tuple[str, ...] = ()  # objects that are compiled for link-time optimisation
    object: str = "attack.o"
    library: bool = False
    declaration: tuple[str, str] = ("", "")  # a text of the declaration, and its replacement


ATTACKS = (
    Attack("function", "struct thread;\nvoid thread_inherit(struct thread *t);\n"
           "void thread_inherit(struct thread *t) { (void)t; attack(); }\n"),
    Attack("weak-function", "void kernel_tick(void);\n"
           "__attribute__((weak)) void kernel_tick(void) { attack(); }\n"),
    Attack("data", "#include <stdint.h>\nextern const uint32_t kernel_rights_mask;\n"
           "const uint32_t kernel_rights_mask = 0xFFFFFFFF;\n"),
    Attack("memcpy", "#include <stddef.h>\nvoid *memcpy(void *to, const void *from, size_t n);\n"
           "void *memcpy(void *to, const void *from, size_t n) {\n"
           "  attack(); for (size_t i = 0; i < n; i++) ((volatile char *)to)[i] = "
           "((const char *)from)[i]; return to; }\n"),
    Attack("reset", "void Reset_Handler(void);\nvoid Reset_Handler(void) { attack(); }\n"),
    Attack("reset-name", "void bulkhead_reset(void);\nvoid bulkhead_reset(void) { attack(); }\n",
           refused="multiple definition of `bulkhead_reset'"),
    Attack("handler", "void SVC_Handler(void);\nvoid SVC_Handler(void) { attack(); }\n"),
    Attack("entry", link=("-Wl,-e,attack_from_process",), refused="the image begins at 0x"),
    Attack("vectors",
           '__asm__(".section .vectors,\\"aR\\",%progbits\\n.word 0, attack_from_process");\n',
           refused="unplaced orphan section `.vectors'"),
    Attack("kernel-state", "int state __attribute__((section(\".kernel_state\")));\n"
           "int *get(void);\nint *get(void) { return &state; }\n", link=("-Wl,-u,get",),
           refused="unplaced orphan section `.kernel_state'"),
    Attack("orphan", "int mine __attribute__((section(\".mine\"))) = 1;\n", link=("-Wl,-u,mine",),
           refused="unplaced orphan section `.mine'"),
    Attack("constructor", "__attribute__((constructor)) static void begin(void) { attack(); }\n",
           refused="constructors would run privileged"),
    Attack("script-symbol", "int memory_data_load = 1, p_data_start = 2;\n"),
    Attack("defsym-of-kernel", link=("-Wl,--defsym=kernel_threads=0x20000000",)),
    Attack("defsym-of-script", link=("-Wl,--defsym=memory_data_load=0x8000",)),
    Attack("second-script", script="memory_data_load = 0x8000;\n"),
    Attack("defsym-of-trace", link=("-Wl,--defsym=kernel_trace=0x20000000",),
           declaration=("[image]\n", "[image]\ntrace_events = 4\n")),
    Attack("object-at-trace", "int kernel_trace[64];\n", link=("-Wl,-u,kernel_trace",),
           declaration=("[image]\n", "[image]\ntrace_events = 4\n")),
    Attack("defsym-of-record", link=("-Wl,--defsym=kernel_record=0x20000000",),
           declaration=_WITH_RECORD),
    Attack("script-of-record", script="kernel_record = 0x20000000;\n",
           declaration=_WITH_RECORD),
    Attack("object-at-record", "int kernel_record = 1;\n", declaration=_WITH_RECORD),
    Attack("defsym-of-entry", link=("-Wl,--defsym=victim_main=0x100",), refused="victim_main"),
    Attack("wrapped-entry", "void __wrap_victim_main(void);\n"
           "void __wrap_victim_main(void) { attack(); }\n", link=("-Wl,--wrap=victim_main",),
           refused="victim_main is wrapped"),
    Attack("library", "struct thread;\nvoid thread_inherit(struct thread *t);\n"
           "void thread_inherit(struct thread *t) { (void)t; attack(); }\n", library=True),
    Attack("names-of-sections", "__attribute__((section(\".kernel.text.mine~x\"), used))\n"
           "void attack_too(void);\nvoid attack_too(void) { attack(); }\n",
           link=("-Wl,-u,attack_too",), object="my_closed_kernel.o",
           refused=r"lies at 0x[0-9a-f]+, where the kernel's code and data are"),
    Attack("file-of-kernel", "struct thread;\nvoid thread_inherit(struct thread *t);\n"
           "void thread_inherit(struct thread *t) { (void)t; attack(); }\n",
           object="core_inherit.o"),
    Attack("lto-of-application", lto=("p", "victim", "attack"), refused="orphan section"),
    Attack("lto-of-kernel", lto=("core_tick",), refused="compile it with -fno-lto"),
    Attack("large-kernel", declaration=("[image]\n", _SMALL),
           refused=r"error: the kernel's code does not fit into kernel_code_bytes of \[image\] "
           r"\(0x1000\); raise that in the declaration"),
    Attack("two-claims", declaration=('"*/victim.o"', '"*/victim.o", "*/[p].o"'),
           refused="region p_data and region victim_data both claim the data of"),
)  # fmt: skip


def check(folder: Path) -> str:
    """Tests that each attack is refused, or has no effect."""
    base = folder / "closed"
    base.mkdir()
    tree = Tree()
    objects = tree.objects(base, IMAGE, "Os")
    harmless = 0
    for attack in ATTACKS:
        harmless += _is_harmless(tree, base / attack.name, objects, attack)
    return f"closed: {len(ATTACKS) - harmless} attacks are refused, {harmless} are harmless"


def _is_harmless(tree: Tree, built: Path, objects: Mapping[str, Path], attack: Attack) -> bool:
    built.mkdir()
    try:
        elf = _image(tree, built, objects, attack)
    except BuildError as error:
        if not attack.refused or not re.search(attack.refused, str(error)):
            raise TestError(f"attack {attack.name} is refused because {error}") from None
        return False
    if attack.refused:
        raise TestError(f"attack {attack.name} is not refused")
    said = run([*emulator(CORTEX_M4F), "-kernel", elf])
    if said != WHOLE:
        raise TestError(f"attack {attack.name}: {said}")
    return True


def _image(tree: Tree, built: Path, objects: Mapping[str, Path], attack: Attack) -> Path:
    """Links the application with one attack. `objects` are the object files that are the same for
    all attacks.
    """
    tree.declare_image(built, IMAGE, attack.declaration)
    source = built / "attack.c"
    called = "" if attack.library else _CALLED
    source.write_text(f'#include "attack.h"\n{called}{attack.source}')
    compiler = [*tree.compiler_of(IMAGE, built, "Os"), "-w"]
    lto = ("-flto=1",) if "attack" in attack.lto else ()
    hostile = built / attack.object
    make([*compiler, *lto, "-c", source, "-o", hostile])
    changed = dict(_optimised(tree, built, compiler, attack))
    extra: list[str | Path] = [*attack.link, *(("-flto=1",) if attack.lto else ())]
    if attack.script:
        (built / "attack.ld").write_text(attack.script)
        extra.append(built / "attack.ld")
    extra.append(_archive(built, compiler, hostile) if attack.library else hostile)
    return tree.link(built, IMAGE, {**objects, **changed}, extra)


def _optimised(
    tree: Tree, built: Path, compiler: list[str | Path], attack: Attack
) -> Iterator[tuple[str, Path]]:
    sources = tree.files(built, IMAGE)
    for stem in attack.lto:
        if stem != "attack":
            output = built / f"{stem}.o"
            make([*compiler, "-flto=1", "-c", sources[stem], "-o", output])
            yield stem, output


def _archive(built: Path, compiler: list[str | Path], hostile: Path) -> Path:
    """Makes a library whose members the linker takes only for an undefined symbol."""
    caller = built / "caller.c"
    caller.write_text(f'#include "attack.h"\n{_CALLED}')
    make([*compiler, "-c", caller, "-o", built / "caller.o"])
    archive = built / "libattack.a"
    make([str(compiler[0]).replace("gcc", "ar"), "rcs", archive, hostile, built / "caller.o"])
    return archive
