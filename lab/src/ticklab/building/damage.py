# SPDX-License-Identifier: MIT
"""The exceptions that pyelftools raises if an image or its debug information is damaged.

pyelftools does not check the numbers in an image. So a wrong number in an image causes an error
wherever the number is used: an assertion, a missing key, an index out of range, an endless
recursion or a buffer that is too large.
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
