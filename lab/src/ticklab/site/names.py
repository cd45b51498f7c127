# SPDX-License-Identifier: MIT
"""Makes names of files and addresses for the site from words that users and bundles choose
freely."""

from __future__ import annotations

import re

from ticklab import digest

_UNSAFE = re.compile(r"[^A-Za-z0-9.=-]+")
_LONGEST = 140


def safe(*words: str) -> str:
    """Joins words into one name that is safe in any file system and address. Different words give
    different names."""
    parts = [word for word in words if word]
    name = "_".join(_UNSAFE.sub("-", part) for part in parts)
    if name == "_".join(parts) and len(name) <= _LONGEST and not name.startswith("."):
        return name
    return f"{name.lstrip('.')[:_LONGEST]}-{digest.hash_json(parts)[:8]}"
