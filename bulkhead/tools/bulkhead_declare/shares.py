# SPDX-License-Identifier: MIT
"""Writes the tables for regions that some processes may only read. Only on Armv8-M does the kernel
need them; arch/armv8-m/options/shares.c says why."""

from __future__ import annotations

from bulkhead_declare.model import System


def need_code(system: System) -> bool:
    is_shared = any(region.readers for region in system.regions)
    return is_shared and system.architecture == "armv8-m"
