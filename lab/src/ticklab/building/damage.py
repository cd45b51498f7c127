# SPDX-License-Identifier: MIT
"""The exceptions by which pyelftools says that an image or its debug information is damaged.

pyelftools trusts what it reads, so that a lie in an image fails wherever the lie is used: as an
assertion, a missing key, an index, an endless recursion or a buffer that is too large.
"""

from __future__ import annotations

import struct
import zlib

from elftools.common.exceptions import DWARFError, ELFError
from elftools.construct import ConstructError

DAMAGED = (
    ELFError,
    DWARFError,
    ConstructError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    NotImplementedError,
    ArithmeticError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
