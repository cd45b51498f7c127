# SPDX-License-Identifier: MIT
"""python3 -m bulkhead_declare SYSTEM.toml FOLDER: writes the sources and the linker script of the
declared system into the folder, and prints the memory that rounding to regions costs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bulkhead_declare import (
    architecture,
    emit_c,
    emit_cpp,
    emit_interface,
    emit_ld,
    emit_rust,
    events,
    features,
    interface,
    records,
    source,
)
from bulkhead_declare.model import DeclarationError
from bulkhead_declare.regions import Placement


def padding(placed: Placement) -> str:
    """Returns a report of the memory that is lost because sizes are rounded up to regions."""
    rows = placed.everything
    lines = [f"{each.name}: uses {each.wanted} of {each.size} bytes" for each in rows]
    lost = sum(each.padding for each in rows)
    return "\n".join((*lines, f"padding: {lost} bytes are lost because sizes are rounded up"))


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="bulkhead_declare", description=__doc__)
    parser.add_argument(
        "declaration", metavar="SYSTEM.toml", type=Path, help="the declaration of the system"
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the folder for the files")
    arguments = parser.parse_args(words)
    try:
        system, names, placed = source.declared(arguments.declaration)
    except DeclarationError as error:
        sys.exit(f"error: {error}")
    files = {
        "kernel_tables.c": emit_c.kernel_tables(system, placed),
        "kernel_options.c": features.sources(system),
        "user_objects.c": emit_c.user_objects(system, placed)
        + events.names(system, placed, records.data(system), names.with_handles(system)),
        "vectors.c": architecture.of(system).vectors(system),
        "handles.h": names.handles(system),
        "handles.hpp": emit_cpp.handles(system, names.with_handles(system)),
        "handles.rs": emit_rust.handles(system, placed, names.with_handles(system)),
        "kernel_features.h": features.header(system),
        "layout.ld": emit_ld.script(system, placed),
        "interface.json": interface.text(emit_interface.of(system, placed)),
    }
    for name, text in files.items():
        (arguments.folder / name).write_text(text)
    print(padding(placed))


if __name__ == "__main__":
    main()
