# SPDX-License-Identifier: MIT
"""python3 -m bulkhead_log IMAGE.elf --memory FILE: shows logs and the trace in a saved memory."""

from __future__ import annotations

import argparse
import sys

from bulkhead_log import sources
from bulkhead_log.text import text


def main() -> None:
    parser = argparse.ArgumentParser(prog="bulkhead_log", description=__doc__)
    sources.configure(parser)
    sources.add_dump(parser)
    arguments = parser.parse_args()
    if arguments.memory is None:
        parser.error("no memory is given; name the file that a debugger saved with --memory FILE")
    try:
        sys.stdout.write(text(sources.read_dump(arguments.image, arguments.memory)))
    except sources.LogError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
