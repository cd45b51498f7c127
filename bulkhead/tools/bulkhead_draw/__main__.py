# SPDX-License-Identifier: MIT
"""python3 -m bulkhead_draw SYSTEM.toml: shows what each process of a declaration reaches."""

from __future__ import annotations

import argparse
import sys

from bulkhead_draw import formats


def main() -> None:
    parser = argparse.ArgumentParser(prog="bulkhead_draw", description=__doc__)
    formats.configure(parser)
    arguments = parser.parse_args()
    try:
        sys.stdout.write(formats.shown(arguments.declaration, arguments.format))
    except (formats.DeclarationError, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
