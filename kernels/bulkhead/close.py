# SPDX-License-Identifier: MIT
"""Makes Bulkhead's kernel one closed object, and checks the image that is linked from it.

    close.py object --interface JSON --linker GCC --output OBJECT [--flag FLAG]… OBJECT…
    close.py image --interface JSON --kernel OBJECT --map MAP IMAGE

Both steps are in bulkhead/tools/bulkhead_declare.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bulkhead" / "tools"))

# The module of each step. A step imports only its own, because it runs once for each image.
_STEPS = {"object": "close_kernel", "image": "check_image"}
# Symbols that the kernel's object may import. In a sweep (bench/include/bench/injection.h), the
# kernel's NMI handler reads from the scenario's memory (`arch_injection`) which interrupt to pend,
# and `memory_watchdog_origin` is the address of the board's watchdog. No image of an application
# has these two.
_IMPORTS = ("arch_injection", "memory_watchdog_origin")


def main() -> None:
    step, *words = sys.argv[1:]
    words += [f"--import={name}" for name in _IMPORTS]
    importlib.import_module(f"bulkhead_declare.{_STEPS[step]}").main(words)


if __name__ == "__main__":
    main()
