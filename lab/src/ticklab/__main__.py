# SPDX-License-Identifier: MIT
"""`python -m ticklab`, as the `ticklab` script at the root of the checkout calls it."""

import sys

from ticklab.cli import main

sys.exit(main(sys.argv[1:]))
