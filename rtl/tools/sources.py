# SPDX-License-Identifier: MIT
"""Lists the files of each design, and finds the sources of the cores."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tools.shell import CheckError, run


def _without_spaces(path: Path) -> Path:
    """Returns the folder, or a symbolic link to it if its path has a space, because Verilator, make
    and yosys split arguments at spaces."""
    if not re.search(r"\s", str(path)):
        return path
    name = hashlib.sha256(str(path).encode()).hexdigest()[:16]
    link = Path(tempfile.gettempdir(), f"ticklab-{os.getuid()}-{name}")
    if not link.is_symlink():
        with contextlib.suppress(FileExistsError):  # another process was faster
            link.symlink_to(path, target_is_directory=True)
    if link.resolve() != path.resolve():
        raise CheckError(f"{link} is in the way: remove it, or keep the checkout where no space is")
    return link


CHECKOUT = Path(__file__).resolve().parent.parent.parent
RTL = _without_spaces(CHECKOUT) / "rtl"
# The laboratory's cache of objects. An installed Ticklab contains this folder.
_LAB = CHECKOUT / "lab" / "src" / "ticklab"
OBJECTS = (_LAB if _LAB.is_dir() else CHECKOUT.parent) / "building" / "objects.py"
HOME = _without_spaces(Path(os.environ.get("TICKLAB_HOME") or CHECKOUT / ".ticklab")) / "rtl"


def rtu(root: Path) -> list[Path]:
    """Returns the files of the real-time unit: packages first."""
    folder = root / "rtl" / "rtu"
    return [folder / "rtu_pkg.sv", *sorted(set(folder.glob("*.sv")) - {folder / "rtu_pkg.sv"})]


def shared(root: Path) -> list[Path]:
    """Returns the files of the parts that the nodes share, including the real-time unit."""
    return [
        root / "rtl" / "system_pkg.sv",
        *rtu(root),
        *sorted((root / "rtl" / "bus").glob("*.sv")),
    ]


def fabric(root: Path) -> list[Path]:
    """Returns the files of the system without its cores, in the configuration for Ibex."""
    nodes = sorted(set((root / "rtl" / "node").glob("*.sv")) - {root / "rtl" / "node" / "node.sv"})
    package = root / "rtl" / "core" / "ibex" / "core_pkg.sv"
    return [*shared(root), package, *nodes, root / "tb" / "fabric.sv"]


def system(root: Path, core: str) -> list[Path]:
    cores = root / "rtl" / "core"
    return [
        *shared(root),
        cores / PACKAGES[core] / "core_pkg.sv",
        *sorted(set((cores / core).glob("*.sv")) - {cores / core / "core_pkg.sv"}),
        *sorted((root / "rtl" / "node").glob("*.sv")),
        root / "rtl" / "system.sv",
    ]


def _package_of(core: str) -> Path:
    """Returns the folder of the sources of a core, from its package."""
    package = f"pythondata_cpu_{core}"
    return installed("requirements.txt", "cores", package) / package / "system_verilog"


def installed(pins: str, name: str, package: str) -> Path:
    """Returns the folder of a package that the requirements file `pins` pins. pip fetches it once
    and checks its hash."""
    pinned = RTL / pins
    folder = HOME / name / hashlib.sha256(pinned.read_bytes()).hexdigest()[:16]
    if not (folder / package).is_dir():
        with alone(name):
            if not (folder / package).is_dir():
                _install(pinned, folder)
    return folder


def _install(pinned: Path, folder: Path) -> None:
    """Installs the package into a temporary folder and then renames it, so that `folder` is never
    incomplete."""
    beside = folder.with_suffix(".new")
    shutil.rmtree(beside, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps"]
    run(
        [*pip, "--target", beside, "--requirement", pinned],
        f"cannot install {folder.parent.name}; try: pip download --require-hashes -r {pinned}",
    )
    beside.rename(folder)


@contextlib.contextmanager
def alone(name: str) -> Iterator[None]:
    """Holds the lock `name`, so that only one process at a time builds or installs it."""
    locks = HOME / "locks"
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / name).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _ibex() -> list[str | Path]:
    """Returns Verilator's arguments for Ibex. The macro SYNTHESIS removes the core's assertions;
    RVFI adds the outputs that report retired instructions."""
    core = _package_of("ibex")
    common = core / "dv" / "uvm" / "core_ibex" / "common" / "prim"
    lowrisc = core / "vendor" / "lowrisc_ip"
    prim = lowrisc / "ip" / "prim" / "rtl"
    libraries = [core / "rtl", common, prim, lowrisc / "ip" / "prim_generic" / "rtl"]
    packages = ["ram_1p", "secded", "mubi", "util", "count", "cipher"]
    return [
        "-DSYNTHESIS",
        "-DRVFI",
        *(f"+incdir+{folder}" for folder in (prim, lowrisc / "dv" / "sv" / "dv_utils")),
        *(word for folder in libraries for word in ("-y", folder)),
        core / "rtl" / "ibex_pkg.sv",
        common / "prim_pkg.sv",
        *(prim / f"prim_{name}_pkg.sv" for name in packages),
    ]


def _cv32e40s() -> list[str | Path]:
    """Returns Verilator's arguments for CV32E40S. Its packages come first, because the other files
    import them."""
    core = _package_of("cv32e40s")
    rtl, models = core / "rtl", core / "bhv"
    packages = [rtl / "include" / "cv32e40s_pkg.sv", rtl / "if_c_obi.sv", rtl / "if_xif.sv"]
    cells = [models / f"cv32e40s_sim_{name}.sv" for name in ("sffr", "sffs", "clock_gate")]
    return ["-y", rtl, *packages, *cells]


CORES = {"ibex": _ibex, "ibex-banks": _ibex, "cv32e40s": _cv32e40s}
# For each core, the folder of core/ with its core_pkg.sv.
PACKAGES = {"ibex": "ibex", "ibex-banks": "ibex", "cv32e40s": "cv32e40s"}


def banks(root: Path) -> Path:
    return root / "rtl" / "core" / "ibex-banks" / "register_banks.sv"


def core_arguments(core: str) -> list[str | Path]:
    """Returns Verilator's arguments for a core."""
    return CORES[core]()
