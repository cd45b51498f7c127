# SPDX-License-Identifier: MIT
"""Tests kernels with memory protection, with the real compiler and QEMU: an access that the kernel
must forbid to tasks faults. Each attempt replaces a service of the port, as in
test_broken_ports.py, so that a task of a conformance scenario makes the access. bulkhead/test
checks how Bulkhead reacts to such a fault.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from test_broken_ports import measured

from ticklab.description.model import Status

KERNELS = ("freertos-mpu", "rt-mpu")
# For each attempt: the code that a task executes, and the text in the report of the fault.
ATTEMPTS = {
    "writes-the-kernels-data": ("*(volatile int *)0x20000000 = 1;", "MemManage fault"),
    "reads-the-kernels-data": ("(void)*(volatile int *)0x20000040;", "MemManage fault"),
    "writes-code": ("*(volatile int *)0x100 = 1;", "MemManage fault"),
    "leaves-its-stack": (
        "*((volatile int *)__builtin_frame_address(0) + 0x1000) = 1;",
        "MemManage fault",
    ),
    "runs-its-stack": (
        "volatile short code[2] = {0x4770}; ((void (*)(void))((char *)code + 1))();",
        "MemManage fault",
    ),
    "turns-protection-off": ("*(volatile int *)0xE000ED94 = 0;", "bus fault"),
}
YIELD = "void bench_task_yield(void) {{ {} honest_bench_task_yield(); }}"


@pytest.mark.parametrize("every", [pytest.param(True, marks=pytest.mark.long), False])
def test_what_a_task_must_not_touch_faults(tmp_path: Path, every: bool) -> None:
    """Without --long, each attempt is made under only one of the kernels, because each attempt is a
    build of a whole kernel."""
    made = [
        (kernel, name)
        for number, name in enumerate(ATTEMPTS)
        for kernel in (KERNELS if every else (KERNELS[number % len(KERNELS)],))
    ]
    ports = [
        {
            "fault": f"{kernel}-{name}",
            "of": kernel,
            "replaces": ["bench_task_yield"],
            "code": YIELD.format(ATTEMPTS[name][0]),
            "services": ["yield"],
        }
        for kernel, name in made
    ]
    records = measured(ports, ["cooperative-scheduling"], tmp_path, prove=True).records
    blocked = {each.kernel: str(each.reason) for each in records if each.status is Status.BLOCKED}
    assert len(made) >= len(ATTEMPTS)
    for kernel, name in made:
        fault = f"conformance: yield: {ATTEMPTS[name][1]} in "
        assert blocked[f"{kernel}-{name}"].startswith(fault), name


def test_bulkhead_refuses_constructors(tmp_path: Path) -> None:
    port = {
        "fault": "bulkhead-constructor",
        "of": "bulkhead",
        "replaces": ["bench_task_yield"],
        "code": "__attribute__((constructor)) void bench_task_yield(void) { bench_ticks(); }",
        "services": ["yield"],
    }
    (record,) = measured([port], ["cooperative-scheduling"], tmp_path, prove=False).records
    assert record.status is Status.FAIL
    assert "has a constructor" in str(record.reason)
