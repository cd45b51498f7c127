# SPDX-License-Identifier: MIT
"""The tables of kernel.toml: the keys of a kernel's description, with their meanings.

kernel.py turns them into a `Kernel`, after extends.py has merged the description with the one that
it extends.
"""

from __future__ import annotations

import datetime
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args

from msgspec import Meta

from ticklab.description import features, fields
from ticklab.description.features import Protection
from ticklab.description.keys import Name, Positive, Scalars, Text, Texts
from ticklab.description.model import CATEGORIES
from ticklab.description.table import Table

Interface: TypeAlias = Literal["bench", "thread-metric", "async"]
BENCH, THREAD_METRIC, ASYNC = get_args(Interface)

Features: TypeAlias = Annotated[dict[str, Any], Meta(extra_json_schema=features.schema())]
Services: TypeAlias = tuple[fields.Service, ...]


class SourceTable(Table, frozen=True):
    """The package that contains the kernel's sources, in a registry of crates."""

    crate: Annotated[Text, Meta(description="name of the package")]
    version: Annotated[Text, Meta(description="version of the package")]
    folder: Annotated[Text, Meta(description="folder inside the package")] = "."


class RustTable(Table, frozen=True):
    """A kernel that is written in Rust. cargo builds a static library from a crate in the kernel's
    folder, which the linker takes after the objects. The crate depends on the crates of the kernel
    itself, which come from a registry."""

    manifest: Annotated[
        Text,
        Meta(
            description="the crate's `Cargo.toml`, beside its `Cargo.lock`. The crate is a "
            "`staticlib` and a workspace of its own; its profile `release` is used, with the "
            "optimisation level of the run"
        ),
    ] = "Cargo.toml"


_RUST_FEATURES = Meta(
    description="features of the crate of `[kernel.rust]`; those of the core or its "
    "architecture and those of the configuration are all used"
)


class KernelTable(Table, frozen=True, kw_only=True):
    """The kernel. Paths are relative to the folder of the description; `@/` at the start of a path
    stands for the folder of the package that `source` names."""

    RENAMED: ClassVar = {
        "cpus": "[arch.NAME] or [core.NAME]",
        "sources_by_cpu": "sources in [arch.NAME] or [core.NAME]",
        "includes_by_cpu": "includes in [arch.NAME] or [core.NAME]",
    }

    extends: Annotated[
        Text | None,
        Meta(
            description="a folder with a `kernel.toml` that this one extends: see "
            '"Extending a description"'
        ),
    ] = None
    name: Annotated[
        Name,
        Meta(
            description="lower-case letters, digits, hyphens; the folder's name in this repository"
        ),
    ]
    title: Annotated[Text, Meta(description="name for people")]
    version: Annotated[Text, Meta(description="version for people; it is part of the provenance")]
    source: Annotated[
        SourceTable | None,
        Meta(
            description="the sources come from a crate registry, pinned by hash in "
            "`kernels/_shared/sources/Cargo.lock`. Leave it out if the sources are in your folder"
        ),
    ] = None
    rust: Annotated[
        RustTable | None,
        Meta(description="a crate of the kernel, which is written in Rust"),
    ] = None
    sources: Annotated[
        Texts,
        Meta(
            description="C and assembler files, including the port; `*` in the name of a file "
            "matches any part of it, in the order of the names"
        ),
    ]
    libraries: Annotated[
        Texts,
        Meta(
            description="prebuilt parts of the kernel (`libkernel.a`), linked after the objects; "
            "their hashes are in the provenance (`prebuilt`). The compiler flags of such a kernel "
            "are unknown: `compare` ranks it only against itself, and `footprint` has no figures "
            "of it"
        ),
    ] = ()
    includes: Annotated[Texts, Meta(description="folders of headers")] = ()
    defines: Annotated[
        Scalars,
        Meta(
            description="a table of macros for the kernel's sources and the port; not for scenarios"
        ),
    ] = {}
    flags: Annotated[
        Texts,
        Meta(
            description='compiler flags that the kernel\'s sources need (`["-fno-strict-aliasing"]`'
            "); the port gets them too. They are part of the provenance, and `compare` ranks only "
            "builds with the same flags"
        ),
    ] = ()
    close: Annotated[
        Text | None,
        Meta(
            description="for a static kernel: the program that links everything privileged into "
            "one closed object (`object`) and checks the image (`image`), as "
            "`kernels/bulkhead/close.py` does"
        ),
    ] = None
    user_sources: Annotated[
        Texts,
        Meta(
            description="for a static kernel: the files of `sources` and of the platform that are "
            "linked only with the scenario"
        ),
    ] = ()
    port: Annotated[
        Text | None,
        Meta(
            description="the file of `sources` that defines the services (port.h or `tm_*`); by "
            "default the only one that is named `port.c` and not from the package. Its "
            "services are inlined into the scenario. A static kernel's port is generated"
        ),
    ] = None
    apart: Annotated[
        Texts,
        Meta(
            description="sources that are excluded from link-time optimisation, because their "
            "assembler calls functions, or is called, by names that the compiler does not see"
        ),
    ] = ()
    interface: Annotated[
        Interface,
        Meta(
            description='`"bench"` (port.h), `"thread-metric"` (the interface of that suite), or '
            '`"async"` (port.rs): tasks are async functions, and the crate of `[kernel.rust]` '
            "contains the scenario in its async form"
        ),
    ] = "bench"
    services: Annotated[
        Services,
        Meta(
            description="the services of port.h that the kernel has; a scenario that needs another "
            "one is `unsupported`"
        ),
    ]
    ranked: Annotated[
        Texts,
        Meta(
            description="configurations that take part in a run by default; without any, the "
            "kernel runs only if it is named, in the configuration `default`"
        ),
    ] = ("default",)
    switches_by_interrupt: Annotated[
        bool,
        Meta(
            description="the kernel switches tasks by external interrupts of its own: a sample may "
            "contain more of them than the scenario requests"
        ),
    ] = False
    priorities: Annotated[
        Positive,
        Meta(
            description="how many different priorities the kernel's tasks can have; a scenario "
            "with more is `unsupported`"
        ),
    ] = fields.PRIORITIES
    linker_script: Annotated[
        Text | None, Meta(description="the linker script; replaces that of the platform")
    ] = None
    without_isolation: Annotated[
        Text | None,
        Meta(
            description="the kernel that is this kernel without isolation: isolation's price is a "
            "multiple of its cycles"
        ),
    ] = None
    protection: Annotated[
        Protection | None,
        Meta(
            description="the class by which the kernel is grouped where kernels are ranked: "
            "`none`, `kernel` (the kernel is protected from tasks) or `tasks` (each task is "
            "protected from every other, too). By default `none` without the feature `isolation`, "
            "and `kernel` with it"
        ),
    ] = None
    tasks: Annotated[
        Text | None,
        Meta(
            description="what the kernel's tasks are, if they are not threads with stacks of their "
            "own; views say it wherever they rank the kernel"
        ),
    ] = None
    interest: Annotated[
        Text | None,
        Meta(
            description="a sentence for the reader of a ranking, if the kernel's authors are also "
            "those who measure it"
        ),
    ] = None
    generate: Annotated[
        Text | None,
        Meta(
            description="a Python program that generates a static kernel's tables from the "
            "scenario ([Static kernels](contract.md))"
        ),
    ] = None


class PartTable(Table, frozen=True):
    """Sources and headers that a kernel adds for one architecture or one core."""

    sources: Annotated[Texts, Meta(description="sources in addition to those of `[kernel]`")] = ()
    includes: Annotated[
        Texts, Meta(description="folders of headers in addition to those of `[kernel]`")
    ] = ()
    rust_features: Annotated[Texts, _RUST_FEATURES] = ()


class ConfigTable(Table, frozen=True, kw_only=True):
    """One configuration of the kernel."""

    RENAMED: ClassVar = {"lacks": "without_services"}

    extends: Annotated[
        Text | None,
        Meta(
            description="a configuration of this kernel that this one extends: see "
            '"Extending a description"'
        ),
    ] = None
    header: Annotated[
        Text,
        Meta(description="the configuration file. `--config FILE` replaces it by a user's own"),
    ]
    reason: Annotated[
        Text,
        Meta(
            description="why the configuration is made so; for `default`, why it is the fastest "
            "honest one"
        ),
    ]
    defines: Annotated[Scalars, Meta(description="more macros, only for this configuration")] = {}
    core: Annotated[
        Text | None,
        Meta(
            description="one of the board's `other_cores`, for example a core without its FPU; "
            "replaces the board's core"
        ),
    ] = None
    arch: Annotated[
        Text | None,
        Meta(description="the only instruction set of the configuration (default: the kernel's)"),
    ] = None
    tick_hz: Annotated[
        Positive | None, Meta(description="ticks a second; replaces the board's rate")
    ] = None
    protection: Annotated[
        Protection | None,
        Meta(
            description="the class of protection under this configuration; replaces that of "
            "`[kernel]`"
        ),
    ] = None
    features: Annotated[
        Features,
        Meta(
            description="a table: features that differ from `[features]` under this configuration"
        ),
    ] = {}
    sources: Annotated[Texts, Meta(description="sources in addition to the kernel's")] = ()
    includes: Annotated[
        Texts,
        Meta(
            description="folders of headers before the kernel's, so that a file in them replaces "
            "the kernel's file of the same name"
        ),
    ] = ()
    command_line: Annotated[
        Text | None,
        Meta(description="parameters on the command line of a kernel that boots"),
    ] = None
    rust_features: Annotated[Texts, _RUST_FEATURES] = ()
    without_services: Annotated[
        Services,
        Meta(description="services that the kernel does not have under this configuration"),
    ] = ()


class SuspensionTable(Table, frozen=True):
    """The functions by which a kernel suspends and resumes its scheduler while interrupts stay
    enabled, if it has such functions. `explain` reports how often and how long the scheduler was
    suspended."""

    begin: Annotated[Text, Meta(description="the function that suspends the scheduler")]
    end: Annotated[Text, Meta(description="the function that resumes the scheduler")]


class CategoryTable(Table, frozen=True):
    """The category that `explain` gives to an instruction. A rule has one or several regular
    expressions, and the first rule that matches is used. Exception entry and exit, services of the
    port (`api`, in tables "port"), what they inline, and the benchmark need no rule. `explain A B`
    fails if more than 1 % of the instructions match no rule. A kernel without rules gets default
    ones, by the names of its functions."""

    name: Annotated[
        Text, Meta(description="the kind of work", extra_json_schema={"enum": list(CATEGORIES)})
    ]
    opcode: Annotated[
        Text | None,
        Meta(
            description="is matched with the instruction's class and encoding ([The "
            "answer](../reference/explain-format.md), `code`)"
        ),
    ] = None
    function: Annotated[
        Text | None,
        Meta(description="is matched with the innermost function, inlined functions too"),
    ] = None
    file: Annotated[
        Text | None,
        Meta(description="is matched with the source file that contains it, without folder"),
    ] = None


class BootTable(Table, frozen=True):
    """A kernel that is an operating system of its own: the emulator boots it, and each scenario is
    a program that it starts. The kernel comes from a Debian package."""

    package: Annotated[
        Text,
        Meta(
            description="the package's path in Debian's archive, from `pool/`; its file name has "
            "the version"
        ),
    ]
    sha256: Annotated[str, Meta(description="hash of the package", pattern="^[0-9a-f]{64}$")]
    kernel: Annotated[Text, Meta(description="path of the kernel in the package")]


class FactTable(Table, frozen=True):
    """One statement about the kernel, printed by `list kernels`."""

    name: Annotated[Text, Meta(description="subject of the statement")]
    value: Annotated[Text, Meta(description="the statement")]
    source: Annotated[Text, Meta(description="where it was found")]
    date: Annotated[
        datetime.date,
        Meta(description="when it was checked", extra={"remedy": "write YYYY-MM-DD"}),
    ]


class KernelFile(Table, frozen=True):
    """The file kernel.toml: what a kernel consists of, which services it has, and its
    configurations."""

    kernel: KernelTable
    arch: Annotated[
        dict[str, PartTable],
        Meta(
            description="the kernel runs on the cores of this architecture (a "
            "folder of `platform/arch`)"
        ),
    ] = {}
    core: Annotated[
        dict[str, PartTable],
        Meta(
            description="the same for one core (a file of `platform/cores`), after "
            "the part of its architecture. If a kernel names cores of an architecture, it runs "
            "only on these"
        ),
    ] = {}
    config: Annotated[
        dict[str, ConfigTable], Meta(description="a kernel has one configuration or several")
    ] = {}
    objects: Annotated[
        dict[str, Text],
        Meta(
            description="a table: kind of object → tag of the structure that is its control block; "
            "`footprint` gives their sizes"
        ),
    ] = {}
    features: Annotated[
        Features,
        Meta(
            description="features that `compare` checks before it ranks, each true or false; "
            "`checks` and `isolation` may be a text that describes the extent. A table "
            '`[features.SERVICE]` has features of one of the services (`semaphore.order = "fifo"`) '
            "that are not the default. [The porting contract](contract.md) lists them"
        ),
    ] = {}
    suspension: SuspensionTable | None = None
    boot: BootTable | None = None
    category: tuple[CategoryTable, ...] = ()
    fact: tuple[FactTable, ...] = ()
