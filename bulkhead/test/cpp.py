# SPDX-License-Identifier: MIT
"""Tests bulkhead.hpp: a method compiles to the same instructions as the call of bulkhead.h, if the
same compiler compiles both as C++, and wrong use does not compile. (From C, GCC makes other code
for some functions: it orders blocks otherwise.)"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from build import BULKHEAD, BuildError, Core, TestError, Tree, make, run

from ticklab.building import program

TEST = BULKHEAD / "test" / "cpp"
_KINDS = ("far", "near")  # `far`: an object of the kernel; `near`: a local object of the process

# The functions to compare, by name: parameters, body in C, body in C++. NAME stands for `far` and
# `near` (in capitals in C), for which a row is compiled in turn; a row without NAME is compiled
# once.
PAIRS = {
    "take": ("uint32_t t", "return bulkhead_semaphore_take(SEMAPHORE_NAME, t);",
             "return objects::semaphore_NAME.take(t);"),
    "take_forever": ("void", "return bulkhead_semaphore_take(SEMAPHORE_NAME, BULKHEAD_FOREVER);",
                     "return objects::semaphore_NAME.take();"),
    "give": ("void", "return bulkhead_semaphore_give(SEMAPHORE_NAME);",
             "return objects::semaphore_NAME.give();"),
    "lock": ("void", "return bulkhead_mutex_lock(MUTEX_NAME, BULKHEAD_NO_WAIT);",
             "return objects::mutex_NAME.lock(bulkhead::no_wait);"),
    # For a local mutex, GCC generates the call of work() twice, the second time for a mutex whose
    # holder was terminated.
    "scope": ("void",
              "const auto r = bulkhead_kernel_mutex_lock(MUTEX_FAR, BULKHEAD_FOREVER);"
              "if (r == BULKHEAD_OK || r == BULKHEAD_PEER_LOST) {"
              "  work(); bulkhead_kernel_mutex_unlock(MUTEX_FAR); } return r;",
              "const bulkhead::Lock lock(objects::mutex_far); if (lock) { work(); }"
              "return lock.result();"),
    "send": ("const struct pair *p", "return bulkhead_queue_send(QUEUE_NAME, p, 7);",
             "return objects::queue_NAME<pair>.send(*p, 7);"),
    "receive": ("struct pair *p", "return bulkhead_queue_receive(QUEUE_NAME, p, 7);",
                "return objects::queue_NAME<pair>.receive(*p, 7);"),
    "set": ("uint32_t b", "return bulkhead_flags_set(FLAGS_NAME, b);",
            "return objects::flags_NAME.set(b);"),
    "clear": ("uint32_t b", "return bulkhead_flags_clear(FLAGS_NAME, b);",
              "return objects::flags_NAME.clear(b);"),
    "wait_any": ("uint32_t *b", "return bulkhead_flags_wait_any(FLAGS_NAME, b, 7);",
                 "return objects::flags_NAME.wait_any(*b, 7);"),
    "wait_all": ("uint32_t *b", "return bulkhead_flags_wait_all(FLAGS_NAME, b, 7);",
                 "return objects::flags_NAME.wait_all(*b, 7);"),
    "take_any": ("uint32_t *b", "return bulkhead_flags_take_any(FLAGS_NAME, b, 7);",
                 "return objects::flags_NAME.take_any(*b, 7);"),
    "take_all": ("uint32_t *b", "return bulkhead_flags_take_all(FLAGS_NAME, b, 7);",
                 "return objects::flags_NAME.take_all(*b, 7);"),
    "allocate": ("struct pair **p", "void *found;"
                 "const auto r = bulkhead_pool_allocate(POOL_NAME, &found, 7);"
                 "*p = static_cast<struct pair *>(found); return r;",
                 "return objects::pool_NAME<pair>.allocate(*p, 7);"),
    "free": ("struct pair *p", "return bulkhead_pool_free(POOL_NAME, p);",
             "return objects::pool_NAME<pair>.free(p);"),
    "call": ("struct words *w", "return bulkhead_gate_call(GATE_FAR, w->word, BULKHEAD_FOREVER);",
             "return objects::gate_far.call(*reinterpret_cast<bulkhead::Words *>(w));"),
    "serve": ("struct words *w, uint32_t *c",
              "return bulkhead_gate_receive(GATE_FAR, w->word, c, BULKHEAD_FOREVER);",
              "return objects::gate_far.receive(*reinterpret_cast<bulkhead::Words *>(w), *c);"),
    "lend": ("struct words *w, char *m, uint32_t n",
             "return bulkhead_gate_call_lending(GATE_FAR, w->word, m, n, BULKHEAD_LEND_WRITE, 7);",
             "return objects::gate_far.call_lending(*reinterpret_cast<bulkhead::Words *>(w),"
             "  bulkhead::Lent::to_write(m, n), 7);"),
    "lease_read": ("char *m, uint32_t n", "return bulkhead_lease_read(GATE_FAR, 4, m, n);",
                   "return objects::gate_far.lease_read(4, m, n);"),
    "lease_write": ("const char *m, uint32_t n",
                    "return bulkhead_lease_write(GATE_FAR, 4, m, n);",
                    "return objects::gate_far.lease_write(4, m, n);"),
    "start": ("void", "return bulkhead_timer_start(TIMER_FAR, 3, 5);",
              "return objects::timer_far.start(3, 5);"),
    "stop": ("void", "return bulkhead_timer_stop(TIMER_FAR);",
             "return objects::timer_far.stop();"),
    "interrupt": ("void", "return bulkhead_interrupt_wait(INTERRUPT_LINE, BULKHEAD_FOREVER);",
                  "return objects::interrupt_line.wait();"),
    "pend": ("void", "return bulkhead_interrupt_pend(INTERRUPT_LINE);",
             "return objects::interrupt_line.pend();"),
    "notify": ("void", "return bulkhead_notify(THREAD_OTHER);",
               "return objects::thread_other.notify();"),
    "join": ("void", "return bulkhead_join(THREAD_OTHER, 9);",
             "return objects::thread_other.join(9);"),
    "priority": ("uint32_t p", "return bulkhead_set_priority(THREAD_OTHER, p);",
                 "return objects::thread_other.set_priority(p);"),
    "fault": ("struct bulkhead_fault *f", "return bulkhead_fault_read(PROCESS_TWO, f);",
              "return objects::process_two.read_fault(*f);"),
    "entry": ("uint32_t a, int b", "static const char text[] "
            '__attribute__((section(".bulkhead.log"), used)) = "%u, %d, 100 %%";'
            "bulkhead_log_write(LOG_TWO, text, a, static_cast<uint32_t>(b), 0, 0);"
            "return BULKHEAD_OK;",
            'BULKHEAD_LOG(objects::log_two, "%u, %d, 100 %%", a, b); return BULKHEAD_OK;'),
    "delay": ("uint32_t t", "return bulkhead_delay(t);", "return bulkhead::self::delay(t);"),
    "notified": ("void", "return bulkhead_notification_wait(BULKHEAD_FOREVER);",
                 "return bulkhead::self::notification_wait();"),
    "period": ("struct bulkhead_period *p", "return bulkhead_period_wait(p);",
               "return reinterpret_cast<bulkhead::Period *>(p)->wait();"),
}  # fmt: skip

# Wrong uses that must not compile, with the text of the compiler's error.
REFUSED = {
    "objects::mutex_far.lock();": "unused-result|nodiscard",
    "bulkhead::Lock(objects::mutex_far);": "Lock|unused",
    "objects::queue_far<uint32_t>.send(1);": "another message_bytes",
    "objects::queue_far<uint8_t[8]>.send({});": "multiple of 4",
    "bulkhead::Lock lock(objects::semaphore_far);": "deduction",
    "objects::pool_far<uint32_t[5]>.free(nullptr);": "smaller block_bytes",
    "const bulkhead::Gate gate = objects::timer_far; (void)gate;": "conversion",
    "objects::timer_near.stop();": "timer_near",
    'BULKHEAD_LOG(objects::log_two, "%u of %u", 1);': "number of values differs",
    'BULKHEAD_LOG(objects::log_two, "%u%u%u%u%u", 1, 2, 3, 4, 5);': "at most four",
    'BULKHEAD_LOG(objects::log_two, "%u", 1ull);': "deleted",
    'BULKHEAD_LOG(objects::log_two, "%u", 1.5f);': "deleted",
    'BULKHEAD_LOG(objects::mutex_far, "none");': "cannot convert",
    "const char c = 0; (void)bulkhead::Lent::to_write(&c, 1);": "conversion",
}

_BRANCH = re.compile(r"b(eq|ne|le|lt|ge|gt|hi|ls|cs|cc|eqz|nez|ltz|gez)|cbn?z|cmp")
_PADDING = ("nop", "", "c")
_HEAD = """
#include <handles.hpp>
struct pair { uint32_t a, b; };
struct words { uint32_t word[4]; };
extern "C" void work();
"""
_GENERIC = re.compile(r"bulkhead_((?:semaphore|mutex|queue|flags|pool)_\w+)\(")


def check(core: Core, folder: Path) -> str:
    tree = Tree(core=core)
    tree.declare(folder, TEST / "system.toml")
    for level in ("O2", "Os"):
        calls, methods = (
            _functions(core, _compiled(tree, folder, _source(bodies), level))
            for bodies in zip(*_rows(), strict=True)
        )
        if not calls or calls != methods:
            differ = [name for name in calls if calls[name] != methods.get(name)]
            raise TestError(f"-{level}: other instructions in C++ than in C: {', '.join(differ)}")
    for use, reason in REFUSED.items():
        _require_refused(tree, folder, use, reason)
    _require_result_used_in_c(tree, folder)
    return f"{len(calls)} functions are the same in C++; {len(REFUSED)} mistakes are refused"


def _rows() -> Iterator[tuple[str, str]]:
    """Yields each function twice: with calls of bulkhead.h, and with methods of bulkhead.hpp."""
    for name, (parameters, by_calls, by_methods) in PAIRS.items():
        for kind in _KINDS if "_NAME" in by_calls else ("",):
            scope = "local" if kind == "near" else "kernel"
            calls = _GENERIC.sub(rf"bulkhead_{scope}_\1(", by_calls)
            bodies = calls.replace("_NAME", f"_{kind.upper()}"), by_methods.replace("NAME", kind)
            head = f"bulkhead_result {name}{kind}({parameters})"
            yield f"{head} {{ {bodies[0]} }}", f"{head} {{ {bodies[1]} }}"


def _source(functions: Sequence[str]) -> str:
    return "\n".join((_HEAD, 'extern "C" {', *functions, "}", ""))


def _compiled(tree: Tree, folder: Path, text: str, level: str) -> Path:
    source, output = folder / "functions.cpp", folder / "functions.o"
    source.write_text(text)
    command = program.cpp_objects(tree.core.described, level, _words(tree, folder), [])
    make([*command, "-c", source, "-o", output])
    return output


def _words(tree: Tree, folder: Path) -> Sequence[str]:
    arch = tree.bulkhead / "arch" / tree.core.arch / "include"
    includes = (f"-I{tree.bulkhead / 'include'}", f"-I{arch}", f"-I{folder}")
    return ("-Wall", "-Wextra", "-Wpedantic", "-Werror", *includes)


def _functions(core: Core, compiled: Path) -> dict[str, list[str]]:
    """Returns the instructions of each function, with their relocations."""
    found: dict[str, list[str]] = {}
    for line in run(
        [core.described.arch.objdump, "-dr", "--no-show-raw-insn", compiled]
    ).splitlines():
        if begin := re.fullmatch(r"[0-9a-f]+ <(\w+)>:", line):
            found[begin[1]] = []
        elif found and line.startswith(" "):
            words = line.partition(":")[2].partition("#")[0].split()
            found[list(found)[-1]].append(" ".join(words))
    return found


def _require_result_used_in_c(tree: Tree, folder: Path) -> None:
    """Tests that the C compiler rejects a call whose result is ignored, for objects in the kernel
    and for local objects, and that it accepts a cast of the result to void."""
    source = folder / "functions.c"
    command = program.objects(tree.core.described, "O2", _words(tree, folder), [])
    command = [*command, "-c", source, "-o", source.with_suffix(".o")]
    for name in ("FAR", "NEAR"):
        use = f"bulkhead_mutex_lock(MUTEX_{name}, BULKHEAD_FOREVER);"
        text = "#include <handles.h>\nvoid use(void);\nvoid use(void) {{ {} }}\n"
        source.write_text(text.format(f"(void){use} bulkhead_mutex_unlock(MUTEX_{name});"))
        make(command)
        source.write_text(text.format(use))
        try:
            make(command)
        except BuildError as error:
            if "unused-result" in str(error):
                continue
        raise TestError(f"'{use}' is not refused for its result")


def _require_refused(tree: Tree, folder: Path, use: str, reason: str) -> None:
    text = f"#include <handles.hpp>\nvoid use();\nvoid use() {{ {use} }}\n"
    try:
        _compiled(tree, folder, text, "O2")
    except BuildError as error:
        if re.search(reason, str(error)):
            return
        raise TestError(f"'{use}' is refused for another reason than {reason}:\n{error}") from None
    raise TestError(f"'{use}' compiles")
