# SPDX-License-Identifier: MIT
"""Settings of Dask for each process of a campaign."""

from __future__ import annotations

# Dask's profiler and its watch over event loops would take 3 % of a core in each process. A worker
# may start slowly on a machine that is busy.
SETTINGS = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.comm.timeouts.connect": "300s",
}


def environment() -> dict[str, str]:
    """Returns the variables by which a program of Dask gets the settings."""
    return {f"DASK_{key.upper().replace('.', '__')}": str(value) for key, value in SETTINGS.items()}
